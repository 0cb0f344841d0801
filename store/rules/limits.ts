/** What an expression may be at most (CONTRACT section 4). */
export const limits = {
  characters: 4_096,
  nesting: 32,
  conditions: 200,
  /** Relations that one path may follow. */
  pathDepth: 6,
  /** Characters of a `~` pattern; a longer one, which only a request can bring, matches nothing. */
  pattern: 4_096,
} as const;
