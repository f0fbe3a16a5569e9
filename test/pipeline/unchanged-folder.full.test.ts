import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { inSnapshot, snapshotFile } from '../support/snapshot.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const html = (title: string, text: string) =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

it.each([
  [
    'a built site',
    'site',
    'docs/a/index.html',
    {
      'docs/a/index.html': html('A', 'One.'),
      'docs/b/index.html': html('B', 'Two.'),
      'docs/c/index.html': html('TOPSECRET', 'Hidden.').replace(
        '<title>',
        '<meta name="robots" content="noindex"><title>',
      ),
    },
  ],
  [
    'a folder of Markdown',
    'folder',
    'docs/a.md',
    {
      'docs/a.md': '# A\n\nOne.',
      'docs/b.md': '---\nunpublish_at: "END"\n---\n# B\n\nTwo.',
      'docs/c.md': '---\ndraft: true\ntitle: TOPSECRET\n---\nHidden.',
    },
  ],
] as const)(
  'does not read %s again as long as no file changes, and notices a change that keeps size and time',
  { timeout: 60_000 },
  async (_what, kind, edited, files) => {
    const folder = temporaryFolder();
    // A page ends after the runs before that.
    const end = Date.now() + 8000;
    const texts = Object.entries(files).map(([path, text]) => [
      path,
      text.replace('END', new Date(end).toISOString()),
    ]);
    writeTree(folder, Object.fromEntries(texts));
    const cache = join(folder, '.lectern');
    const config = { siteUrl: 'https://docs.example.com', source: { kind, path: './docs' } } as const;
    const run = () => build(config, { folder, apiKey: '', allowMassDelete: true });
    const readAt = () => statSync(snapshotFile(cache)).mtimeMs;
    await run();
    const first = readAt();
    // The files changed directly before they were read, so another change could have the same time.
    await run();
    expect(readAt()).toBeGreaterThan(first);
    await setTimeout(3100);
    await run();
    const settled = readAt();
    for (let time = 0; time < 2; time += 1)
      expect(await run()).toMatchObject({ articles: 2, changes: 0, renderedPages: 0 });
    expect(readAt()).toBe(settled);
    inSnapshot(cache, (db) =>
      expect(JSON.stringify(db.prepare('SELECT * FROM file').all())).not.toContain('TOPSECRET'),
    );

    const path = join(folder, edited);
    const { atime, mtime } = statSync(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('One.', 'Six.'));
    utimesSync(path, atime, mtime);
    expect(await run()).toMatchObject({ changes: 1, renderedPages: 1 });
    if (kind === 'site') return;
    await setTimeout(end - Date.now() + 100);
    expect(await run()).toMatchObject({ articles: 1 });
  },
);
