import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { escapeHtml } from '../../src/core/html.ts';
import { chunkText, makeReadable } from '../../src/feed/chunks/chunk-text.ts';
import { settings as contentSettings } from '../content/settings.ts';
import { fc } from '../support/properties.ts';

const readable = makeReadable;

describe('the readable text of a chunk', () => {
  it.each([
    [
      'escapes',
      '1\\. Use \\*stars\\* and support\\@example.com, a \\[note\\]',
      '1. Use *stars* and support@example.com, a [note]',
    ],
    ['line breaks', 'One\\\nTwo', 'One\nTwo'],
    ['bars of tables', '| a \\| b | `x\\|y` |', '| a | b | `x|y` |'],
    ['code', 'Set `C:\\Users\\{name}` and `a\\|b`.', 'Set `C:\\Users\\{name}` and `a\\|b`.'],
    [
      'fenced code',
      '- Do\n\n  ```sh\n  echo \\$x \\[a\\]\n  ```\n\n  \\[then\\]',
      '- Do\n\n  ```sh\n  echo \\$x \\[a\\]\n  ```\n\n  [then]',
    ],
    ['fenced code that goes on in the next chunk', '```\na\\[0\\]\n\nb\\[1\\]', '```\na\\[0\\]\n\nb\\[1\\]'],
    ['code between longer fences', '`` a`\\[ `` \\[', '`` a`\\[ `` ['],
    [
      'images',
      'See ![the \\[red\\] key](https://x.example/a.png) and ![](b.png).',
      'See the [red] key and .',
    ],
    ['images in links', '[![logo](https://x.example/a.png) home](https://x.example/)', 'logo home'],
    ['call-outs', '> [!NOTE]\n> Mind \\#1 and [this](#a).', '> [!NOTE]\n> Mind #1 and this.'],
    ['addresses between angle brackets', '[Setup](<mailto:a@b.example>)', 'Setup'],
  ])('has no Markdown syntax that only a renderer needs: %s', (_, markdown, text) => {
    expect(readable(markdown)).toBe(text);
  });

  it('has only the words of links, and keeps other brackets', () => {
    expect(readable('[A *link*](https://x.example/a\\)b) in \\[brackets\\], [![alt](c) x](d)')).toBe(
      'A *link* in [brackets], alt x',
    );
    expect(readable('> [!TIP]\n> Go [on](#on).')).toBe('> [!TIP]\n> Go on.');
  });

  it('gives back the words of any text, whatever Markdown had to escape in it', { tags: 'property' }, () => {
    const signs = fc.constantFrom(
      '\\',
      '`',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '<b>',
      '&amp;',
      '|',
      '#',
      '!',
      '~',
      '1.',
      '@',
      ' ',
      'a',
      'www.',
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 20 }), (parts) => {
        const text = `x${parts.join('')}x`.replaceAll(/ +/g, ' ');
        const { markdown } = transform(`<p>${escapeHtml(text)}</p>`, contentSettings());
        expect(readable(markdown)).toBe(`${text}\n`);
      }),
    );
  });

  it('is done with 100,000 opening brackets, backticks or fences in time that grows with their number', () => {
    for (const piece of ['[', '`', '``` ', '![', '](', '> ', '\n```x', '[a](']) {
      expect(readable(piece.repeat(100_000)).length).toBeGreaterThan(0);
    }
  });
});

describe('the text of a chunk', () => {
  const source = { title: 'Title', headingPath: ['One'], categoryPath: ['A', 'B'], lead: '' };

  it('says where it is, and has no heading that its first line has', () => {
    const markdown = '## One\n\n\\# no heading, see [this](#a).';
    expect(chunkText({ ...source, markdown })).toBe('Title › One (A › B)\n\n# no heading, see this.');
  });

  it.each([
    ['header rows', '| A | B |\n| --- | --- |', '| 1 | 2 |', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    ['an opening fence', 'Run \\#1:\n\n```sh', 'echo \\[', 'Run #1:\n\n```sh\necho \\['],
    ['a sentence', 'Do this:', '5. Five', 'Do this:\n\n5. Five'],
  ])('begins with what it continues: %s', (_, lead, markdown, text) => {
    expect(chunkText({ ...source, lead, markdown })).toBe(`Title › One (A › B)\n\n${text}`);
  });
});
