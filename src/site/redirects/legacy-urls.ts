import type { KnowledgeBase, LanguageTag } from '../../core/model.ts';
import { zendeskIdOf } from '../../core/zendesk-id.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import type { RecordRule, RedirectRule } from './redirect-table.ts';

/** The URLs of the previous help centre, generated one by one, because there are too many to keep in memory. */
export interface LegacyUrls extends Iterable<RedirectRule> {
  /** The rule of a URL, spelled as in the rule. */
  find(from: string): RedirectRule | undefined;
}

/**
 * Single legacy URLs, for hosts without patterns, sorted: with all current and former slugs, and without slug. `/article/<id>` is in the
 * interface document; `/l/<lang>/…` was observed in help centres.
 */
export function legacyUrls(records: LegacyRecords, plan: Plan): LegacyUrls {
  const forms: readonly Form[] = [null, ...plan.languages.map(({ tag }) => tag)]
    .flatMap((language) =>
      (['article', 'category'] as const).map((kind) => {
        const prefix = language === null ? '' : `/l/${language}`;
        return { language, kind, folder: `${plan.basePath}${prefix}/${kind}/` };
      }),
    )
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
  return {
    *[Symbol.iterator]() {
      for (const form of forms) {
        if (form.kind === 'category') yield* categoryAddresses(records, form, plan);
        // Article ids consist of letters and digits, so sorted ids give sorted URLs, with and without slug.
        else for (const record of records.ofKind('article')) yield* addressesOf(record, form, plan);
      }
    },
    find(from) {
      const form = forms.find(({ folder }) => from.startsWith(folder));
      if (form === undefined) return undefined;
      const name = from.slice(form.folder.length);
      for (const id of form.kind === 'category' ? prefixes(name) : name.split('-', 1)) {
        const record = records.find(form.kind, id);
        const rule = record && addressesOf(record, form, plan).find((one) => one.from === from);
        if (rule !== undefined) return rule;
      }
      return undefined;
    },
  };
}

/** One of the URL forms of the previous help centre. */
interface Form {
  /** `null` for a URL without language. */
  readonly language: LanguageTag | null;
  readonly kind: LegacyRecord['kind'];
  /** The path before the id. */
  readonly folder: string;
}

