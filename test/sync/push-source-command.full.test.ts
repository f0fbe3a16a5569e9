import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/source/api/client.ts';
import { startTestService } from '../service/support/service.ts';
import { page, writeTree } from '../support/folder-layouts.ts';
import { finish, runLectern, startLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';

const count = 60;

async function openProject() {
  const cwd = mkdtempSync(join(tmpdir(), 'lectern-push-source-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
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
  const env = { LECTERN_TO_API_KEY: service.apiKey, NODE_EXTRA_CA_CERTS: service.caFile ?? '' };
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, ca: [service.ca ?? ''] });
  onTestFinished(() => client.close());
  const args = ['push', '--from', 'folder:docs', '--languages', 'en,de', '--to', service.baseUrl];
  return { cwd, env, client, service, args };
}

describe('lectern push --from', () => {
  it('changes nothing with --dry-run', async () => {
    const { cwd, env, client, args } = await openProject();
    const shown = await runLectern([...args, '--dry-run', '--report', 'report.json'], { cwd, env });
    expect(shown.code).toBe(0);
    expect(shown.stdout.match(/^\+ article/gm)).toHaveLength(count);
    expect(shown.stderr).toContain(`${count + 1} records would be created or changed`);
    expect(shown.stderr).toContain(
      'Skipped: 1 draft, 1 hidden translation, 1 translation in other languages',
    );
    expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
      skipped: { draft: 1, 'hidden-translation': 1, 'other-language-translation': 1 },
      problems: expect.arrayContaining([
        expect.objectContaining({ code: 'SYNC_SKIPPED' }),
        expect.objectContaining({
          code: 'SYNC_TRANSLATION_SKIPPED',
          language: 'de',
          message: expect.stringContaining('not public'),
        }),
        expect.objectContaining({
          code: 'SYNC_TRANSLATION_SKIPPED',
          language: 'fr',
          message: expect.stringContaining('languages'),
        }),
      ]),
    });
    expect(await client.listArticles()).toEqual([]);
    const refused = await runLectern(args, { cwd, env: { NODE_EXTRA_CA_CERTS: env.NODE_EXTRA_CA_CERTS } });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('LECTERN_TO_API_KEY is not set'),
    ]);
  });

  it('that is killed again and again goes on, creates nothing twice, and the site is that of the source', async () => {
    const { cwd, env, client, service, args } = await openProject();
    for (const killAt of [1, 30]) {
      const child = startLectern(args, { cwd, env });
      const finished = finish(child);
      while ((await client.listArticles()).length < killAt && child.exitCode === null)
        await Promise.resolve();
      child.kill('SIGKILL');
      await finished;
    }
    const last = await runLectern(args, { cwd, env });
    expect([last.code, last.stderr]).toEqual([0, expect.stringContaining(' created, ')]);
    const articles = await client.listArticles({ include_body: true });
    expect(articles).toHaveLength(count);
    expect(new Set(articles.map(({ title }) => title)).size).toBe(count);
    expect(JSON.stringify(articles)).not.toContain('TOPSECRET');
    const again = await runLectern(args, { cwd, env });
    expect(again.stderr).toContain('0 records created, 0 records changed');

    // The pages of the source would keep the paths of their files, which the service does not know.
    const urls = { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' };
    writeFileSync(join(cwd, 'lectern.config.json'), JSON.stringify({ urls }));
    const ofSource = await runLectern(
      ['build', '--source', 'folder:docs', '--languages', 'en,de', '--out', 'a', '--quiet'],
      {
        cwd,
        env,
      },
    );
    const ofTarget = await runLectern(
      ['build', '--base-url', service.baseUrl, '--out', 'b', '--cache', '.b', '--quiet'],
      {
        cwd,
        env: { ...env, LECTERN_API_KEY: service.apiKey },
      },
    );
    expect([ofSource.stderr, ofTarget.stderr, ofSource.code, ofTarget.code]).toEqual(['', '', 0, 0]);
    const pagesOf = async (out: string) =>
      Object.fromEntries(
        [...(await readTree(join(cwd, out, 'en', 'article')))].map(([path, text]) => [path, String(text)]),
      );
    expect(await pagesOf('b')).toEqual(await pagesOf('a'));
  });
});
