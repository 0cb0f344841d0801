import { z } from 'zod';
import { define, type Endpoint } from '../../endpoint/define.ts';

const page = define({
  method: 'GET',
  path: '/_svc_/:name',
  operationId: 'page',
  tag: 'System',
  scope: 'public',
  summary: 'A page that mail sends people to',
  answers: { 200: { description: 'A page.', schema: z.string(), type: 'text/html' } },
  errors: ['route_not_found'],
  isDocumented: false,
  handle: ({ pages }, { params: [name = ''] }) => pages.page(name),
});

const devicePage = define({
  method: 'GET',
  path: '/device',
  operationId: 'devicePage',
  tag: 'Accounts',
  scope: 'public',
  summary: 'The page where people let devices in',
  answers: { 200: { description: 'A page.', schema: z.string(), type: 'text/html' } },
  errors: [],
  handle: ({ pages }) => pages.page('device'),
});

const asset = define({
  method: 'GET',
  path: '/_svc_/pages/:file',
  operationId: 'pageAsset',
  tag: 'System',
  scope: 'public',
  summary: 'What a page loads',
  headers: ['If-None-Match'],
  answers: { 200: { description: 'A script or style sheet.', schema: z.string(), type: 'text/javascript' } },
  errors: ['route_not_found'],
  isDocumented: false,
  handle: ({ pages }, { params: [file = ''], ifNoneMatch }) => pages.asset(file, { ifNoneMatch }),
});

export const pageEndpoints: readonly Endpoint[] = [page, devicePage, asset];