/** Sorted. Category ids may contain hyphens: an id that equals the id and slug of another category comes first. */
function categoryAddresses(records: LegacyRecords, form: Form, plan: Plan): readonly RedirectRule[] {
  const byAddress = new Map<string, RedirectRule>();
  const rules = [...records.ofKind('category')].map((record) => addressesOf(record, form, plan));
  for (const [bare] of rules) if (bare !== undefined) byAddress.set(bare.from, bare);
  for (const rule of rules.flat()) if (!byAddress.has(rule.from)) byAddress.set(rule.from, rule);
  return [...byAddress.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** Possible ids in `<id>[-<slug>]`, longest first. */
function prefixes(name: string): readonly string[] {
  const parts = name.split('-');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
}

function addressesOf(
  { id, to, toByLanguage, slugs }: LegacyRecord,
  { language, folder }: Form,
  { defaultLanguage }: Plan,
): readonly RedirectRule[] {
  const target = language === null ? to : toByLanguage.get(language);
  if (target === undefined) return [];
  const own =
    language === null ? (slugs.get(defaultLanguage) ?? slugs.values().next().value) : slugs.get(language);
  return [id, ...(own ?? []).map((slug) => `${id}-${slug}`)].map((name) => ({
    origin: 'legacy-url',
    from: folder + name,
    to: target,
    isPermanent: true,
  }));
}

/** The parts of a record's legacy URLs. */
interface LegacyRecord extends RecordRule {
  /** Per language the current and former slugs, sorted. */
  readonly slugs: ReadonlyMap<LanguageTag, readonly string[]>;
}

/** Returns the former slugs of a record, in any order; the current one may be included. */
type FormerSlugs = (page: {
  readonly kind: RecordRule['kind'];
  readonly id: string;
  readonly language: LanguageTag;
}) => readonly string[];

type LegacyTranslations = readonly { readonly language: LanguageTag; readonly slug: string | null }[];

/** The public records of a knowledge base, created on demand: articles before categories, then by id. */
interface LegacyRecords extends Iterable<LegacyRecord> {
  ofKind(kind: LegacyRecord['kind']): Iterable<LegacyRecord>;
  find(kind: LegacyRecord['kind'], id: string): LegacyRecord | undefined;
}

/** One rule per public record for all its legacy URLs. */
export function legacyRecords(
  { articles, categories }: KnowledgeBase,
  plan: Plan,
  formerSlugs: FormerSlugs,
): LegacyRecords {
  const sources = {
    article: { sorted: articles, pages: (id: string) => plan.articles.get(id)?.pages },
    category: {
      sorted: categories.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      pages: (id: string) => plan.categoryPages.get(id),
    },
  };
  function* ofKind(kind: LegacyRecord['kind']): Generator<LegacyRecord> {
    const { sorted, pages } = sources[kind];
    for (const { id, translations } of sorted) {
      const record = legacyRecord(kind, id, translations, pages(id), formerSlugs);
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
      const found = (sorted as readonly { id: string; translations: LegacyTranslations }[]).find(
        (record) => record.id === id,
      );
      return found && legacyRecord(kind, id, found.translations, pages(id), formerSlugs);
    },
  };
}

/** For a site without legacy URLs. */
export const noRecords: LegacyRecords = {
  *[Symbol.iterator]() {},
  ofKind: () => [],
  find: () => undefined,
};

function legacyRecord(
  kind: RecordRule['kind'],
  id: string,
  translations: LegacyTranslations,
  pages: ReadonlyMap<LanguageTag, PageAddress> | undefined,
  formerSlugs: FormerSlugs,
): LegacyRecord | undefined {
  // The source language comes first.
  const to = pages?.values().next().value?.href;
  if (pages === undefined || to === undefined) return undefined;
  const slugs = translations.flatMap(({ language, slug }) => {
    const all = new Set([...(slug ? [slug] : []), ...formerSlugs({ kind, id, language })]);
    return all.size === 0 ? [] : [[language, [...all].sort()] as const];
  });
  const toByLanguage = new Map([...pages].map(([language, { href }]) => [language, href]));
  return { kind, id, to, toByLanguage, slugs: new Map(slugs) };
}

/**
 * Rules for the URLs of a Zendesk Guide help centre: `/hc/<locale>/articles/<id>-<slug>`, the same for sections and categories, without
 * slug, and without locale. An untranslated URL redirects to the record in its source language. Records whose id is not from Zendesk have
 * no rule.
 */
export function zendeskRules({ articles, categories }: KnowledgeBase, plan: Plan): readonly RedirectRule[] {
  const locales = listZendeskLocales(plan.languages.map(({ tag }) => tag));
  const start = `${plan.basePath}/hc`;
  const rulesOf = (
    name: string,
    pages: ReadonlyMap<LanguageTag, PageAddress> | undefined,
    slugs: ReadonlyMap<LanguageTag, string | null>,
  ): readonly RedirectRule[] => {
    const first = pages?.values().next().value;
    if (pages === undefined || first === undefined) return [];
    const rule = (from: string, to: string, isPermanent: boolean): RedirectRule => ({
      origin: 'legacy-url',
      from: from.normalize('NFC'),
      to,
      isPermanent,
    });
    return [
      rule(`${start}/${name}`, first.href, true),
      ...locales.flatMap(([locale, language]) => {
        const own = pages.get(language);
        const slug = slugs.get(language);
        const from = `${start}/${locale}/${name}`;
        const to = (own ?? first).href;
        const withSlug = slug ? [rule(`${from}-${slug}`, to, own !== undefined)] : [];
        return [rule(from, to, own !== undefined), ...withSlug];
      }),
    ];
  };
  return [
    ...articles.flatMap(({ id, translations }) => {
      const number = zendeskIdOf(id);
      if (number === null) return [];
      const slugs = new Map(translations.map(({ language, slug }) => [language, slug]));
      return rulesOf(`articles/${number}`, plan.articles.get(id)?.pages, slugs);
    }),
    ...categories.flatMap(({ id, translations }) => {
      if (!/^[sc]\d{1,16}$/.test(id)) return [];
      const slugs = new Map(translations.map(({ language, slug }) => [language, slug]));
      const name = `${id.startsWith('s') ? 'sections' : 'categories'}/${id.slice(1)}`;
      return rulesOf(name, plan.categoryPages.get(id), slugs);
    }),
  ];
}

/** The lower-case locales of Zendesk with their languages. Zendesk has no plain `en`, so `en` means its default `en-us`. */
function listZendeskLocales(
  languages: readonly LanguageTag[],
): readonly (readonly [locale: string, language: LanguageTag])[] {
  const locales = languages.map((language) => [language.toLowerCase(), language] as const);
  const english = locales.find(([locale]) => locale === 'en');
  const isMissing = english !== undefined && !locales.some(([locale]) => locale === 'en-us');
  return isMissing ? [...locales, ['en-us', english[1]]] : locales;
}
