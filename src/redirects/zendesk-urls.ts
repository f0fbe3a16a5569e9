import type { KnowledgeBase, LanguageTag } from '../foundation/model.ts';
import { zendeskIdOf } from '../foundation/zendesk-id.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import type { RedirectRule } from './redirect-table.ts';

/**
 * Rules for the addresses a help centre of Zendesk Guide has: `/hc/<locale>/articles/<id>-<slug>`, the same for sections and
 * categories, without slug, and without locale. One that is not translated leads to the record in its source language.
 */
export function zendeskRules({ articles, categories }: KnowledgeBase, plan: Plan): readonly RedirectRule[] {
  const languages = plan.languages.map(({ tag }) => tag);
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
      ...languages.flatMap((language) => {
        const own = pages.get(language);
        const slug = slugs.get(language);
        const from = `${start}/${language}/${name}`;
        const to = (own ?? first).href;
        const withSlug = slug ? [rule(`${from}-${slug}`, to, own !== undefined)] : [];
        return [rule(from, to, own !== undefined), ...withSlug];
      }),
    ];
  };
  return [
    ...articles.flatMap(({ id, translations }) => {
      const slugs = new Map(translations.map(({ language, slug }) => [language, slug]));
      return rulesOf(`articles/${zendeskIdOf(id)}`, plan.articles.get(id)?.pages, slugs);
    }),
    ...categories.flatMap(({ id, translations }) => {
      const slugs = new Map(translations.map(({ language, slug }) => [language, slug]));
      const name = `${id.startsWith('s') ? 'sections' : 'categories'}/${id.slice(1)}`;
      return rulesOf(name, plan.categoryPages.get(id), slugs);
    }),
  ];
}
