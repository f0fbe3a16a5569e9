import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { openSiteProject, sitePage, siteUrl } from '../pipeline/support/built-site.ts';
import { png } from '../site/media/images.ts';
import { recordsIn } from '../support/feed-records.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';

const german =
  '<link rel="alternate" hreflang="de" href="/de/guide/install.html"><link rel="alternate" hreflang="en" href="/guide/install.html">';

const site: Readonly<Record<string, string>> = {
  'index.html': sitePage(
    'Welcome',
    '<p>Welcome. Read <a href="/guide/install.html#stepTwo">step two</a>, or <a href="/reference/">all commands</a>.</p>',
  ),
  'guide/install.html': sitePage(
    'Install: the short way',
    `<p>Run the <strong>installer</strong>, then look at <img src="../img/window.png" alt="the window">.</p>
     <h2 id="stepTwo">Step two</h2><ol><li>Restart.</li><li>Sign in.</li></ol>
     <pre><code class="language-sh">npm install example   # twice
</code></pre><h2 id="questions">Questions?</h2><blockquote><p>Nobody asked.</p></blockquote>`,
    `<meta name="description" content="Two steps.">${german}`,
  ),
  'de/guide/install.html': sitePage(
    'Installieren',
    '<p>Das Programm starten. <img src="/img/window.png" alt="Das Fenster"></p><h2 id="stepTwo">Schritt zwei</h2><p>Neu starten.</p>',
    german,
    'de',
  ),
  'reference/index.html': sitePage(
    'Commands',
    '<table><thead><tr><th>Command</th><th>What it does</th></tr></thead><tbody><tr><td><code>a | b</code></td><td>Both, one after the other</td></tr></tbody></table>',
  ),
  'secret.html': sitePage('Secret', '<p>TOPSECRET</p>', '<meta name="robots" content="noindex">'),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `more/${at}.html`,
      sitePage(`More ${at}`, `<p>Text number ${at}.</p>`),
    ]),
  ),
};

function openProject() {
  const project = openSiteProject();
  const { folder } = project;
  const image = png(40, 30);
  const generate = (files: Readonly<Record<string, string>>): void => {
    project.generate(files);
    mkdirSync(join(project.site, 'img'), { recursive: true });
    writeFileSync(join(project.site, 'img/window.png'), image);
  };
  generate(site);
  const run = (...args: string[]) => runLectern(args, { cwd: folder });
  return {
    folder,
    image,
    generate,
    run,
    pull: (...flags: string[]) => run('pull', 'kb', '--source', 'site:build', ...flags),
    read: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    write: (path: string, text: string) => writeTree(folder, { [path]: text }),
  };
}

/** Documents of both languages by language and URL, without the slash at its end. */
function readDocuments(read: (path: string) => string, out: string): ReadonlyMap<string, DocumentRecord> {
  const records = ['en', 'de'].flatMap((tag) =>
    recordsIn<DocumentRecord>(read(`${out}/feed/${tag}/documents.jsonl`)),
  );
  return new Map(
    records.map((one) => [`${one.language} ${one.url.slice(siteUrl.length).replace(/\/$/, '')}`, one]),
  );
}

const wordsOf = (text: string): readonly string[] =>
  text.replaceAll(/\]\([^)]*\)/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];

describe('lectern pull of a built site', () => {
  it('writes a folder of Markdown, which a build publishes at the same URLs with the same words and ids', async () => {
    const { run, pull, read, folder, image } = openProject();
    const pulled = await pull();
    expect([pulled.code, pulled.stderr]).toEqual([
      0,
      expect.stringContaining('Source: 12 articles: 11 published, 1 skipped'),
    ]);
    expect(read('kb/guide/install.md')).toMatchInlineSnapshot(`
      "---
      title: "Install: the short way"
      description: Two steps.
      permalink: /guide/install.html
      article_id: 1Qyi327U1S
      ---

      Run the **installer**, then look at ![the window](../img/window.png).

      ## Step two {#stepTwo}

      1. Restart.
      2. Sign in.

      \`\`\`sh
      npm install example   # twice
      \`\`\`

      ## Questions?

      > Nobody asked.
      "
    `);
    expect(read('kb/index.md')).toContain('[step two](guide/install.md#stepTwo)');
    expect(readFileSync(join(folder, 'kb/img/window.png')).equals(image)).toBe(true);
    const fed = await run('feed', 'build', '--site-url', siteUrl);
    expect([fed.code, fed.stderr]).toEqual([0, expect.any(String)]);
    const built = await run('build', '--source', 'kb', '--site-url', siteUrl, '--strict', '--out', 'new');
    expect([built.code, built.stdout + built.stderr]).toEqual([0, expect.any(String)]);
    const before = readDocuments(read, 'build');
    const after = readDocuments(read, 'new');
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [key, old] of before) {
      const now = after.get(key);
      expect([key, now?.id, now?.title]).toEqual([key, old.id, old.title]);
      expect([key, wordsOf(now?.markdown ?? '')]).toEqual([key, wordsOf(old.markdown)]);
    }
    expect(read('new/guide/install.html')).toMatch(/id="(?:h-)?stepTwo"/);
    expect(`${pulled.stdout}${[...after.values()].map(({ markdown }) => markdown).join('')}`).not.toContain(
      'TOPSECRET',
    );
  });

  it('writes what changed in the site, removes what is gone, and keeps edits of the folder', async () => {
    const { pull, read, write, generate, folder } = openProject();
    await pull();
    expect((await pull()).stderr).toContain('0 files written or removed');
    write('kb/reference/index.md', `${read('kb/reference/index.md')}\nMine.\n`);
    rmSync(join(folder, 'kb/more/1.md'));
    const { 'more/0.html': _, ...rest } = site;
    generate({ ...rest, 'more/2.html': sitePage('More 2', '<p>Another text.</p>') });
    const planned = await pull('--dry-run');
    expect(planned.stdout).toBe('~ more/2.md\n- more/0.md\n');
    expect(planned.stderr).toContain('2 files edited or removed in the folder (not written again)');
    expect((await pull()).code).toBe(0);
    expect(read('kb/more/2.md')).toContain('Another text.');
    expect(read('kb/reference/index.md')).toContain('Mine.');
    generate({ ...rest, 'reference/index.html': sitePage('Commands', '<p>None.</p>') });
    const conflict = await pull();
    expect([conflict.code, conflict.stdout]).toEqual([1, expect.stringContaining('! reference/index.md\n')]);
    expect(conflict.stderr).toContain('CONFLICT');
    expect(read('kb/reference/index.md')).toContain('Mine.');
    expect((await pull('--theirs')).code).toBe(0);
    expect(read('kb/reference/index.md')).toContain('None.');
  });

  it('stops before it removes a large part of the pages', async () => {
    const { pull, generate, read } = openProject();
    await pull();
    generate({ 'index.html': site['index.html'] ?? '' });
    const stopped = await pull();
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('MASS_DELETE')]);
    expect(stopped.stderr.replaceAll(/\s+/g, ' ')).toContain('else check that the site was built whole');
    expect(read('kb/more/3.md')).toContain('Text number 3.');
  });
});
