import { posix } from 'node:path';
import { CodeStore, readFence } from './code.ts';
import { removeComments } from './comments.ts';
import { replaceComponents } from './components.ts';
import { markMath } from './math.ts';
import type { Markup, MarkupPage, ReplacedBlock } from './rules.ts';

/** A page as a file contains it. */
interface MarkupSource {
  /** Without front matter. */
  readonly text: string;
  /** Relative to the root of the project. */
  readonly path: string;
  readonly tree: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Number of lines before the text. */
  readonly linesBefore: number;
  /** Reads a file of the project; throws an `Error` with a sentence. */
  readonly read: (path: string) => string;
}

/** A page in GitHub-flavoured Markdown. */
export interface ReadMarkup {
  readonly text: string;
  /** Syntax that nobody could resolve, in the order of the file. */
  readonly unknown: readonly UnknownMarkup[];
  readonly refs: ReadonlySet<string>;
  /** Parts from other files, which the page changes with. */
  readonly parts: readonly string[];
}

export interface UnknownMarkup {
  readonly what: string;
  /** In the file, from 1; `null` if it is in a part. */
  readonly line: number | null;
}

/** Maximum depth of blocks and parts in each other: the time to render block quotes grows with the cube of their depth. */
const mostNested = 32;
/** Maximum number and characters of the parts of a page. */
const mostParts = 1000;
const maxPartChars = 4 * 1024 * 1024;

/** Converts the syntax of a generator to Markdown. What nobody can resolve is removed and returned in `unknown`; code does not change. */
export function readMarkup(markup: Markup, source: MarkupSource): ReadMarkup {
  const unknown = new Map<string, string>();
  const refs = new Set<string>();
  const parts = new Set<string>();
  const code = new CodeStore(markup.readFence ?? readFence);
  let partCount = 0;
  let partChars = 0;
  const createPage = (path: string, depth: number): MarkupPage => ({
    path,
    tree: source.tree,
    data: source.data,
    isMdx: /\.mdx$/i.test(source.path),
    code,
    refs,
    unknown(what, start = what) {
      const name = what
        .trim()
        .replace(/\s*\n[\s\S]*/, ' …')
        .slice(0, 80);
      if (!unknown.has(name)) unknown.set(name, start.trim());
    },
    part(other) {
      partCount += 1;
      const isRead = depth < mostNested && partCount <= mostParts && partChars <= maxPartChars;
      const file = posix.normalize(other);
      if (!isRead || file === '..' || file.startsWith('../') || file.startsWith('/')) return null;
      try {
        const text = source
          .read(file)
          .replace(/^\uFEFF/, '')
          .replace(/\r\n?/g, '\n')
          .replaceAll('\0', '');
        partChars += text.length;
        parts.add(text);
        return text;
      } catch {
        return null;
      }
    },
    within(other, text) {
      return markup.include?.(text, createPage(posix.normalize(other), depth + 1)) ?? text;
    },
    convert: (lines) => convertBlocks(lines, createPage(path, depth + 1), depth + 1),
  });

  function convertBlocks(lines: readonly string[], page: MarkupPage, depth: number): readonly string[] {
    if (depth >= mostNested) return lines;
    const result: string[] = [];
    for (let at = 0; at < lines.length; at += 1) {
      let block: ReplacedBlock | null = null;
      for (const rule of markup.blocks) {
        block = rule(lines, at, page);
        if (block !== null) break;
      }
      if (block === null) result.push(lines[at] as string);
      else {
        for (const line of block.lines) result.push(line);
        at = Math.max(at, block.last);
      }
    }
    return result;
  }

  const page = createPage(source.path, 0);
  const own = source.text.replace(/\r\n?/g, '\n').replaceAll('\0', '');
  const composed = markup.compose?.(own, page) ?? own;
  const whole = markup.include?.(composed, page) ?? composed;
  const hiddenCode = code.hide(whole);
  const bare = markup.hasComments === true ? removeComments(hiddenCode, page) : hiddenCode;
  const marked = markMath(bare, markup.math ?? [], code);
  const hidden = markup.prepare?.(marked, page) ?? marked;
  const flat = markup.components === undefined ? hidden : replaceComponents(hidden, markup.components, page);
  const converted = convertBlocks(flat.split('\n'), page, 0).join('\n');
  const inlined = markup.inline?.(converted, page) ?? converted;
  const clean = markup.raw.reduce(
    (text, pattern) =>
      text.replace(pattern, (what) => {
        page.unknown(what);
        return '';
      }),
    inlined,
  );
  return {
    text: code.restore(clean),
    unknown: findLines(unknown, own, source.linesBefore, new CodeStore(readFence)),
    refs,
    parts: [...parts],
  };
}

/** Finds the first line of each in the text, preferably outside code. */
function findLines(
  unknown: ReadonlyMap<string, string>,
  text: string,
  linesBefore: number,
  code: CodeStore,
): readonly UnknownMarkup[] {
  if (unknown.size === 0) return [];
  const lines = text.split('\n');
  const bare = lines.map((line) => code.hide(line));
  return [...unknown]
    .map(([what, start]): UnknownMarkup => {
      const [first = ''] = start.split(/\n|\0/);
      const outside = bare.findIndex((line) => line.includes(first));
      const at = outside === -1 ? lines.findIndex((line) => line.includes(first)) : outside;
      const name = what.replace(/\0\d+\0/g, '`…`');
      return { what: name, line: at === -1 ? null : at + 1 + linesBefore };
    })
    .sort((a, b) => (a.line ?? text.length) - (b.line ?? text.length));
}
