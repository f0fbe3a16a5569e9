import { stripInvisible, suspicious } from '../foundation/invisible.ts';

/** White space that is folded: ASCII, and the spaces of typography. */
const space = '\\t\\n\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** What {@link foldSpace} would change; most text has nothing of it. */
const needsFolding = new RegExp(`[\\t\\n\\f\\r\\u2028\\u2029]|[${space}]{2}`);
const needsWork = new RegExp(`${suspicious.source}|${needsFolding.source}`);
const run = new RegExp(`[${space}]+`, 'g');

/** Text as it is shown: invisible characters out, runs of white space as one space; a single special space stays. */
export function foldSpace(text: string): string {
  // The most common text between blocks.
  if (text === '\n') return ' ';
  if (!needsWork.test(text)) return text;
  const visible = stripInvisible(text);
  return needsFolding.test(visible) ? visible.replace(run, foldRun) : visible;
}

function foldRun(spaces: string): string {
  return spaces.length === 1 && spaces >= '\u00a0' && spaces !== '\u2028' && spaces !== '\u2029'
    ? spaces
    : ' ';
}

const special = new Set([
  ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
]);

/** Whether the character at a position is one of the spaces {@link foldSpace} leaves. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0xa0 && special.has(text.charAt(at)));
}

/** Takes spaces, but no special ones, from both ends. */
export function trimSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) === 0x20) to--;
  return text.slice(from, to);
}
