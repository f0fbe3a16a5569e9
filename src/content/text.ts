/**
 * Invisible characters that change what a chatbot reads: zero-width spaces, word joiners, byte-order
 * marks, bidirectional overrides and isolates, deprecated format characters, tag characters, control characters.
 */
const invisible =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0000}|[\u{e0001}-\u{e007f}]|[\ufdd0-\ufdef\ufffe\uffff]/gu;

/** UTF-16 units that may be part of something {@link stripInvisible} takes out; U+DB40 starts the tag characters. */
export const suspicious =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200b-\u200d\u202a-\u202e\u2060-\u206f\udb40\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]/;

/** Takes out invisible characters; ZWJ and ZWNJ stay where emoji and scripts need them. */
export function stripInvisible(text: string): string {
  return suspicious.test(text) ? text.replace(invisible, '').replace(looseJoiner, '') : text;
}

/** ZWNJ and ZWJ with neither a letter of a non-Latin script nor an emoji beside them join nothing. */
const looseJoiner =
  /(?<!(?![\u0000-\u024f])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+(?!(?![\u0000-\u024f])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])/gu;

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
