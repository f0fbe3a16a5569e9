import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLectern, type SeededService, serveSeed } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const record = (article_id: string, rest: object = {}) => ({
  article_id,
  title: 'Reset your password',
  body: '<p>Press reset.</p>',
  is_published: true,
  is_private: false,
  multilingual: [],
  ...rest,
});

describe('lectern build with bad input', () => {
  let folder: string;
  let service: SeededService;

  const build = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    runLectern(['build', ...args], { cwd: folder, env });

  beforeAll(async () => {
    folder = temporaryFolder();
    const slugs = ['../../etc/passwd', 'con', '.', 'x'.repeat(300), '🎉', ''];
    const articles = slugs.map((slug, index) => record(`article00${index}`, { slug }));
    await writeFile(join(folder, 'seed.json'), JSON.stringify({ articles, categories: [] }));
    service = await serveSeed('seed.json', folder);
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('gives every unusual slug a separate safe path, inside the output', async () => {
    const { code } = await build(['--site-url', 'https://help.example.com'], service.env);
    expect(code).toBe(0);
    const pages = [...(await readTree(join(folder, 'dist'))).keys()].filter((path) =>
      /^en\/article\/.*\/index\.html$/.test(path),
    );
    expect(pages.map((path) => path.replace(/x{2,}/, 'x…'))).toEqual([
      'en/article/article000-etc-passwd/index.html',
      'en/article/article001-con/index.html',
      'en/article/article002-reset-your-password/index.html',
      'en/article/article003-x…/index.html',
      'en/article/article004-reset-your-password/index.html',
      'en/article/article005-reset-your-password/index.html',
    ]);
    for (const path of pages)
      for (const segment of path.split('/')) expect(Buffer.byteLength(segment)).toBeLessThan(256);
  });

  it('names the refused request for a wrong key, exits with 1, and leaves the output unchanged', async () => {
    const before = await readTree(join(folder, 'dist'));
    const { code, stderr, stdout } = await build([], {
      ...service.env,
      LECTERN_API_KEY: 'wrong-key-0000000000000000',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/401/);
    expect(stderr).toContain(service.baseUrl);
    expect(stderr).toMatch(/LECTERN_API_KEY/);
    expect(stderr + stdout).not.toContain('wrong-key');
    expect(await readTree(join(folder, 'dist'))).toEqual(before);
  });

  it('names the pattern that leads into a folder of its own, and leaves the output unchanged', async () => {
    const before = await readTree(join(folder, 'dist'));
    await writeFile(join(folder, 'flat.json'), JSON.stringify({ urls: { article: 'feed/{slug}' } }));
    const { code, stderr } = await build(['--config', 'flat.json'], service.env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/OUTPUT_CONFLICT: article article\d+ \(en\) has the path feed\//);
    expect(await readTree(join(folder, 'dist'))).toEqual(before);
  });

  it('fails a strict run on a warning and publishes nothing', async () => {
    const { code, stderr } = await build(['--strict', '--out', 'strict'], service.env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/STRICT/);
    await expect(readTree(join(folder, 'strict'))).rejects.toThrow();
  });
});
