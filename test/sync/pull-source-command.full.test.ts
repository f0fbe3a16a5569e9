import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/source/api/client.ts';
import { startTestService } from '../service/support/service.ts';
import { page, writeTree } from '../support/folder-layouts.ts';
import { finish, runLectern, startLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = 24;

async function openProject() {
  const cwd = temporaryFolder();
  const pages = Array.from({ length: count }, (_, index) => [
    `docs/guide/page-${index}.md`,
    page(
      `title: Page ${index}\ndate: 2026-01-0${1 + (index % 9)}`,
      index === 7 ? 'The last.' : `See [next](page-${(index + 1) % count}.md).`,
    ),
  ]);
  writeTree(cwd, {
    ...Object.fromEntries(pages),
    'docs/guide/draft.md': page('title: D\ndraft: true', 'TOPSECRET'),
    'docs/guide/page-3.de.md': page('title: Geheim\ndraft: true', 'TOPSECRET'),
    'docs/guide/page-4.fr.md': page('title: Page quatre', 'Texte.'),
  });
  const service = await startTestService();
  const env = { LECTERN_API_KEY: service.apiKey, NODE_EXTRA_CA_CERTS: service.caFile ?? '' };
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, ca: [service.ca ?? ''] });
  onTestFinished(() => client.close());
  const pull = ['pull', 'kb', '--source', 'docs', '--languages', 'en,de'];
  const push = ['push', 'kb', '--base-url', service.baseUrl];
  return { cwd, env, client, service, pull, push };
}

describe('lectern pull --source and lectern push', () => {
  it('write nothing with --dry-run, and report what is not public', async () => {
    const { cwd, env, pull } = await openProject();
    const shown = await runLectern([...pull, '--dry-run', '--report', 'report.json'], { cwd, env });
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('would be written')]);
    expect(shown.stdout.match(/^\+ article/gm)).toHaveLength(count);
    expect(shown.stderr).toContain(`${count + 1} records would be written`);
    expect(shown.stderr).toContain(`Source: ${count + 1} articles: ${count} published, 1 skipped\n`);
    expect(shown.stderr).toContain(
      'Skipped: 1 draft, 1 hidden translation, 1 translation in other languages',
    );
    expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
      skipped: { draft: 1, 'hidden-translation': 1, 'other-language-translation': 1 },
      problems: expect.arrayContaining([
        expect.objectContaining({ code: 'SYNC_SKIPPED' }),
        expect.objectContaining({
          code: 'SYNC_SKIPPED',
          language: 'de',
          message: expect.stringContaining('not public'),
        }),
        expect.objectContaining({
          code: 'SYNC_SKIPPED',
          language: 'fr',
          message: expect.stringContaining('languages'),
        }),
      ]),
    });
    const json = await runLectern([...pull, '--dry-run', '--json'], { cwd, env });
    expect(JSON.parse(json.stdout)).toContainEqual(
      expect.objectContaining({ change: 'added', kind: 'article', title: expect.any(String) }),
    );
    expect(existsSync(join(cwd, 'kb'))).toBe(false);
    for (const [args, message] of [
      [['pull', 'docs/kb', '--source', 'docs'], 'is in the folder of the source'],
      [['pull', 'kb', '--languages', 'en'], '--languages needs --source'],
    ] as const) {
      const refused = await runLectern([...args], { cwd, env });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  it('that are killed again and again go on, create nothing twice, and the site is that of the source', async () => {
    const { cwd, env, client, service, pull, push } = await openProject();
    const pulling = startLectern(pull, { cwd, env });
    const pulled = finish(pulling);
    while (!existsSync(join(cwd, 'kb', 'articles')) && pulling.exitCode === null)
      await new Promise(setImmediate);
    pulling.kill('SIGKILL');
    await pulled;
    expect((await runLectern(pull, { cwd, env })).code).toBe(0);
    const files = await readTree(join(cwd, 'kb'));
    expect([...files.keys()].filter((path) => /^articles\/.*\/en\.md$/.test(path))).toHaveLength(count);
    expect([...files.values()].join('')).not.toContain('TOPSECRET');
    const same = await runLectern(pull, { cwd, env });
    expect([same.stdout, same.stderr]).toEqual(['', expect.stringContaining('0 records written')]);
    expect(await readTree(join(cwd, 'kb'))).toEqual(files);

    for (const killAt of [1, 12]) {
      const child = startLectern(push, { cwd, env });
      const finished = finish(child);
      while ((await client.listArticles()).length < killAt && child.exitCode === null)
        await Promise.resolve();
      child.kill('SIGKILL');
      await finished;
    }
    const last = await runLectern(push, { cwd, env });
    expect([last.code, last.stderr]).toEqual([0, expect.stringContaining(' changed')]);
    const articles = await client.listArticles({ include_body: true });
    expect(articles).toHaveLength(count);
    expect(new Set(articles.map(({ title }) => title)).size).toBe(count);
    const again = await runLectern(push, { cwd, env });
    expect([again.stdout, again.stderr]).toEqual(['', expect.stringContaining('0 records changed')]);
    expect((await runLectern(pull, { cwd, env })).stderr).toContain('0 records written');

    // The pages of the source would keep the paths of their files, which the service does not know.
    const urls = { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' };
    writeFileSync(join(cwd, 'lectern.config.json'), JSON.stringify({ urls }));
    const build = async (name: string, ...args: string[]) => {
      const out = ['--out', name, '--cache', `.${name}`, '--languages', 'en,de', '--quiet'];
      const built = await runLectern(['build', ...out, ...args], { cwd, env });
      expect([built.stderr, built.code]).toEqual(['', 0]);
      const tree = await readTree(join(cwd, name, 'en', 'article'));
      return Object.fromEntries([...tree].map(([path, text]) => [path, String(text)]));
    };
    const ofSource = await build('a', '--source', 'docs');
    expect(Object.keys(ofSource).length).toBeGreaterThanOrEqual(count);
    expect(await build('b', '--base-url', service.baseUrl)).toEqual(ofSource);
    expect(await build('c', '--source', 'kb')).toEqual(ofSource);
  });
});
