import { SvcError } from '../../proto/errors/svc-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HttpServer } from '../http/http-server.ts';
import { reply, type Endpoint } from './define.ts';
import { MountedEndpoint, type MountDeps } from './mounted-endpoint.ts';
import { problemReply } from './problem.ts';
import type { RouteMeter } from './telemetry.ts';

/** Puts the declared endpoints on the server: each under its method (HEAD wherever GET is), and an answer of ours for everything else. */
export function mount(server: HttpServer, deps: MountDeps, endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) {
    const mounted = new MountedEndpoint(deps, endpoint);
    const receive = (exchange: Exchange): void => mounted.receive(exchange);
    server.on(endpoint.method, endpoint.path, receive);
    if (endpoint.method === 'GET') server.on('HEAD', endpoint.path, receive);
  }
  for (const [path, methods] of methodsByPath(endpoints)) mountOthers(server, deps, { path, methods });
  mountUnknown(server, deps);
}

/** Known address, other method: OPTIONS is told what there is, the rest is refused with the same list. */
function mountOthers(server: HttpServer, deps: MountDeps, input: { readonly path: string; readonly methods: string }): void {
  const meter = deps.telemetry.meter('other', input.path);
  const refusal = problemReply(new SvcError('method_not_allowed', { values: { allow: input.methods } }));
  server.onOther(input.path, (exchange, method) => {
    if (method === 'OPTIONS') return answer(exchange, meter, reply(204, '', server.cors.preflightLines(exchange.head, input.methods)));
    answer(exchange, meter, refusal);
  });
}

/** No such address. A preflight is granted all the same: a page is to see the 404, not a network error. */
function mountUnknown(server: HttpServer, deps: MountDeps): void {
  const meter = deps.telemetry.meter('other', 'unknown');
  const refusal = problemReply(new SvcError('route_not_found'));
  server.onOther('/*', (exchange, method) => {
    const isPreflight = method === 'OPTIONS' && exchange.head.requestedMethod !== '';
    answer(exchange, meter, isPreflight ? reply(204, '', server.cors.preflightLines(exchange.head, anyMethod)) : refusal);
  });
}

function answer(exchange: Exchange, meter: RouteMeter, content: ReturnType<typeof reply>): void {
  const { flaw } = exchange.head;
  if (flaw !== '') exchange.closeAfter();
  const sent = flaw === '' ? content : problemReply(new SvcError('bad_request', { values: { reason: `${flaw}.` } }));
  meter.answered(exchange, sent.status);
  exchange.send(sent);
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  return new Map([...methods].map(([path, list]) => [path, [...list, 'OPTIONS'].join(', ')]));
}

const anyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
