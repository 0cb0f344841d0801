import { z } from 'zod';
import { define } from '../../endpoint/define.ts';

export const docsPage = define({
  method: 'GET',
  path: '/docs',
  operationId: 'docs',
  tag: 'Specification',
  scope: 'public',
  summary: 'Interactive documentation for a browser',
  answers: { 200: { description: 'A page.', schema: z.string(), type: 'text/html' } },
  errors: [],
  handle: ({ documentation }) => documentation.page(),
});

/** The same under the address with a slash, which people type. */
export const docsPageSlash = define({ ...docsPage, path: '/docs/', operationId: 'docsSlash', isDocumented: false });
