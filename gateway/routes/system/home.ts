import { define, headerLines, reply } from '../../endpoint/define.ts';

export const home = define({
  method: 'GET',
  path: '/',
  operationId: 'home',
  tag: 'System',
  scope: 'public',
  summary: 'Where to begin',
  answers: { 302: { description: 'The interactive documentation is the place to begin.', headers: ['Location'] } },
  errors: [],
  isDocumented: false,
  handle: () => reply(302, '', headerLines({ Location: '/docs', 'Cache-Control': 'no-store' })),
});
