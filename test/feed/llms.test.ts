import { describe, expect, it } from 'vitest';
import {
  formatLlmsTxt,
  type LlmsFile,
  safeName,
  safeTitle,
  safeUrl,
} from '../../src/feed/llms/llms-sections.ts';
import { fc } from '../support/properties.ts';
import { buildSample } from './support/build-sample.ts';
import { parseLlmsTxt } from './support/parse-llms-txt.ts';
import type { SampleArticle, SampleSite } from './support/sample-plan.ts';

const file: LlmsFile = {
  title: 'Help',
  summary: 'All about it.',
  paragraphs: ['One paragraph.'],
  sections: [{ name: 'Start', links: [{ title: 'A', url: 'https://x.example/a', description: 'First.' }] }],
  optional: [{ title: 'More', url: 'https://x.example/more', description: '' }],
};

describe('formatLlmsTxt', () => {
  it('writes what the specification describes', () => {
    expect(formatLlmsTxt(file)).toMatchInlineSnapshot(`
      "# Help

      > All about it.

      One paragraph.

      ## Start

      - [A](https://x.example/a): First.

      ## Optional

      - [More](https://x.example/more)
      "
    `);
  });

  it('is read back exactly by the reference parser, whatever titles, names and URLs contain', {
    tags: 'property',
  }, () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom(
        '[WIP] Reset',
        '## Optional',
        '# x',
        'a\nb',
        '\ufeffx',
        '- [a](b)',
        'Optional ',
        '](',
        '\r\n## x',
      ),
    );
    const link = fc.record({
      title: text,
      url: fc.oneof(fc.webUrl(), fc.constantFrom('https://x.example/a_(b)', '/en/a(1)/')),
      description: text,
    });
    const sections = fc.array(
      fc.record({ name: text, links: fc.array(link, { minLength: 1, maxLength: 3 }) }),
      {
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(text, text, sections, (title, summary, sections) => {
        fc.pre(/\S/.test(title.replaceAll('\ufeff', '')) && /\S/.test(summary.replaceAll('\ufeff', '')));
        const output = formatLlmsTxt({ ...file, title, summary, sections });
        const parsed = parseLlmsTxt(output);
        const names = [...parsed.sections.keys()];
        expect(names).toHaveLength(sections.length + 1);
        expect(names.at(-1)).toBe('Optional');
        for (const [at, { name, links }] of sections.entries()) {
          expect(names[at]?.startsWith(safeName(name))).toBe(true);
          expect(parsed.sections.get(names[at] ?? '')?.map(({ title, url }) => [title, url])).toEqual(
            links.map(({ title, url }) => [safeTitle(title), safeUrl(url)]),
          );
        }
        expect(parsed.summary).not.toBeNull();
        expect(output).not.toMatch(/\r|\ufeff/);
      }),
    );
  });
});

describe('the llms.txt files of a site', () => {
  const article = (at: number, categoryId: string | null): SampleArticle => ({
    id: `article${String(at).padStart(3, '0')}`,
    categoryId,
    pages: {
      en: {
        title: `How to ${at} [new]`,
        markdown: `Do step ${at}. ${'More words follow here. '.repeat(9)}\n`,
      },
      ...(at === 0 ? { de: { title: 'So geht 0', markdown: 'Mach Schritt 0.\n' } } : {}),
    },
  });
  const site = (count: number): SampleSite => ({
    languages: ['en', 'de'],
    categories: [
      { id: 'cat1', titles: { en: 'Account', de: 'Konto' } },
      { id: 'cat2', parentId: 'cat1', titles: { en: 'Account' } },
      { id: 'cat3', titles: { en: 'Devices' } },
    ],
    articles: Array.from({ length: count }, (_, at) =>
      article(at, ['cat1', 'cat2', 'cat3', null][at % 4] ?? null),
    ),
  });

  it('are at the root if there is one language', async () => {
    const { languages: _, ...one } = site(4);
    const output = await buildSample({ ...one, languages: ['en'] });
    expect(output.paths().filter((path) => /llms/.test(path))).toEqual(['llms-full.txt', 'llms.txt']);
    const { sections } = parseLlmsTxt(output.text('llms.txt'));
    expect([...sections.keys()]).toEqual([
      'Account',
      'Account / Account',
      'Devices',
      'More articles',
      'Optional',
    ]);
    expect(sections.get('Optional')?.map(({ url }) => url)).toEqual([
      'https://help.example.com/llms-full.txt',
      'https://help.example.com/feed/manifest.json',
    ]);
    expect(output.text('llms-full.txt')).not.toContain('Other languages');
  });

  it('list the languages at the root and the articles by category below', async () => {
    const output = await buildSample(site(4));
    const root = parseLlmsTxt(output.text('llms.txt'));
    expect(root.sections.get('Languages')?.map(({ url }) => url)).toEqual([
      'https://help.example.com/en/llms.txt',
      'https://help.example.com/de/llms.txt',
    ]);
    const english = parseLlmsTxt(output.text('en/llms.txt'));
    expect([...english.sections].map(([name, links]) => [name, links.map(({ title }) => title)])).toEqual([
      ['Account', ['How to 0 (new)']],
      ['Account / Account', ['How to 1 (new)']],
      ['Devices', ['How to 2 (new)']],
      ['More articles', ['How to 3 (new)']],
      ['Optional', ['Full text', 'Other languages']],
    ]);
    expect([...parseLlmsTxt(output.text('de/llms.txt')).sections.keys()]).toEqual(['Konto', 'Optional']);
  });

  it('are split by top-level category over the budget, every file within it and describing itself', async () => {
    const output = await buildSample(site(120), { settings: { llmsChars: 3000 } });
    const files = output.paths().filter((path) => /^en\/llms(\/.*)?\.txt$|^en\/llms\//.test(path));
    expect(files).toContain('en/llms/2.txt');
    const titles = files.flatMap((path) => {
      const text = output.text(path);
      expect(text.length).toBeLessThanOrEqual(3000);
      const { title, summary, sections } = parseLlmsTxt(text);
      expect([title, summary]).not.toContain(null);
      return [...sections].flatMap(([name, links]) =>
        name === 'Optional' || name === 'Categories' ? [] : links.map((link) => link.title),
      );
    });
    expect(titles).toHaveLength(120);
    const index = parseLlmsTxt(output.text('en/llms.txt')).sections.get('Categories');
    expect(index?.map(({ url }) => url.replace('https://help.example.com/', ''))).toEqual(
      expect.arrayContaining(files.filter((path) => path !== 'en/llms.txt')),
    );
  });
});
