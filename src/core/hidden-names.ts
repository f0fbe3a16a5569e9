import { hash } from 'node:crypto';
import { decodePercent } from './addresses.ts';

/**
 * Where a text may name a record without its id: `path`, the path of its page on the site; `segment`, a part of such a path, such as its
 * slug; `file`, the name of its file.
 */
type NameKind = 'path' | 'segment' | 'file';

/**
 * The key of a name. Names of records that are not public are kept as keys only, because a slug may be as confidential as the text: neither
 * the cache nor a thread has the name itself.
 * @returns 16 hexadecimal digits; `null` for an empty name
 */
export function nameKey(kind: NameKind, name: string): string | null {
  const plain = normalise(kind, name);
  return plain === '' ? null : hash('sha256', `${kind} ${plain}`).slice(0, 16);
}

/** The keys of a page: of its path, of the last part of the path, and of its file. @param path with or without the name of the file */
export function keysOfPath(path: string): readonly string[] {
  const whole = normalise('path', path);
  const name = path.split('/').at(-1) ?? '';
  const keys = [
    nameKey('path', whole),
    nameKey('segment', whole.split('/').at(-1) ?? ''),
    pageFile.test(name) ? nameKey('file', name) : null,
  ];
  return keys.filter((key) => key !== null);
}

/** The key of a slug. */
export function keysOfSlug(slug: string): readonly string[] {
  const key = nameKey('segment', slug);
  return key === null ? [] : [key];
}

/** Names of the files of pages. */
export const pageFile = /\.(?:mdx?|markdown|html?)$/i;

/** Two spellings of a name that lead to the same page give the same text. */
function normalise(kind: NameKind, name: string): string {
  const plain = decodePercent(name).normalize('NFC').toLowerCase().replaceAll('\\', '/');
  if (kind === 'file') return plain;
  return plain
    .replace(/[?#].*$/s, '')
    .replace(/\/+/g, '/')
    .replace(/^(?:\.{1,2}\/)*\/?|\/$/g, '')
    .replace(/\.(?:mdx?|markdown|html?)(?:\.md)?$/, '')
    .replace(/(?:^|\/)_?(?:index|readme)$/, '');
}
