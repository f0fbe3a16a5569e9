import { describe, expect, it } from 'vitest';
import type { Block, BlockType, Document } from '../../src/content/document.ts';
import { transform } from '../../src/content/transform.ts';
import { fingerprintBlocks } from '../../src/core/block-fingerprints.ts';
import { type ChunkCut, chunkDocument } from '../../src/feed/chunks/chunk-document.ts';
import { feedLimits } from '../../src/feed/feed-limits.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { settings as contentSettings } from '../content/settings.ts';
import { fc, runs } from '../support/properties.ts';
import { documentOf } from './support/build-sample.ts';

const countTokens = await loadTokenCounter();
const { chunks: settings } = feedLimits;
const words =
  'open the settings page then choose account security backup device network printer label order'.split(' ');

/** A paragraph of some tokens that differs by its seed. */
function paragraph(seed: number, tokens = 60): string {
  return Array.from({ length: tokens }, (_, at) => words[(seed * 7 + at * (seed % 5 || 3)) % words.length])
    .join(' ')
    .replace(/^/, `${seed} `)
    .concat(` ${seed}.`);
}

/** A document and its chunks. */
type Chunked = Pick<Document, 'markdown' | 'blocks'> & { readonly chunks: readonly ChunkCut[] };

/** Chunks of a body that was written in Markdown. */
const chunk = (source: string) => chunkOf(documentOf(source));

/** Chunks of a body. */
const chunkBody = (html: string) => chunkOf(transform(html, contentSettings()));

function chunkOf({ markdown, blocks }: Document): Chunked {
  return { markdown, blocks, ...chunkDocument({ markdown, blocks }, settings, countTokens) };
}

const texts = ({ markdown, chunks }: Chunked) => chunks.map(({ start, end }) => markdown.slice(start, end));

