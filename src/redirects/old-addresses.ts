import type { KnowledgeBase, LanguageTag } from '../model.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import type { RecordRule, RedirectRule } from './redirect-table.ts';

/** What the old help centre made a record's addresses of. */
interface OldRecord extends RecordRule {
  readonly slugs: ReadonlyMap<LanguageTag, string>;
}

type Translations = readonly { readonly language: LanguageTag; readonly slug: string | null }[];

/** A rule per public record for all addresses the old help centre had for it. */
export function oldRecords(knowledgeBase: KnowledgeBase, plan: Plan): readonly OldRecord[] {
  const articles = knowledgeBase.articles.flatMap(({ id, translations }) =>
    oldRecord('article', id, translations, plan.articles.get(id)?.pages),
  );
  const categories = knowledgeBase.categories
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, translations }) => oldRecord('category', id, translations, plan.categoryPages.get(id)));
  return [...articles, ...categories];
}

/**
 * The same as single addresses, for hosts that know no patterns: with the slugs the knowledge base has today and with
 * none. `/article/<id>` comes from the interface document, `/l/<lang>/…` from what help centres were seen to do.
 */
export function oldAddresses(records: readonly OldRecord[], plan: Plan): readonly RedirectRule[] {
  return records.flatMap(({ kind, id, to, toByLanguage, slugs }) => {
    const forms = (prefix: string, slug: string | undefined, target: string) =>
      [id, ...(slug === undefined ? [] : [`${id}-${slug}`])].map((name) =>
        rule(`${plan.basePath}${prefix}/${kind}/${name}`, target),
      );
    return [
      ...forms('', slugs.get(plan.defaultLanguage) ?? slugs.values().next().value, to),
      ...[...toByLanguage].flatMap(([language, target]) =>
        forms(`/l/${language}`, slugs.get(language), target),
      ),
    ];
  });
}

function oldRecord(
  kind: RecordRule['kind'],
  id: string,
  translations: Translations,
  pages: ReadonlyMap<LanguageTag, PageAddress> | undefined,
): readonly OldRecord[] {
  // The source language comes first.
  const to = pages?.values().next().value?.href;
  if (pages === undefined || to === undefined) return [];
  const slugs = translations.flatMap(({ language, slug }) => (slug ? [[language, slug] as const] : []));
  const toByLanguage = new Map([...pages].map(([language, { href }]) => [language, href]));
  return [{ kind, id, to, toByLanguage, slugs: new Map(slugs) }];
}

function rule(from: string, to: string): RedirectRule {
  return { origin: 'old-address', from, to, isPermanent: true };
}
