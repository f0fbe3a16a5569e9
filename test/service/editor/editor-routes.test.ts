import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../../src/service/keys.ts';
import { type Answer, callService, startTestService, type TestService } from '../support/service.ts';

/** A request outside of the API. */
const get = (service: TestService, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  callService({ ...service, baseUrl: new URL(service.baseUrl).origin }, path, { key: null, headers });

describe('the page for authors', () => {
  it('does not exist unless it is asked for', async () => {
    const service = await startTestService();
    for (const path of ['/editor', '/editor/', '/editor/editor.js', '/v1/editor/session']) {
      const answer = await callService({ ...service, baseUrl: new URL(service.baseUrl).origin }, path);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const preview = await service.call('/editor/preview', {
      method: 'POST',
      body: { language: 'en', body: '' },
    });
    expect(preview.status).toBe(404);
  });

  it('is a page without inline scripts and styles, whose files are all there, under a strict policy', async () => {
    const service = await startTestService({ editor: true });
    const page = await get(service, '/editor/');
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/);
    const policy = page.headers['content-security-policy'];
    expect(policy).toMatchInlineSnapshot(
      `"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; media-src https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default dompurify lectern-inert"`,
    );
    const wanted = new Set([...page.text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, name = '']) => name));
    for (const name of wanted) {
      const answer = await get(service, `/editor/${name}`);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      for (const [, other = ''] of answer.text.matchAll(/^import .*'\.\/([\w-]+\.js)';$/gm))
        wanted.add(other);
    }
    expect([...wanted]).toContain('squire.js');
    expect([...wanted]).toContain('purify.js');
  });

  it('leads to its folder, knows its files by their tags, and has no others', async () => {
    const service = await startTestService({ editor: true });
    expect((await get(service, '/editor')).headers.location).toBe('editor/');
    const first = await get(service, '/editor/editor.css');
    const again = await get(service, '/editor/editor.css', { 'if-none-match': String(first.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
    for (const path of [
      '/editor/nothing.js',
      '/editor/../package.json',
      '/editor/%2e%2e/package.json',
      '/editor/constructor',
    ])
      expect([path, (await get(service, path)).status]).toEqual([path, 401]);
  });

  it('says what a key may do, and lets one that may only read see the preview', async () => {
    const service = await startTestService({
      editor: true,
      defaultLanguage: 'de',
      siteUrl: 'https://help.example.com',
    });
    const { key } = await createKey(service.data, 'reader', 'read', null);
    expect((await service.call('/editor/session', { key })).json).toEqual({
      access: 'read',
      defaultLanguage: 'de',
      siteUrl: 'https://help.example.com',
    });
    const body = {
      language: 'ar',
      body: '<h1>A</h1><script>x()</script><img src="/a.png" onerror="x()" alt="a">',
    };
    const preview = await service.call('/editor/preview', { method: 'POST', body, key });
    expect(preview.json.html).toBe('<h2 id="a">A</h2><img src="https://help.example.com/a.png" alt="a">');
    expect(preview.json.direction).toBe('rtl');
    expect((await service.call('/editor/preview', { method: 'POST', body, key: null })).status).toBe(401);
    expect((await service.call('/editor/preview', { method: 'POST', body: { body: '' } })).status).toBe(400);
    const counting = await createKey(service.data, 'site', 'count', null);
    expect((await service.call('/editor/session', { key: counting.key })).json.error.code).toBe(
      'count_only_key',
    );
  });

  it('is not part of the API', () => {
    expect(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')).not.toContain(
      '/editor',
    );
  });
});