/** Markdown made of blocks of one line each, with what separates them. */
function documentOfBlocks(parts: readonly (readonly [type: BlockType, line: string, gap: string])[]) {
  const blocks: Block[] = [];
  let markdown = '';
  for (const [type, line, gap] of parts) {
    const start = markdown.length;
    markdown += line;
    const heading = type === 'heading' ? { level: 2, id: 'same', text: 'Same' } : null;
    if (line.trim() !== '') {
      blocks.push({ type, start, end: markdown.length, bodyStart: start, items: [], heading });
    }
    markdown += gap;
  }
  return { markdown, blocks };
}

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
    expect(chunk(markdown).chunks.map(({ headingPath, anchor }) => [headingPath, anchor])).toEqual([
      [[], null],
      [['Phone'], 'phone'],
      [['Phone', 'Android'], 'android'],
      [['Desktop'], 'desktop'],
    ]);
  });

  it('cuts headings to 200 characters, so that a long one does not make every chunk below it long', () => {
    const { chunks } = chunk(
      [`## ${'word '.repeat(20_000)}`, ...Array.from({ length: 200 }, (_, at) => paragraph(at))].join('\n\n'),
    );
    expect(Math.max(...chunks.map(({ headingPath }) => headingPath.join('').length))).toBe(200);
  });

  it('is done with 200,000 headings and with a paragraph of 10 MB (a tenth in the quick suite)', () => {
    expect(chunkBody('<h2>Heading</h2>'.repeat(runs(200_000))).chunks.length).toBeGreaterThan(runs(1000));
    expect(chunkBody(`<p>${'* '.repeat(runs(3_400_000))}</p>`).chunks.length).toBeGreaterThan(runs(1000));
  });

  it('gives each of several headings with the same text its own anchor', () => {
    const body = (inner: string) => `${inner}<p>${paragraph(3, 100)}</p>`;
    const { chunks } = chunkBody(
      body('<ul><li><h2>Steps</h2>In a list.</li></ul>') + body('<h2>Steps</h2>') + body('<h2>Steps</h2>'),
    );
    expect(chunks.map(({ anchor }) => anchor)).toEqual([null, 'steps-2', 'steps-3']);
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
    expect(texts(chunk(markdown)).map((text) => text.match(/## \w+/g))).toEqual([['## One', '## Two'], null]);
  });

  it('keeps tables, code, steps and callouts whole up to the hard maximum', () => {
    const table = [
      '| Key | Value |',
      '| --- | --- |',
      ...Array.from({ length: 60 }, (_, row) => `| k${row} | v |`),
    ].join('\n');
    const code = ['```js', ...Array.from({ length: 80 }, (_, line) => `call(${line})\n`), '```'].join('\n');
    const steps = Array.from({ length: 40 }, (_, step) => {
      const marker = `${step + 1}. `;
      return `${marker}${paragraph(step, 8)}\n\n${' '.repeat(marker.length)}and`;
    }).join('\n\n');
    const callout = `> [!NOTE]\n${Array.from({ length: 12 }, (_, line) => `> ${paragraph(line, 30)}`).join('\n')}`;
    const markdown = [paragraph(1), table, paragraph(2), code, 'Do this:', steps, callout, paragraph(3)].join(
      '\n\n',
    );
    const chunked = chunk(markdown);
    const all = texts(chunked);
    const large = chunked.blocks.filter(({ type }) => type !== 'paragraph');
    expect(large.map(({ type }) => type)).toEqual(['table', 'code', 'steps', 'callout']);
    for (const { start, end } of large) {
      const block = chunked.markdown.slice(start, end);
      expect(all.filter((text) => text.includes(block))).toHaveLength(1);
    }
    expect(all.filter((text) => text.includes('Do this:\n\n1. '))).toHaveLength(1);
  });

  it('never parts a caption from its image or table, a label or an introduction from what follows', () => {
    const together = [
      '![A](https://x.example/a.png)\n\nFigure 1: the thing',
      'Prices in euro\n\n| a |\n| --- |\n| b |',
      '**Why?**\n\nBecause.',
      'Do this:\n\n1. First\n2. Second',
    ];
    const blocks = Array.from({ length: 60 }, (_, at) => [
      paragraph(at, 40),
      together[at % together.length] ?? '',
    ]);
    const all = texts(chunk(['## Top', '### Middle', ...blocks.flat()].join('\n\n')));
    expect(all.length).toBeGreaterThan(5);
    const count = (text: string, part: string) => text.split(part).length - 1;
    for (const part of together) {
      const written = part.replace('![A](https://x.example/a.png)', 'A');
      expect(all.reduce((sum, text) => sum + count(text, written), 0)).toBe(15);
    }
  });

  it('cuts a table that is over the maximum between rows and repeats its header', () => {
    const rows = Array.from({ length: 200 }, (_, row) => `| ${row} | ${paragraph(row, 8)} |`);
    const chunked = chunk(['| Row | Text |', '| --- | --- |', ...rows].join('\n'));
    const { markdown, chunks } = chunked;
    expect(chunks.length).toBeGreaterThan(3);
    const tokens = texts(chunked).map((text) => countTokens(text));
    expect(tokens.every((count) => count <= settings.maxTokens)).toBe(true);
    const header = [0, markdown.indexOf('| 0 |')];
    expect(chunks.map(({ repeats }) => repeats)).toEqual([[], ...chunks.slice(1).map(() => [header])]);
    expect(texts(chunked).join('\n')).toBe(markdown.trimEnd());
  });

  it.each([
    ['Hindi', 'आप सेटिंग में जाकर अपना पासवर्ड कभी भी बदल सकते हैं। ', /।$/],
    ['Urdu', 'آپ سیٹنگز میں جا کر اپنا پاس ورڈ کسی بھی وقت بدل سکتے ہیں۔ ', /۔$/],
    ['Arabic', 'هل تريد تغيير كلمة المرور في كل متصفح؟ ', /؟$/],
    ['Thai', 'การเปลี่ยนรหัสผ่านของคุณทำได้ง่ายมากเพียงคลิกที่ปุ่มตั้งค่า', /^\P{M}/u],
    ['emoji with marks', `x${'😀'.repeat(200)}${'\u0301'.repeat(600)}`, /^\P{Cs}/u],
  ])('cuts a long text in %s between sentences, or else before no mark of a letter', (_, sentence, whole) => {
    const cut = texts(chunk(sentence.repeat(120)));
    expect(cut.length).toBeGreaterThan(2);
    for (const text of cut) expect(text).toMatch(whole);
  });

  it('counts tokens exactly', () => {
    const parts = ['# A', paragraph(1, 100), '/path', '- /a/b\n- c', paragraph(2, 400), '你好，世界。', '/x'];
    const { markdown } = chunk(parts.join('\n\n'));
    expect(chunkDocument(documentOf(markdown), settings, countTokens).tokens).toBe(countTokens(markdown));
  });

  it('counts the tokens of the whole Markdown from those of its lines', { tags: 'property' }, () => {
    const line = fc.oneof(
      fc.constantFrom('- a', '  - b  ', '/path', '//', 'a/', '.', '...', '  x', '\u3000', '**label**', '***'),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\n\r]/g, ' ')),
      fc.integer({ min: 1, max: 300 }).map((n) => paragraph(n, n)),
    );
    const type = fc.constantFrom<BlockType>('heading', 'paragraph', 'label', 'list', 'table', 'code', 'rule');
    const gap = fc.constantFrom('\n', '\n\n', '\n  \n', ' \n\n\n', '\n\u3000\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(type, line, gap), { maxLength: 30 }), (parts) => {
        const document = documentOfBlocks(parts);
        const { tokens } = chunkDocument(document, settings, countTokens);
        expect(tokens).toBe(countTokens(document.markdown));
      }),
      { numRuns: runs(150) },
    );
  });

  it('names a heading that has nothing but the label of the next one', () => {
    const { markdown, chunks } = chunkBody('<h2>First</h2><p><b>label</b></p><h2>Other</h2>');
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['First']]);
    expect(markdown.slice(chunks[0]?.start, chunks[0]?.end)).toBe('**label**\n\n## Other');
  });

  it('covers every word of any document in order, within the hard maximum, under unique keys', {
    tags: 'property',
  }, () => {
    const block = fc.oneof(
      fc
        .integer({ min: 0, max: 99 })
        .chain((seed) => fc.integer({ min: 1, max: 900 }).map((n) => `<p>${paragraph(seed, n)}</p>`)),
      fc.constantFrom(
        '<h2>Same</h2>',
        '<h3>Sub</h3>',
        '<h4>Deep</h4>',
        '<ul><li>a</li><li>b</li></ul>',
        '<div class="callout callout-tip">x</div>',
        '<pre>code</pre>',
        '<hr>',
        '<img src=b alt=a>',
        '<p><b>label</b></p>',
      ),
      fc.string({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 25 }), (blocks) => {
        const { markdown, chunks } = chunkBody(blocks.join(''));
        let at = 0;
        for (const { start, end, headingPath } of chunks) {
          // A rule between two passages is in neither, and has no words.
          const above = markdown
            .slice(at, start)
            .split('\n')
            .filter((line) => !['', '___'].includes(line.trim()));
          for (const line of above) expect(headingPath).toContain(line.replace(/^#+ /, ''));
          expect(end).toBeGreaterThan(start);
          expect(countTokens(markdown.slice(start, end))).toBeLessThanOrEqual(settings.maxTokens);
          at = end;
        }
        expect(markdown.slice(at).replaceAll('___', '').trim()).toBe('');
        expect(new Set(chunks.map(({ key }) => key)).size).toBe(chunks.length);
      }),
      { numRuns: runs(200) },
    );
  });
});

