import { hash } from 'node:crypto';
import { isRecord } from '../normalise/fields.ts';

/** What tells records of a list apart: their id, or all they hold where they have none. */
export function elementKey(element: unknown): string {
  if (isRecord(element) && typeof element.article_id === 'string') return element.article_id;
  return `#${hash('sha256', JSON.stringify(element) ?? '')}`;
}
