import { type Operation, type OperationName, operations } from '../../../src/core/api/operations.ts';
import { z } from '../../../src/core/schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** Errors by status: descriptions, and the operations that can return them. */
const failures: readonly [status: number, description: string, applies: (operation: Operation) => boolean][] =
  [
    [
      400,
      'A required parameter or field is missing, or one is not valid; the message names it.',
      ({ path, query, body }) => body !== null || hasParameters(query) || path.includes(':'),
    ],
    [401, 'The key is missing, not valid, or does not have this right.', () => true],
    [404, 'The record does not exist.', ({ path }) => path.includes(':')],
    [409, 'The requested id is taken.', ({ method, path }) => method === 'POST' && !path.includes(':')],
    [
      412,
      'The ETag is not as `If-Match` requires.',
      (operation) => isCached(operation) || isChange(operation),
    ],
    [
      413,
      'The request body, or the body of an article in one language, is too large.',
      ({ body }) => body !== null,
    ],
    [415, 'The request body is not `application/json` in UTF-8.', ({ body }) => body !== null],
    [429, 'Too many requests.', () => true],
    [500, 'The service failed; its log says why.', () => true],
    [503, 'Another process is writing to the data file, or the database does not answer.', () => true],
    [507, 'No space is left for the data file.', ({ method }) => method !== 'GET'],
  ];

/** Whether an operation is a read whose responses have an ETag. */
function isCached({ method, path }: Operation): boolean {
  return method === 'GET' && /^\/(?:article|category|source)\b/.test(path);
}

/** Whether an operation changes or deletes a record. */
function isChange({ method }: Operation): boolean {
  return method === 'PATCH' || method === 'DELETE';
}

/** Whether an operation returns the record that it created or changed. */
function isWrite({ method, path }: Operation): boolean {
  return method === 'PATCH' || (method === 'POST' && !path.includes(':'));
}

function hasParameters(query: z.ZodType): boolean {
  return query instanceof z.ZodObject && Object.keys(query.shape).length > 0;
}

function header(description: string, type: 'string' | 'integer'): Json {
  return { description, schema: { type } };
}

const headers = {
  etag: { ETag: header('Changes with the response; send it as `If-None-Match`.', 'string') },
  newTag: { ETag: header('Changes with the record; send it as `If-Match`.', 'string') },
  retryAfter: { 'Retry-After': header('Seconds to wait.', 'integer') },
};

const errorAnswer = z
  .strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) })
  .meta({ id: 'Error' });

/** OpenAPI 3.1 document of the service, from the schemas that validate its requests. */
export function makeOpenApi(): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const { path, otherPath = null, method } = operation;
    const described = describe(name, operation, schemas);
    const add = (given: string, description: Json): void => {
      const template = given.replaceAll(/:(\w+)/g, '{$1}');
      paths[template] = { ...paths[template], [method.toLowerCase()]: description };
    };
    add(path, described);
    // Operation ids are unique.
    if (otherPath !== null) add(otherPath, { ...described, operationId: `${name}AtOtherPath` });
  }
  toSchema(errorAnswer, 'output', schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern knowledge-base service',
      version: '1',
      description:
        'Articles and categories in many languages, search, view statistics and a source page for chatbots.',
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }, { query: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        query: { type: 'apiKey', in: 'query', name: 'key' },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(name: OperationName, operation: Operation, schemas: Record<string, Json>): Json {
  return {
    operationId: name,
    summary: operation.summary,
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation, schemas),
      ...headerParameters(operation),
    ],
    ...(operation.body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toSchema(operation.body, 'input', schemas) } },
          },
        }),
    responses: {
      200: {
        description: 'Done.',
        ...(isCached(operation) ? { headers: headers.etag } : {}),
        ...(isWrite(operation) ? { headers: headers.newTag } : {}),
        content: { 'application/json': { schema: toSchema(operation.answer, 'output', schemas) } },
      },
      ...(isCached(operation)
        ? {
            304: {
              description: 'The response still has the ETag of `If-None-Match`.',
              headers: headers.etag,
            },
          }
        : {}),
      ...Object.fromEntries(
        failures
          .filter(([, , applies]) => applies(operation))
          .map(([status, description]) => [
            status,
            {
              description,
              ...(status === 429 || status === 503 ? { headers: headers.retryAfter } : {}),
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
            },
          ]),
      ),
    },
  };
}

function pathParameters(operation: Operation): readonly Json[] {
  return Array.from(operation.path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryParameters(operation: Operation, schemas: Record<string, Json>): readonly Json[] {
  const schema = toSchema(operation.query, 'input', schemas) as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(schema.properties ?? {})
    .filter(([, { isUndocumented }]) => isUndocumented !== true)
    .map(([name, { description, parameter, ...property }]) => ({
      name,
      in: 'query',
      required: schema.required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema: parameter ?? property,
    }));
}

function headerParameters(operation: Operation): readonly Json[] {
  const parameter = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  if (isChange(operation)) return [parameter('If-Match', 'ETag that the record must have.')];
  return isCached(operation) ? [parameter('If-None-Match', 'ETag of an earlier response.')] : [];
}

/** The JSON Schema of a schema; a schema with an id is moved to `components` and referenced. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    // The format is enough; the generated pattern is unreadable.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  }) as {
    readonly $schema?: string;
    readonly $defs?: Readonly<Record<string, Json>>;
  };
  const text = JSON.stringify({ json, defs: $defs ?? {} }).replaceAll('#/$defs/', '#/components/schemas/');
  const result = JSON.parse(text) as {
    readonly json: Json & { readonly id?: string };
    readonly defs: Record<string, Json>;
  };
  Object.assign(schemas, result.defs);
  const { id, ...rest } = result.json;
  if (id === undefined) return rest;
  schemas[id] = rest;
  return { $ref: `#/components/schemas/${id}` };
}
