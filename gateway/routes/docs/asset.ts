import { define } from '../../endpoint/define.ts';

/** What the documentation page loads. */
export const docsAsset = define({
  method: 'GET',
  path: '/docs/assets/:file',
  operationId: 'docsAsset',
  tag: 'Specification',
  scope: 'public',
  summary: 'A file of the interactive documentation',
  answers: { 200: { description: 'The file.' }, 304: { description: 'The file is unchanged.' } },
  errors: ['route_not_found'],
  isDocumented: false,
  handle: ({ documentation }, request) => documentation.asset(request.params[0] ?? '', request),
});
