/** What a rule may name beside the collection. */
export type LimitAction = 'auth' | 'list' | 'view' | 'create' | 'update' | 'delete' | 'subscribe';

/** A rule of the settings. */
export interface LimitRule {
  /** `<collection or *>:<action>`, or the beginning of a path. */
  readonly label: string;
  readonly maxRequests: number;
  readonly intervalS: number;
  readonly audience: string;
}

/** What a rule is held against. */
export interface LimitedRequest {
  readonly action: LimitAction | undefined;
  /** Empty where the path names none. */
  readonly collection: string;
  readonly path: string;
  readonly isGuest: boolean;
}

/** What an endpoint says of itself. */
export interface Limitable {
  readonly limits?: LimitAction;
  readonly path: string;
}

/** The first rule that fits; the others do not count. */
export function ruleFor(rules: readonly LimitRule[], request: LimitedRequest): LimitRule | undefined {
  return rules.find(({ label, audience }) => {
    if (audience !== 'all' && (audience === 'guest') !== request.isGuest) return false;
    if (label.startsWith('/')) return request.path.startsWith(label);
    const [collection = '', action = ''] = label.split(':');
    return action === request.action && (collection === '*' || collection.toLowerCase() === request.collection.toLowerCase());
  });
}

/** Whether some rule could fit a request of the endpoint; most endpoints are no rule's. */
export function isLimited(rules: readonly LimitRule[], { limits, path }: Limitable): boolean {
  const fixed = path.slice(0, path.includes(':') ? path.indexOf(':') : path.length);
  return rules.some(({ label }) => {
    if (label.startsWith('/')) return label.startsWith(fixed) || fixed.startsWith(label);
    return label.split(':')[1] === limits;
  });
}
