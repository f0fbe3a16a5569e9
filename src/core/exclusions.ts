import { countOf } from './count-of.ts';

/** Records that are not published, by reason: `1 draft, 2 with no content, 1 hidden translation`. */
export function describeExclusions(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, number]) => number > 0)
    .map(([reason, number]) => describeReason(reason, number))
    .join(', ');
}

/** `2 drafts`; an unknown reason is its own text. */
export function describeReason(reason: string, number: number): string {
  return reasons[reason]?.(number) ?? `${number} ${reason}`;
}

/** Reasons whose text differs from their name. */
const reasons: Readonly<Record<string, (count: number) => string>> = {
  draft: (count) => countOf(count, 'draft'),
  'no-content': (count) => `${count} with no content`,
  noindex: (count) => `${count} with noindex`,
  redirect: (count) => countOf(count, 'redirect'),
  'not-found': (count) => `${countOf(count, 'page')} for URLs that do not exist`,
  listing: (count) => `${countOf(count, 'page')} that only list${count === 1 ? 's' : ''} others`,
  copy: (count) => countOf(count, 'copy', 'copies'),
  'other-language': (count) => `${count} in other languages only`,
  'visibility-unknown': (count) => `${count} with unknown visibility`,
  gone: (count) => `${count} deleted during the build`,
  'hidden-translation': (count) => countOf(count, 'hidden translation'),
  'other-language-translation': (count) => `${countOf(count, 'translation')} in other languages`,
};
