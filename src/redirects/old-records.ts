import type { KnowledgeBase, LanguageTag } from '../foundation/model.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import type { RecordRule } from './redirect-table.ts';

/** What the old help centre made a record's addresses of. */
export interface OldRecord extends RecordRule {
  readonly slugs: ReadonlyMap<LanguageTag, string>;
}

type Translations = readonly { readonly language: LanguageTag; readonly slug: string | null }[];

/** The public records of a knowledge base: articles before categories, then by id, made when they are asked for. */
export interface OldRecords extends Iterable<OldRecord> {
  ofKind(kind: OldRecord['kind']): Iterable<OldRecord>;
  find(kind: OldRecord['kind'], id: string): OldRecord | undefined;
}

/** A rule per public record for all addresses the old help centre had for it. */
export function oldRecords({ articles, categories }: KnowledgeBase, plan: Plan): OldRecords {
  const sources = {
    article: { sorted: articles, pages: (id: string) => plan.articles.get(id)?.pages },
    category: {
      sorted: categories.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      pages: (id: string) => plan.categoryPages.get(id),
    },
  };
  function* ofKind(kind: OldRecord['kind']): Generator<OldRecord> {
    const { sorted, pages } = sources[kind];
    for (const { id, translations } of sorted) {
      const record = oldRecord(kind, id, translations, pages(id));
      if (record !== undefined) yield record;
    }
  }
  return {
    *[Symbol.iterator]() {
      yield* ofKind('article');
      yield* ofKind('category');
    },
    ofKind,
    find(kind, id) {
      const { sorted, pages } = sources[kind];
      const found = (sorted as readonly { id: string; translations: Translations }[]).find(
        (record) => record.id === id,
      );
      return found && oldRecord(kind, id, found.translations, pages(id));
    },
  };
}

/** A site that wants no addresses of the old help centre. */
export const noRecords: OldRecords = {
  *[Symbol.iterator]() {},
  ofKind: () => [],
  find: () => undefined,
};

function oldRecord(
  kind: RecordRule['kind'],
  id: string,
  translations: Translations,
  pages: ReadonlyMap<LanguageTag, PageAddress> | undefined,
): OldRecord | undefined {
  // The source language comes first.
  const to = pages?.values().next().value?.href;
  if (pages === undefined || to === undefined) return undefined;
  const slugs = translations.flatMap(({ language, slug }) => (slug ? [[language, slug] as const] : []));
  const toByLanguage = new Map([...pages].map(([language, { href }]) => [language, href]));
  return { kind, id, to, toByLanguage, slugs: new Map(slugs) };
}
