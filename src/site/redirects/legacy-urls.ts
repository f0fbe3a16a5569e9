import type { KnowledgeBase, LanguageTag } from '../../core/model.ts';
import { zendeskIdOf } from '../../core/zendesk-id.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import type { RecordRule, RedirectRule } from './redirect-table.ts';
import { pagesOf } from './url-history.ts';

/** The parts of a record's URLs in a hosted help centre. */
interface HostedRecord extends RecordRule {
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

/** The public records of a knowledge base: articles before categories, then by id. */
export function hostedRecords(
  { articles, categories }: KnowledgeBase,
  plan: Plan,
  formerSlugs: FormerSlugs,
): readonly HostedRecord[] {
  const recordOf = (
    kind: RecordRule['kind'],
    id: string,
    translations: LegacyTranslations,
  ): readonly HostedRecord[] => {
    const pages = pagesOf(plan, kind, id);
    // The source language comes first.
    const to = pages?.values().next().value?.href;
    if (pages === undefined || to === undefined) return [];
    const slugs = translations.flatMap(({ language, slug }) => {
      const all = new Set([...(slug ? [slug] : []), ...formerSlugs({ kind, id, language })]);
      return all.size === 0 ? [] : [[language, [...all].sort()] as const];
    });
    const toByLanguage = new Map([...pages].map(([language, { href }]) => [language, href]));
    return [{ kind, id, to, toByLanguage, slugs: new Map(slugs) }];
  };
  return [
    ...articles.flatMap(({ id, translations }) => recordOf('article', id, translations)),
    ...categories
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({ id, translations }) => recordOf('category', id, translations)),
  ];
}

/**
 * Rules for single URLs of a hosted help centre, for hosts without patterns: with all current and former slugs, and without slug. `/article/<id>` is in
 * the interface document; `/l/<lang>/…` was observed in help centres.
 */
export function hostedRules(records: readonly HostedRecord[], plan: Plan): readonly RedirectRule[] {
  const rulesOf = ({ kind, id, to, toByLanguage, slugs }: HostedRecord, language: LanguageTag | null) => {
    const target = language === null ? to : toByLanguage.get(language);
    if (target === undefined) return [];
    const own =
      language === null
        ? (slugs.get(plan.defaultLanguage) ?? slugs.values().next().value)
        : slugs.get(language);
    const folder = `${plan.basePath}${language === null ? '' : `/l/${language}`}/${kind}/`;
    return [id, ...(own ?? []).map((slug) => `${id}-${slug}`)].map(
      (name): RedirectRule => ({ origin: 'hosted-url', from: folder + name, to: target, isPermanent: true }),
    );
  };
  const rules = [null, ...plan.languages.map(({ tag }) => tag)].flatMap((language) =>
    records.map((record) => rulesOf(record, language)),
  );
  // Category ids may contain hyphens: an id that equals the id and slug of another category comes first.
  return [...rules.flatMap(([bare]) => bare ?? []), ...rules.flatMap(([, ...others]) => others)];
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
    translations: LegacyTranslations,
  ): readonly RedirectRule[] => {
    const first = pages?.values().next().value;
    if (pages === undefined || first === undefined) return [];
    const slugs = new Map(translations.map(({ language, slug }) => [language, slug]));
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
      return rulesOf(`articles/${number}`, plan.articles.get(id)?.pages, translations);
    }),
    ...categories.flatMap(({ id, translations }) => {
      if (!/^[sc]\d{1,16}$/.test(id)) return [];
      const name = `${id.startsWith('s') ? 'sections' : 'categories'}/${id.slice(1)}`;
      return rulesOf(name, plan.categoryPages.get(id), translations);
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
