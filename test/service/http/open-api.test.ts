import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../../../src/service/http/open-api.ts';
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

  it('refers to no schema it does not hold', () => {
    const text = JSON.stringify(makeOpenApi());
    const { schemas } = (makeOpenApi() as { components: { schemas: object } }).components;
    const references = Array.from(
      text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
      ([, name]) => name,
    );
    expect(references.filter((name) => name === undefined || !(name in schemas))).toEqual([]);
    expect(text).not.toContain('$defs');
  });
});
