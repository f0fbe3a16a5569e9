import type { MakeBody } from './constructs.ts';

/** Pages of a folder that repeat one construct of Markdown: the cost of each must grow no faster than its size. */
export const markdownConstructs: Readonly<Record<string, MakeBody>> = {
  'stars around nothing': repeat('**a*'),
  'stars that open': repeat('*a '),
  'stars between words': repeat('a**b'),
  'stars and underscores': repeat('*a_'),
  underscores: repeat('_a '),
  tildes: repeat('~~a~'),
  'closed tildes': repeat('~~a~~'),
  'open brackets': repeat('['),
  'closing brackets': repeat(']'),
  'closing brackets with an address': repeat(']('),
  'image marks': repeat('!['),
  'links without an end': repeat('[a]('),
  'links with an open title': repeat('[a](b "'),
  'nested links': nested('[', '](a)'),
  'nested images': nested('![', '](a)'),
  'references without a definition': repeat('[a][b] '),
  'references with definitions': (bytes) =>
    numbered((at) => `[${at}]: b\n`)(bytes / 2) + repeat('[1] ')(bytes / 2),
  'one definition in a line': repeat('[a]: '),
  'calls of footnotes': repeat('[^a]'),
  'footnotes in one line': repeat('[^a]: '),
  footnotes: (bytes) =>
    `${numbered((at) => `[^${at}] `)(bytes / 2)}\n\n${numbered((at) => `[^${at}]: x\n`)(bytes / 2)}`,
  'angle brackets': repeat('<'),
  'open comments': repeat('a<!--'),
  'open instructions': repeat('<?'),
  'open sections': repeat('x<![CDATA['),
  'open tags': repeat('x<a b="'),
  'one tag with many attributes': (bytes) => `x<a ${repeat('b=c ')(bytes)}>`,
  'inline HTML': repeat('x<b>a</b>y<i>b</i>'),
  'nested HTML': nested('<div>\n\n', '\n\n</div>'),
  ampersands: repeat('&'),
  entities: repeat('&amp;'),
  backticks: repeat('`a'),
  'growing runs of backticks': (bytes) => {
    const count = Math.sqrt(2 * bytes);
    return Array.from({ length: count }, (_, at) => `${'`'.repeat(at + 1)}a`).join('');
  },
  fences: repeat('```\n'),
  'nested quotations': repeat('> '),
  'quotation with lines without a mark': (bytes) => `> x\n${repeat('x\n')(bytes)}`,
  'quotations in items': repeat('- > x\n'),
  'nested items': repeat('- '),
  'nested numbered items': repeat('1. '),
  'items of two levels': repeat('- x\n  - y\n'),
  'items as deep as they are many': (bytes) => {
    const count = Math.sqrt(bytes);
    return Array.from({ length: count }, (_, at) => `${'  '.repeat(at)}- x\n`).join('');
  },
  'wide table': (bytes) => wideTable(bytes / 16, 4),
  'wide table with short rows': (bytes) => wideTable(bytes / 8, 1) + repeat('|b|\n')(bytes / 2),
  'long table': (bytes) => `|a|b|\n|-|-|\n${repeat('|c|d|\n')(bytes)}`,
  'stars in a cell': (bytes) => `|a|\n|-|\n|${repeat('**a*')(bytes)}|`,
  bars: repeat('|'),
  'starts of addresses': repeat('www.'),
  schemes: repeat('http://'),
  'one address with entities': repeat('http://a&x;'),
  'starts of e-mail addresses': repeat('a@'),
  'e-mail addresses': repeat('a@b.c '),
  'hard breaks': repeat('x  \n'),
  'setext headings': repeat('x\n===\n'),
  directives: repeat(':::note\n'),
  shortcodes: repeat('{{<'),
  braces: repeat('{'),
  tabs: repeat('\t'),
  nul: repeat('\0'),
};

function repeat(part: string): MakeBody {
  return (bytes) => part.repeat(Math.max(1, bytes / Buffer.byteLength(part)));
}

function numbered(one: (at: number) => string): MakeBody {
  return (bytes) => Array.from({ length: bytes / one(100_000).length }, (_, at) => one(at)).join('');
}

function nested(open: string, close: string): MakeBody {
  return (bytes) => {
    const count = bytes / (open.length + close.length);
    return `${open.repeat(count)}x${close.repeat(count)}`;
  };
}

function wideTable(columns: number, rows: number): string {
  return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${`${'|b'.repeat(columns)}|\n`.repeat(rows)}`;
}
