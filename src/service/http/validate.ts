import { describeIssue, valueAt, type z } from '../../foundation/schema.ts';
import { HttpError } from './http-error.ts';

/** Query parameters, checked; those the schema does not know are ignored. Throws 400 naming the parameter. */
export function validateQuery<T>(schema: z.ZodType<T>, query: unknown): T {
  return validate(schema, query, 'parameter');
}

/** A JSON body, checked; no body is an empty one. Throws 400 naming the field. */
export function validateBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const object = body ?? {};
  if (typeof object !== 'object' || Array.isArray(object)) {
    throw new HttpError(400, 'invalid_body', 'The request body must be a JSON object.');
  }
  return validate(schema, object, 'field');
}

function validate<T>(schema: z.ZodType<T>, value: unknown, what: 'parameter' | 'field'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // A failed check names at least one issue.
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const name = [...path, issue.keys[0]].join('.');
    throw new HttpError(400, 'unknown_field', `There is no field ${name}.`);
  }
  const name = path.join('.');
  if (valueAt(value, path) === undefined) {
    throw new HttpError(400, 'missing_parameter', `The required ${what} ${name} is missing.`);
  }
  throw new HttpError(
    400,
    `invalid_${what}`,
    `The ${what} ${name} ${describeIssue(issue, valueAt(value, path))}.`,
  );
}
