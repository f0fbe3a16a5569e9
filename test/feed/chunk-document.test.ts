import { describe, expect, it } from 'vitest';
import { feedSettings } from '../../src/config/feed-settings.ts';
import { type ChunkCut, chunkDocument } from '../../src/feed/chunk-document.ts';
import { loadTokenCounter } from '../../src/feed/tokens.ts';
import { fc, runs } from '../support/properties.ts';
import { documentOf } from './support/build-sample.ts';

const countTokens = await loadTokenCounter();
const { chunks: settings } = feedSettings.parse({});
const words =
  'open the settings page then choose account security backup device network printer label order'.split(' ');

/** A paragraph of some tokens that differs by its seed. */
function paragraph(seed: number, tokens = 60): string {
  return Array.from({ length: tokens }, (_, at) => words[(seed * 7 + at * (seed % 5 || 3)) % words.length])
    .join(' ')
    .replace(/^/, `${seed} `)
    .concat(` ${seed}.`);
}

function chunk(markdown: string): readonly ChunkCut[] {
  return chunkDocument(markdown, documentOf(markdown).headings, settings, countTokens).chunks;
}

const texts = (markdown: string, chunks: readonly ChunkCut[]) =>
  chunks.map(({ start, end }) => markdown.slice(start, end));

describe('chunkDocument', () => {
  it('cuts at h2 and h3, and gives each chunk its headings and the nearest anchor', () => {
    const markdown = [
      paragraph(1, 100),
      '## Phone',
      paragraph(2, 100),
      '### Android',
      paragraph(3, 100),
      '#### Old versions',
      paragraph(4, 30),
      '## Desktop',
      paragraph(5, 100),
    ].join('\n\n');
    expect(chunk(markdown).map(({ headingPath, anchor }) => [headingPath, anchor])).toEqual([
      [[], null],
      [['Phone'], 'phone'],
      [['Phone', 'Android'], 'android'],
      [['Desktop'], 'desktop'],
    ]);
  });

  it('cuts headings to 200 characters, so that a long one does not make every chunk below it long', () => {
    const markdown = [
      `## ${'word '.repeat(20_000)}`,
      ...Array.from({ length: 200 }, (_, at) => paragraph(at)),
    ];
    const chunks = chunk(markdown.join('\n\n'));
    expect(Math.max(...chunks.map(({ headingPath }) => headingPath.join('').length))).toBe(200);
  });

  it('is done with 200,000 headings, and with a paragraph of 10 MB', () => {
    expect(chunk('## Heading\n\n'.repeat(200_000)).length).toBeGreaterThan(1000);
    expect(chunk('\\* '.repeat(3_400_000)).length).toBeGreaterThan(1000);
  });

  it('joins a small section to the one before it, and a small beginning to what follows', () => {
    const markdown = [
      'Hi.',
      '## One',
      paragraph(1, 100),
      '## Two',
      'Short.',
      '## Three',
      paragraph(3, 100),
    ].join('\n\n');
    expect(texts(markdown, chunk(markdown)).map((text) => text.match(/## \w+/g))).toEqual([
      ['## One', '## Two'],
      ['## Three'],
    ]);
  });

  it('keeps tables, code, steps and callouts whole up to the hard maximum', () => {
    const table = [
      '| Key | Value |',
      '| --- | --- |',
      ...Array.from({ length: 60 }, (_, row) => `| k${row} | v |`),
    ].join('\n');
    const code = ['```js', ...Array.from({ length: 80 }, (_, line) => `call(${line})\n`), '```'].join('\n');
    const steps = Array.from({ length: 40 }, (_, step) => `${step + 1}. ${paragraph(step, 8)}`).join(
      '\n\n   and\n\n',
    );
    const callout = `> [!NOTE]\n${Array.from({ length: 12 }, (_, line) => `> ${paragraph(line, 30)}`).join('\n')}`;
    const markdown = [paragraph(1), table, paragraph(2), code, 'Do this:', steps, callout, paragraph(3)].join(
      '\n\n',
    );
    const all = texts(markdown, chunk(markdown));
    for (const block of [table, code, `Do this:\n\n${steps}`, callout]) {
      expect(all.filter((text) => text.includes(block))).toHaveLength(1);
    }
  });

  it('never parts a caption from its image or table, a label or an introduction from what follows', () => {
    const together = [
      '![A](https://x.example/a.png)\n\nFigure 1: the thing',
      'Prices in euro\n\n| a |\n| --- |\n| b |',
      '**Why?**\n\nBecause.',
      'Do this:\n\n1. First\n2. Second',
      '#### Deep\n\nBelow it.',
    ];
    const blocks = Array.from({ length: 60 }, (_, at) => [
      paragraph(at, 40),
      together[at % together.length] ?? '',
    ]);
    const markdown = `${blocks.flat().join('\n\n')}\n`;
    const all = texts(markdown, chunk(markdown));
    expect(all.length).toBeGreaterThan(5);
    const count = (text: string, part: string) => text.split(part).length - 1;
    for (const part of together) {
      expect(all.reduce((sum, text) => sum + count(text, part), 0)).toBe(12);
    }
  });

  it('cuts a table that is over the maximum between rows and repeats its header as lead', () => {
    const rows = Array.from({ length: 200 }, (_, row) => `| ${row} | ${paragraph(row, 8)} |`);
    const markdown = `${['| Row | Text |', '| --- | --- |', ...rows].join('\n')}\n`;
    const chunks = chunk(markdown);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.every(({ tokens }) => tokens <= settings.maxTokens)).toBe(true);
    expect(chunks.map(({ lead }) => lead)).toEqual([
      '',
      ...chunks.slice(1).map(() => '| Row | Text |\n| --- | --- |'),
    ]);
    expect(texts(markdown, chunks).join('\n')).toBe(markdown.trimEnd());
  });

  it('counts tokens exactly', () => {
    const parts = ['# A', paragraph(1, 100), '/path', '- /a/b\n- c', paragraph(2, 400), '你好，世界。', '/x'];
    const markdown = parts.join('\n\n');
    for (const { start, end, tokens } of chunk(markdown)) {
      expect(tokens).toBe(countTokens(markdown.slice(start, end)));
    }
    expect(chunkDocument(markdown, [], settings, countTokens).tokens).toBe(countTokens(markdown));
  });

  it('counts the tokens of every chunk as if its text stood alone', { tags: 'property' }, () => {
    const line = fc.oneof(
      fc.constantFrom(
        '## Same',
        '- a',
        '  - b  ',
        '/path',
        '//',
        'a/',
        '.',
        '...',
        '  x',
        '\u3000',
        '**label**',
        '***',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\n\r]/g, ' ')),
      fc.integer({ min: 1, max: 300 }).map((n) => paragraph(n, n)),
    );
    const gap = fc.constantFrom('\n', '\n\n', '\n  \n', ' \n\n\n', '\n\u3000\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, gap), { maxLength: 30 }), (lines) => {
        const markdown = lines.flat().join('');
        const { chunks, tokens } = chunkDocument(markdown, [], settings, countTokens);
        const alone = chunks.map(({ start, end }) => countTokens(markdown.slice(start, end)));
        expect(chunks.map((cut) => cut.tokens)).toEqual(alone);
        expect(tokens).toBe(chunks.length === 0 ? 0 : countTokens(markdown.slice(chunks[0]?.start)));
      }),
      { numRuns: runs(150) },
    );
  });

  it('covers every word of any document in order, within the hard maximum, under unique keys', {
    tags: 'property',
  }, () => {
    const block = fc.oneof(
      fc
        .integer({ min: 0, max: 99 })
        .chain((seed) => fc.integer({ min: 1, max: 900 }).map((n) => paragraph(seed, n))),
      fc.constantFrom(
        '## Same',
        '### Sub',
        '#### Deep',
        '- a\n- b',
        '> [!TIP]\n> x',
        '```\ncode\n```',
        '***',
        '![a](b)',
        '**label**',
      ),
      fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 25 }), (blocks) => {
        const markdown = `${blocks.join('\n\n')}\n`;
        const chunks = chunk(markdown);
        let at = 0;
        for (const { start, end, tokens } of chunks) {
          expect(markdown.slice(at, start).trim()).toBe('');
          expect(end).toBeGreaterThan(start);
          expect(tokens).toBeLessThanOrEqual(settings.maxTokens);
          at = end;
        }
        expect(markdown.slice(at).trim()).toBe('');
        expect(new Set(chunks.map(({ key }) => key)).size).toBe(chunks.length);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('chunk keys survive edits', () => {
  const paragraphs = (maxLength: number) =>
    fc.array(fc.record({ seed: fc.nat(9999), size: fc.integer({ min: 5, max: 120 }) }), {
      minLength: 1,
      maxLength,
    });
  const article = (perSection: number) =>
    fc.array(fc.record({ level: fc.constantFrom(2, 2, 3), paragraphs: paragraphs(perSection) }), {
      minLength: 1,
      maxLength: 6,
    });
  type Article = typeof article extends (perSection: number) => fc.Arbitrary<infer Value> ? Value : never;

  /** Inserts a paragraph and tells which keys went and which chunks have another text. */
  function insertParagraph(sections: Article, place: number, size: number) {
    const blocks = sections.flatMap(({ level, paragraphs }, at) => [
      `${'#'.repeat(level)} Section ${at}`,
      ...paragraphs.map(({ seed, size }) => paragraph(seed, size)),
    ]);
    const at = 1 + (place % blocks.length);
    const byKey = (all: readonly string[]) => {
      const markdown = `${all.join('\n\n')}\n`;
      return new Map(chunk(markdown).map(({ key, start, end }) => [key, markdown.slice(start, end)]));
    };
    const before = byKey(blocks);
    const after = byKey(blocks.toSpliced(at, 0, paragraph(12345, size)));
    return {
      lost: [...before.keys()].filter((key) => !after.has(key)),
      edited: [...before].filter(([key, text]) => after.has(key) && after.get(key) !== text),
    };
  }

  it('when a paragraph is inserted into sections of usual length: every key stays, at most two texts change', {
    tags: 'property',
  }, () => {
    fc.assert(
      fc.property(article(3), fc.nat(), fc.integer({ min: 5, max: 120 }), (sections, place, size) => {
        const { lost, edited } = insertParagraph(sections, place, size);
        expect(lost).toEqual([]);
        expect(edited.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: runs(500) },
    );
  });

  it('when a paragraph is inserted into overlong sections: 98 of 100 times so, since every cut keeps its name', {
    tags: 'property',
  }, () => {
    let worse = 0;
    fc.assert(
      fc.property(article(12), fc.nat(), fc.integer({ min: 5, max: 120 }), (sections, place, size) => {
        const { lost, edited } = insertParagraph(sections, place, size);
        if (lost.length > 0 || edited.length > 2) worse += 1;
      }),
      { numRuns: runs(1000) },
    );
    expect(worse).toBeLessThanOrEqual(runs(1000) * 0.02);
  });

  it('when a typo is corrected: every key stays, and one text changes', () => {
    const blocks = Array.from({ length: 40 }, (_, seed) => paragraph(seed, 60));
    const before = `## Long\n\n${blocks.join('\n\n')}\n`;
    const after = before.replace(/ 20\.$/m, ' twenty.');
    const old = chunk(before);
    const now = chunk(after);
    expect(now.map(({ key }) => key)).toEqual(old.map(({ key }) => key));
    const [before_, after_] = [texts(before, old), texts(after, now)];
    expect(after_.filter((text, at) => text !== before_[at])).toHaveLength(1);
  });
});
