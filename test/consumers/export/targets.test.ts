import { beforeAll, describe, expect, it } from 'vitest';
import { type TargetItem, targetNames } from '../../../src/consumers/export/target.ts';
import { pgvector } from '../../../src/consumers/export/targets/pgvector.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { MemoryOutput } from '../../feed/support/memory-output.ts';
import type { SampleSite } from '../../feed/support/sample-plan.ts';
import { openExports } from './support/export-sample.ts';
import { type PlatformStore, platforms } from './support/platforms.ts';

let exports: ReturnType<typeof openExports>;
let published: MemoryOutput;
/** The same after a translation was withdrawn. */
let withdrawn: MemoryOutput;
beforeAll(async () => {
  exports = openExports();
  published = await buildSample(site);
  const [ink, odd] = site.articles;
  if (ink === undefined || odd === undefined) throw new Error('the sample has two articles');
  const { de: _withdrawn, ...pages } = ink.pages;
  withdrawn = await buildSample({ ...site, articles: [{ ...ink, pages }, odd] }, { previous: published });
});

/** Text that is read wrongly wherever an escape is missing. */
const awkward = '\\\\N \\\\. it\'s "quoted" <b>&amp;</b> $1 a\tb – 日本語 😀';

const site: SampleSite = {
  languages: ['en', 'de'],
  categories: [
    { id: 'printing', titles: { en: 'Printing', de: 'Drucken' } },
    { id: 'ink', parentId: 'printing', titles: { en: 'Ink', de: 'Tinte' } },
  ],
  articles: [
    {
      id: 'inkKJ7dn3a',
      categoryId: 'ink',
      tags: ['ink', 'colour'],
      updatedAt: '2026-03-01T10:00:00Z',
      description: 'How to change the ink.',
      pages: {
        en: {
          title: 'Change the ink',
          markdown: `Open the lid.\n\n## Take out\n\n${'Pull the old cartridge out of its slot. '.repeat(12)}\n\n> [!WARNING]\n> Ink stains.\n\n## Put in\n\n${'Push the new one in. '.repeat(24)}\n\n| Colour | Slot |\n|---|---|\n| Black | 1 |\n`,
        },
        de: { title: 'Tinte wechseln', markdown: 'Klappe öffnen, Patrone tauschen.\n' },
      },
    },
    {
      id: 'odd0000001',
      pages: {
        en: {
          title: `Odd ${awkward}`,
          markdown: `Text with ${awkward}\n\n\`\`\`\nSELECT '\\\\N';\n\\\\.\n\`\`\`\n`,
        },
      },
    },
  ],
};

/** A passage with this text, and nothing else. */
const passageOf = (text: string) => ({
  ...{ id: 'a-1', text, tokens: 1, document_id: 'a', article_id: 'a', language: 'en', title: '', url: '/' },
  ...{ category_path: [], heading_path: [], tags: [], updated_at: null, position: 0, flags: [] },
});

const textTargets = targetNames.filter((name) => name !== 'parquet');

describe.each(textTargets)('an export to %s', (target) => {
  it('has the files and fields of the platform', async () => {
    const { files, report } = await exports.run(target, published);
    const shown = [...files].map(([path, content]) => `=== ${path}\n${content}`);
    await expect(shown.join('\n')).toMatchFileSnapshot(`golden/${target}.txt`);
    expect(report.problems).toEqual([]);
    expect(files.has(report.files[0] ?? 'export.json')).toBe(true);
  });

  it('is the same whenever it is made', async () => {
    const first = await exports.run(target, published);
    const second = await exports.run(target, published);
    expect(second.files).toEqual(first.files);
  });
});

describe.each(textTargets.filter((name) => name !== 'jsonl'))('a push to %s', (target) => {
  it('sends only changes and deletes', async () => {
    const cursor = `${exports.folder}/${target}-deletes.jsonl`;
    const store: PlatformStore = new Map();
    platforms[target]((await exports.push(target, published, { cursor })).files, store);
    const ids = [...store.keys()];
    const { files, report } = await exports.push(target, withdrawn, { cursor, allowMassDelete: true });
    platforms[target](files, store);
    expect(report).toMatchObject({ full: false, seq: 2 });
    expect(report.deletes).toBeGreaterThan(0);
    expect([...files].join('\n')).not.toContain('odd0000001');
    const gone = ids.filter((id) => !store.has(id));
    expect(gone.length).toBeGreaterThanOrEqual(report.deletes);
    const again = await exports.push(target, withdrawn, { cursor });
    expect(again.report).toMatchObject({ upserts: 0, updates: 0, deletes: 0 });
  });
});

it('an export to pgvector has texts that name the escape of NUL, and none of NUL itself', async () => {
  const markdown = 'Write `\\u0000` in JSON.\n';
  const named = await buildSample({
    languages: ['en'],
    articles: [{ id: 'nul0000001', pages: { en: { title: 'Escapes', markdown } } }],
  });
  const store: PlatformStore = new Map();
  platforms.pgvector((await exports.run('pgvector', named)).files, store);
  expect([...store.values()]).toMatchObject([{ text: 'Escapes\n\nWrite `\\u0000` in JSON.' }]);
  const passage = { ...passageOf('a\0b\\u0000c'), tags: ['\0d'] };
  const { entry } = pgvector.item(passage) as TargetItem;
  expect(JSON.parse(entry)).toMatchObject({ text: 'ab\\u0000c', tags: ['d'] });
});
