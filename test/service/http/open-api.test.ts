import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../support/make-open-api.ts';
import { startTestService } from '../support/service.ts';

describe('the OpenAPI document', () => {
  it('is committed as docs/openapi.json exactly as it is generated', async () => {
    await expect(`${JSON.stringify(makeOpenApi(), null, 2)}\n`).toMatchFileSnapshot(
      '../../../docs/openapi.json',
    );
  });

  it('is served at /v1/openapi.json', async () => {
    const service = await startTestService();
    expect((await service.call('/openapi.json')).json).toEqual(JSON.parse(JSON.stringify(makeOpenApi())));
  });

  it('refers only to schemas that it contains', () => {
    const text = JSON.stringify(makeOpenApi());
    const { schemas } = (makeOpenApi() as { components: { schemas: object } }).components;
    const references = Array.from(
      text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
      ([, name]) => name,
    );
    expect(references.filter((name) => name === undefined || !(name in schemas))).toEqual([]);
    expect(text).not.toContain('$defs');
  });

  it('types the parameters of a query, with their bounds', () => {
    const { paths } = makeOpenApi() as {
      paths: Record<string, Record<string, { parameters: { name: string; schema: unknown }[] }>>;
    };
    const schemaOf = (path: string, name: string) =>
      paths[path]?.get?.parameters.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf('/search', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100 });
    expect(schemaOf('/stats/article', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000 });
    expect(schemaOf('/article', 'skip')).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999 });
    expect(schemaOf('/article', 'include_body')).toEqual({ type: 'boolean' });
  });

  it('gives every operation the answers it has, and no other', () => {
    const { paths } = makeOpenApi() as { paths: Record<string, Record<string, { responses: object }>> };
    const statuses = (path: string, method: string) =>
      Object.keys(paths[path]?.[method]?.responses ?? {}).join(' ');
    expect(statuses('/article', 'get')).toBe('200 304 400 401 412 429 500 503');
    expect(statuses('/article', 'post')).toBe('200 400 401 409 413 415 429 500 503 507');
    expect(statuses('/article/{article_id}', 'get')).toBe('200 304 400 401 404 412 429 500 503');
    expect(statuses('/article/{article_id}', 'delete')).toBe('200 400 401 404 412 429 500 503 507');
    expect(statuses('/category', 'get')).toBe('200 304 401 412 429 500 503');
  });
});
