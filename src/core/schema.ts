// zod makes types, checks and the published JSON Schemas from one schema: settings, records of the API and of the feed are described once.
import { z } from 'zod';

export { z };

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
};

const formats: Readonly<Record<string, string>> = {
  url: 'a URL such as https://example.com',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
};

/**
 * Describes what a schema requires of a value: `must be a whole number`. A schema's own message does not change; `undefined` means missing.
 */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const isOwnSentence = !/^(?:Invalid |Too (?:small|big)|Unrecognized )/.test(issue.message);
  if (isOwnSentence) return issue.message;
  if (value === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${listChoices(issue.values.map((choice) => JSON.stringify(choice)))}`;
    case 'invalid_union':
      // Only a discriminated union has a discriminator.
      return 'options' in issue && Array.isArray(issue.options)
        ? `must be ${listChoices(issue.options.filter(Boolean).map((choice) => JSON.stringify(choice)))}`
        : 'is not valid';
    case 'too_small':
      return describeLimit(issue.origin, Number(issue.minimum), 'at least');
    case 'too_big':
      return describeLimit(issue.origin, Number(issue.maximum), 'at most');
    case 'invalid_format':
      return issue.pattern === undefined || issue.format in formats
        ? `must be ${formats[issue.format] ?? `a valid ${issue.format}`}`
        : `must match ${issue.pattern}`;
    case 'unrecognized_keys':
      return `must not have ${listChoices(issue.keys.map((key) => JSON.stringify(key)))}`;
    default:
      return 'is not valid';
  }
}

function describeLimit(origin: string, limit: number, most: 'at least' | 'at most'): string {
  if (origin === 'string' || origin === 'array') {
    if (limit === 1 && most === 'at least') return 'must not be empty';
    return `must have ${most} ${limit} ${origin === 'string' ? 'characters' : 'entries'}`;
  }
  return `must be ${most} ${limit}`;
}

/** `a, b or c` */
function listChoices(choices: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);
}

/** Which field of a value is wrong, and what a schema requires of it: `tags.0 must be a string`. */
export function describeWrongField(issue: z.core.$ZodIssue, value: unknown): string {
  return `${issue.path.join('.')} ${describeIssue(issue, valueAt(value, issue.path))}`.trim();
}

/** The value at a path of nested objects; `undefined` if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key)
        ? Reflect.get(inside, key)
        : undefined,
    value,
  );
}
