import { following } from '../../content/parse/edit-tree.ts';
import { attribute, type SourceNode } from '../../content/parse/source-tree.ts';
import { orNull } from '../../core/errors.ts';
import { getOrMake } from '../../core/group-by.ts';
import { isRecord, parseJsonOrNull, type UnknownRecord } from '../../core/unknown-record.ts';
import { lineBelow, textBelow } from './select.ts';
import { type SiteTheme, themes } from './themes.ts';

/** Largest page, in bytes. */
export const maxPageBytes = 16 * 1024 * 1024;

/** The text of a page in the encoding that it names, as browsers find it; UTF-8 if it names none. */
export function decodePage(bytes: Buffer): string {
  const named = encodingOf(bytes);
  return orNull(() => new TextDecoder(named).decode(bytes)) ?? new TextDecoder().decode(bytes);
}

/** Bytes at the start of a page in which its encoding is looked for. */
const maxHeadBytes = 16 * 1024;

const byteOrderMarks = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
] as const;

function encodingOf(bytes: Buffer): string {
  const mark = byteOrderMarks.find(([, hex]) => bytes.toString('hex', 0, 3).startsWith(hex));
  if (mark !== undefined) return mark[0];
  const start = bytes.toString('latin1', 0, maxHeadBytes);
  const head = start.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1/gi, '');
  const [, declared] = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w-]+)/.exec(start) ?? [];
  const metas = [...head.matchAll(/<meta\s(?:"[^"]*"|'[^']*'|[^"'>])*/gi)].flatMap(([tag]) => {
    const values = [...tag.matchAll(/(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)];
    const of = new Map(values.map(([, name = '', ...value]) => [name.toLowerCase(), value.join('')]));
    if (of.get('http-equiv')?.toLowerCase() !== 'content-type') return of.get('charset') ?? [];
    return of.get('charset') ?? /;\s*charset\s*=\s*["']?([\w-]+)/i.exec(of.get('content') ?? '')?.[1] ?? [];
  });
  const named = (metas[0] ?? declared ?? 'utf-8').trim();
  // The bytes of a `<meta>` that can be read are not UTF-16.
  return /^utf-?16/i.test(named) ? 'utf-8' : named;
}

/** What a page says in its head, and the names by which its theme is recognised. */
export interface ScannedPage {
  /** `lang` of `<html>`. */
  readonly language: string | null;
  /** The text of `<title>`. */
  readonly title: string | null;
  readonly base: string | null;
  readonly links: readonly SourceNode[];
  /** Contents of `<meta>` by `name`, `property`, `itemprop` or `http-equiv`, in lower case. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** Records of JSON-LD. */
  readonly data: readonly UnknownRecord[];
  readonly hasScript: boolean;
  readonly theme: SiteTheme | null;
}

/** Visits every element of a page once, which is faster than a selector for each question. */
export function scanPage(root: SourceNode): ScannedPage {
  const metas = new Map<string, string[]>();
  const links: SourceNode[] = [];
  const data: UnknownRecord[] = [];
  const marks = new Set<string>();
  let language: string | null = null;
  let title: string | null = null;
  let base: string | null = null;
  let hasScript = false;
  for (let node = root.first; node !== null; node = following(node, root)) {
    if (node.attributes.length === 0 && node.name !== 'title') continue;
    for (const { name, value } of node.attributes) {
      if (name === 'id') marks.add(value);
      else if (name === 'class') for (const one of value.split(/\s+/)) marks.add(one);
    }
    if (node.name === 'meta') addMeta(node, metas);
    else if (node.name === 'link') links.push(node);
    else if (node.name === 'html') {
      language = attribute(node, 'lang')?.trim() || attribute(node, 'xml:lang')?.trim() || null;
    } else if (node.name === 'title' && node.parent?.name === 'head') title ??= lineBelow(node) || null;
    else if (node.name === 'base') base ??= attribute(node, 'href');
    else if (node.name === 'script') {
      if (attribute(node, 'type') === 'application/ld+json') data.push(...readRecords(textBelow(node)));
      else {
        const src = attribute(node, 'src');
        if (src === null) continue;
        hasScript = true;
        marks.add(src.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '');
      }
    }
  }
  const generators = (metas.get('generator') ?? []).map((one) => one.toLowerCase());
  const theme =
    themes.find(
      ({ generator, marks: own = [] }) =>
        (generator !== undefined && generators.some((one) => one.startsWith(generator))) ||
        own.some((mark) => marks.has(mark)),
    ) ?? null;
  return { language, title, base, links, metas, data, hasScript, theme };
}

/** The first content of a `<meta>` with one of some names. */
export function metaOf({ metas }: ScannedPage, ...names: readonly string[]): string | null {
  for (const name of names) {
    const [first] = metas.get(name) ?? [];
    if (first !== undefined) return first;
  }
  return null;
}

function addMeta(node: SourceNode, metas: Map<string, string[]>): void {
  const content = attribute(node, 'content')?.trim() ?? '';
  if (content === '') return;
  for (const kind of ['name', 'property', 'itemprop', 'http-equiv']) {
    const name = attribute(node, kind)?.toLowerCase();
    if (name !== undefined) getOrMake(metas, name, () => []).push(content);
  }
}

/** The records in a script of JSON-LD; none if it is not valid. */
function readRecords(text: string): readonly UnknownRecord[] {
  return [parseJsonOrNull(text)]
    .flat()
    .filter(isRecord)
    .flatMap((one) => {
      const graph = one['@graph'];
      return [one, ...(Array.isArray(graph) ? graph.filter(isRecord) : [])];
    });
}
