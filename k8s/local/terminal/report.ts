/** What the supervisor tells the person, or the machine, who started it. */
export interface Reporter {
  /** Something that takes a moment has begun. */
  begin(text: string): void;
  /** A step of the start is done. */
  done(text: string): void;
  /** Something that the reader should know. */
  note(text: string): void;
  /** Something went wrong, and is being dealt with. */
  warn(text: string): void;
  /** Something went wrong for good. */
  error(text: string): void;
  /** All is up. */
  ready(facts: ReadyFacts): void;
  /** A line of a child's standard output or error; absent where children write for themselves. */
  readonly childLine?: (line: string) => void;
}

export interface ReadyFacts {
  /** How long it took. */
  readonly seconds: string;
  /** What is where, in order. */
  readonly places: readonly (readonly [name: string, place: string])[];
}