/** Text that no chunk has, of which each has the word "skipped", and text around it. */
const skipped = [
  '<ul><li><a href="#one">Skipped one</a></li><li><a href="#two">Skipped two</a></li></ul>',
  '<ol><li><b>Skipped:</b><ul><li><a href="https://help.example.com/a/#x">Skipped</a></li></ul></li></ol>',
  '<ul><li><a href="/b/">Skipped</a></li><li><a href="https://help.example.com/c/">Skipped</a></li></ul>',
  '<div class="callout callout-tip">Skipped, because most articles say this.</div>',
] as const;
const around = [
  '<p>A short kept line</p>',
  '<p>A kept line that says more than that a list comes:</p>',
  '<p>See:</p>',
  '<ul><li><a href="/b/">Kept</a></li><li>Then press the kept button</li></ul>',
  '<ul><li><a href="https://other.example.com/">Kept</a></li></ul>',
  '<ul><li><a href="#one">Kept</a>: how it begins</li><li><a href="#two">Two</a></li></ul>',
  '<div class="callout callout-tip">Kept, because only this article says it.</div>',
  '<div class="callout callout-tip">Skipped, because most articles say this.<p>But kept.</p></div>',
  '<table><tr><th>Kept</th></tr><tr><td><a href="/b/">kept</a></td></tr></table>',
  '<pre>- [Kept](/b/)</pre>',
  '<p><a href="/b/">Kept</a></p>',
  '<p><b>Label</b></p>',
  '<h2>Heading</h2>',
  '<h3>Heading below</h3>',
  '<hr>',
  `<p>${'kept '.repeat(600)}</p>`,
] as const;

