import { ExplainInput, ExplanationSchema } from '../../../proto/schema/explanation.ts';
import { define, reply } from '../../endpoint/define.ts';

export const explainRule = define({
  method: 'POST',
  path: '/api/svc/:name/rules/explain',
  operationId: 'explainRule',
  tag: 'Collections',
  scope: 'root',
  summary: 'Explain a rule',
  description: 'What it comes to for somebody and a record: the verdict, each part, the SQL and its plan. Nothing is changed.',
  body: ExplainInput,
  answers: { 200: { description: 'The explanation.', schema: ExplanationSchema } },
  errors: ['bad_filter', 'collection_not_found', 'record_not_found', 'record_exists', 'write_conflict', 'unavailable', 'timed_out'],
  handle: async ({ rules }, request) => reply(200, await rules.explain(request)),
});
