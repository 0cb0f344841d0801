import { z } from 'zod';
import type { OptionProblem } from './field-type.ts';

const domainsMax = 200;
const domainPattern = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const domainList = z.array(z.string().regex(domainPattern, 'must be a domain name such as example.com (in its ASCII form)')).min(1).max(domainsMax);

/** The options of the types whose values name a domain: a list of the only ones allowed, or of those refused. */
export const domainOptions = {
  onlyDomains: domainList
    .optional()
    .meta({ description: 'Only values of these domains are taken (exact match, ignoring case).', example: ['example.com'] }),
  exceptDomains: domainList.optional().meta({ description: 'Values of these domains are refused (exact match, ignoring case).' }),
};

interface DomainOptions {
  readonly onlyDomains?: readonly string[] | undefined;
  readonly exceptDomains?: readonly string[] | undefined;
}

export function domainProblems(options: DomainOptions): readonly OptionProblem[] {
  if (options.onlyDomains === undefined || options.exceptDomains === undefined) return [];
  return [{ option: 'exceptDomains', reason: 'give onlyDomains or exceptDomains, not both' }];
}

/** Compiles the lists to one question. */
export function domainJudge(options: DomainOptions): (domain: string) => boolean {
  const only = options.onlyDomains && new Set(options.onlyDomains.map((domain) => domain.toLowerCase()));
  const except = options.exceptDomains && new Set(options.exceptDomains.map((domain) => domain.toLowerCase()));
  return (domain) => {
    const name = domain.toLowerCase();
    return (only === undefined || only.has(name)) && (except === undefined || !except.has(name));
  };
}
