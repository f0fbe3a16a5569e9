import type { PageAddress, Plan } from '../plan/plan.ts';
import type { AddressEntry } from './address-entry.ts';
import { fileKey, type RedirectRule } from './redirect-table.ts';

/**
 * Rules for every address a page had and has no more: to its new address; to the record in another language, for the
 * time being, where it is not translated any more; gone where the record is not public any more.
 */
export function movedPage(entry: AddressEntry, plan: Plan): readonly RedirectRule[] {
  if (entry.earlier.length === 0) return [];
  const target = targetOf(entry, plan);
  return entry.earlier.map((path) => ({ ...target, from: fileKey(plan.basePath, path) }));
}

function targetOf({ kind, id, language }: AddressEntry, plan: Plan): Omit<RedirectRule, 'from'> {
  const pages: ReadonlyMap<string, PageAddress> | undefined =
    kind === 'article' ? plan.articles.get(id)?.pages : plan.categoryPages.get(id);
  const own = pages?.get(language);
  if (own !== undefined) return { origin: 'renamed', to: own.href, isPermanent: true };
  const other = pages?.values().next().value;
  return other === undefined
    ? { origin: 'gone', to: null, isPermanent: true }
    : { origin: 'untranslated', to: other.href, isPermanent: false };
}
