import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { fc, runs } from '../../support/properties.ts';
import { makeOpenApi } from '../support/make-open-api.ts';
import { startTestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads a JSON Schema at every depth
type Json = any;

const api = makeOpenApi() as Json;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(api, 'api');

const hostile = fc.constantFrom(
  '\ud83d',
  '\udc00x',
  'a\0b',
  '\u{1f600}',
  'ﷺ'.repeat(50),
  '<script>',
  "'; DROP TABLE article; --",
  '"*NEAR(',
  '../x',
  '\u202e',
  '\uffff',
  ' ',
  '',
);
const id = fc.constantFrom('aaaaaaaaaa', 'bbbbbbbbbb', 'zzzzzzzzzz', 'x', 'ä/b', '%00');
const byPattern: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '^[a-zA-Z0-9]{10}$': fc.constantFrom('aaaaaaaaaa', 'bbbbbbbbbb'),
};
const byFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.constantFrom(
    '2026-01-31T12:00:00Z',
    '9998-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999-01:00',
    '0001-01-01T00:00:00+14:00',
  ),
  date: fc.constantFrom('2026-01-31', '0000-01-01', '9999-12-31'),
};

/** Values a JSON Schema allows, and now and then others. */
function anyValue(schema: Json): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 80, arbitrary: fc.constant(null).chain(() => validValue(schema)) },
    { weight: 1, arbitrary: fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>) },
  );
}

function validValue(schema: Json): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    return validValue(
      schema.$ref
        .split('/')
        .slice(1)
        .reduce((inside: Json, key: string) => inside[key], api),
    );
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(anyValue));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => validValue({ ...schema, type })));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? -9, -9), max: Math.min(schema.maximum ?? 9, 200) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'array':
      return fc.array(anyValue(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return objectOf(schema);
    case 'string':
      if (schema.format) return byFormat[schema.format] as fc.Arbitrary<string>;
      if (schema.pattern) return byPattern[schema.pattern] ?? fc.constantFrom('de', 'pt-BR', 'PT-br', 'en');
      return fc.oneof(
        { weight: 12, arbitrary: fc.string({ minLength: schema.minLength ?? 0, maxLength: 20 }) },
        { weight: 1, arbitrary: hostile },
      );
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectOf({ properties = {}, required = [] }: Json): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, inside]) => [name, anyValue(inside)]),
  );
  return fc.record(model, { requiredKeys: required });
}

interface Fuzzed {
  readonly method: string;
  readonly path: string;
  readonly responses: Json;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly id: string;
}

const requests: readonly fc.Arbitrary<Fuzzed>[] = Object.entries(api.paths as Json).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]: [string, Json]) => {
      const inQuery = operation.parameters.filter((parameter: Json) => parameter.in === 'query');
      const schema = {
        properties: Object.fromEntries(inQuery.map((parameter: Json) => [parameter.name, parameter.schema])),
      };
      return fc.record({
        method: fc.constant(method.toUpperCase()),
        path: fc.constant(path),
        responses: fc.constant(operation.responses),
        query: objectOf(schema) as fc.Arbitrary<Fuzzed['query']>,
        body: operation.requestBody
          ? anyValue(operation.requestBody.content['application/json'].schema)
          : fc.constant(undefined),
        id,
      });
    }),
);

const validators = new Map<Json, ValidateFunction>();

/** Compiled once: compiling takes longer than the request. */
function validatorOf(schema: Json): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'));
  const validate = ajv.compile(own);
  validators.set(schema, validate);
  return validate;
}

it('every answer is one the OpenAPI document describes, and never a 5xx, whatever is sent', {
  tags: 'property',
  timeout: 300_000,
}, async () => {
  const service = await startTestService({ requestsPerMinute: 0 });
  for (const article_id of ['aaaaaaaaaa', 'bbbbbbbbbb']) {
    await service.call('/article', { method: 'POST', body: { title: 'x', article_id } });
  }
  await fc.assert(
    fc.asyncProperty(fc.oneof(...requests), async ({ method, path, responses, query, body, id }) => {
      const parameters = Object.entries(query).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value).replaceAll(/\p{Cs}/gu, '?'))}`,
      );
      const address = `${path.replace(/\{\w+\}/, encodeURIComponent(id))}?${parameters.join('&')}`;
      const answer = await service.call(address, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const seen = `${method} ${address} ${JSON.stringify(body)} → ${answer.status} ${answer.text.slice(0, 500)}`;
      expect(answer.status, seen).toBeLessThan(500);
      const described = responses[answer.status];
      expect(described, seen).toBeDefined();
      const schema = described.content['application/json'].schema;
      const validate = validatorOf(schema);
      expect(validate(answer.json), `${seen} ${JSON.stringify(validate.errors)}`).toBe(true);
    }),
    { numRuns: runs(5000) },
  );
});
