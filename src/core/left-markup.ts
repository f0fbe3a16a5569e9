/** Syntax of a site generator that is left in a text: its name, such as `<RuleLinks>`, and how often it is there. */
interface LeftMarkup {
  readonly name: string;
  readonly count: number;
}

/** The message of a `MARKUP_UNKNOWN` about such syntax: `3 × <RuleLinks>`. */
export function describeLeftMarkup({ name, count }: LeftMarkup): string {
  return `${count} × ${name}`;
}

/** What a message of {@link describeLeftMarkup} says; `null` for other messages. */
export function readLeftMarkup(message: string): LeftMarkup | null {
  const [, count, name] = /^(\d+) × (.+)$/.exec(message) ?? [];
  return name === undefined ? null : { name, count: Number(count) };
}
