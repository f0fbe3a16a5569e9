import { countOf } from '../foundation/count-of.ts';
import type { PulledForms } from './pull.ts';

/** How many texts a pull wrote as Markdown, and how many stay HTML for which reasons; `''` when it wrote none. */
export function formatForms({ markdown, html }: PulledForms): string {
  const reasons = [...html].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  if (markdown + sum === 0) return '';
  const written = `${countOf(markdown, 'text')} written as Markdown`;
  if (sum === 0) return written;
  const list = reasons.map(([reason, count]) => `${reason} ${count.toLocaleString('en')}`).join(', ');
  return `${written}; ${countOf(sum, 'text')} ${sum === 1 ? 'stays' : 'stay'} HTML: ${list}`;
}
