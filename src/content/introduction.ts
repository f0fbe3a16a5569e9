import { fingerprintWords } from '../core/block-fingerprints.ts';
import { stripSoftHyphens } from '../core/invisible.ts';
import type { Document } from './document.ts';

/** Characters in which a description is looked for. */
const startChars = 4000;

const listItem = /^\s*(?:-|\d+\.)\s+(.+)$/;

/**
 * The start of a document's text, for descriptions. Skips a callout at the start, lines without a word, and a list of the page's own headings
 * with the line that introduces it (`In this article:`).
 * @param repeated text that many articles start with, which is skipped as well
 * @param shared fingerprints of blocks that many articles have, which are skipped at the start
 */
export function introductionOf(
  document: Pick<Document, 'text' | 'headings' | 'markdown' | 'blocks'>,
  repeated = '',
  shared: readonly string[] = [],
): string {
  const titles = new Set(document.headings.map((heading) => stripSoftHyphens(heading.text)));
  const kept: string[] = [];
  let before = '';
  for (const line of document.text.slice(0, startChars).split('\n')) {
    const item = listItem.exec(line)?.[1];
    if (item !== undefined && titles.has(item)) {
      if (/[:：]$/.test(before)) kept.pop();
      before = '';
    } else if (/[\p{L}\p{N}]/u.test(line)) {
      kept.push(line);
      before = line;
    }
  }
  const [first] = document.blocks;
  const callout = first?.type === 'callout' ? document.markdown.slice(first.start, first.end) : '';
  const own = withoutStart(withoutStart(kept, callout), repeated);
  const isShared = (line: string) => shared.length > 0 && shared.includes(fingerprintWords(line) ?? '');
  const at = own.findIndex((line) => !isShared(line));
  if (at >= 0) return own.slice(at).join('\n');
  return (own.length > 0 ? own : kept).join('\n');
}

/** Lines after those that a text contains, or that begin with it. */
function withoutStart(lines: readonly string[], text: string): readonly string[] {
  const skipped = lettersOf(text);
  if (skipped === '') return lines;
  const at = lines.findIndex((line) => {
    const letters = lettersOf(line);
    return !skipped.includes(letters) && !letters.startsWith(skipped);
  });
  return at < 0 ? [] : lines.slice(at);
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