it('has in a chunk every word but tables of contents, lists of links and call-outs of most articles, with what introduces them', {
  tags: 'property',
}, () => {
  const page = {
    url: 'https://help.example.com/a/',
    boilerplate: new Set(fingerprintBlocks(skipped.at(-1) ?? '')),
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...skipped, ...around), { maxLength: 20 }), (parts) => {
      const { markdown, blocks } = transform(parts.join(''), contentSettings());
      const { chunks } = chunkDocument({ markdown, blocks }, settings, countTokens, page);
      const isAbove = ({ heading }: Block) =>
        chunks.some(({ headingPath }) => headingPath.includes(heading?.text ?? ''));
      const isIn = (block: Block) =>
        chunks.some(({ start, end }) => block.start >= start && block.end <= end);
      const wordsOf = ({ start, end }: Block) => markdown.slice(start, end);
      // A block is in one chunk, or all of it is in several or none.
      const lost = blocks.filter(
        (block) =>
          !isAbove(block) && chunks.every(({ start, end }) => end <= block.start || start >= block.end),
      );
      expect(lost.filter((block) => /kept/i.test(wordsOf(block)))).toEqual([]);
      // What is lost without it introduces it, or is a rule.
      for (const block of lost.filter((each) => !/skipped/i.test(wordsOf(each)))) {
        expect(wordsOf(block)).toMatch(/^(?:See:|\*\*Label\*\*|#+ Heading(?: below)?|___)$/);
        const next = blocks
          .slice(blocks.indexOf(block))
          .find((each) => /skipped/i.test(wordsOf(each)) || isIn(each));
        expect(block.type === 'rule' || (next !== undefined && lost.includes(next))).toBe(true);
      }
      if (/kept/i.test(markdown)) {
        const text = chunks.map(({ start, end }) => markdown.slice(start, end)).join('\n');
        expect(text.replaceAll('Skipped, because most articles say this.\n>\n> But kept', '')).not.toMatch(
          /skipped/i,
        );
      }
    }),
    { numRuns: runs(300) },
  );
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
      `<h${level}>Section ${at}</h${level}>`,
      ...paragraphs.map(({ seed, size }) => `<p>${paragraph(seed, size)}</p>`),
    ]);
    const at = 1 + (place % blocks.length);
    const byKey = (all: readonly string[]) => {
      const { markdown, chunks } = chunkBody(all.join(''));
      return new Map(chunks.map(({ key, start, end }) => [key, markdown.slice(start, end)]));
    };
    const before = byKey(blocks);
    const after = byKey(blocks.toSpliced(at, 0, `<p>${paragraph(12345, size)}</p>`));
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
    const source = `## Long\n\n${blocks.join('\n\n')}\n`;
    const before = chunk(source);
    const after = chunk(source.replace(/ 20\.$/m, ' twenty.'));
    expect(after.chunks.map(({ key }) => key)).toEqual(before.chunks.map(({ key }) => key));
    const old = texts(before);
    expect(texts(after).filter((text, at) => text !== old[at])).toHaveLength(1);
  });
});
