import type { LanguageTag } from '../model.ts';
import type { PageAddress } from '../plan/plan.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { renderHead } from './head.ts';
import type { BaseView, LanguageLinkView } from './views.ts';

/** What tells one page from another, as far as its frame is concerned. */
export interface PageParts {
  readonly page: PageAddress;
  /** Plain text; `null` on pages that bear the site's own title. */
  readonly title: string | null;
  readonly titleLanguage?: LanguageTag;
  readonly description: string | null;
  readonly kind?: 'website' | 'article';
  readonly isIndexed?: boolean;
  /** The page in every language it really exists in. */
  readonly translations?: ReadonlyMap<LanguageTag, PageAddress>;
  readonly defaultPage?: PageAddress | null;
  readonly markdown?: PageAddress | null;
  readonly tree?: string;
  /** The page this one only stands in for. */
  readonly canonical?: PageAddress;
  /** Pages of other languages that stand in for this one: for the language switcher alone. */
  readonly standIns?: ReadonlyMap<LanguageTag, PageAddress>;
  readonly structuredData?: string;
}

/** The fields every page's view has. */
export function baseView(context: SiteContext, language: LanguageContext, parts: PageParts): BaseView {
  const { plan } = context;
  const { tag } = language.planned;
  const title = parts.title ?? plan.siteTitle;
  const fullTitle = parts.title === null || title === plan.siteTitle ? title : `${title} · ${plan.siteTitle}`;
  const translations = parts.translations ?? new Map<LanguageTag, PageAddress>();
  const head = renderHead({
    plan,
    page: parts.page,
    canonical: parts.canonical ?? parts.page,
    title,
    description: parts.description,
    language: tag,
    kind: parts.kind ?? 'website',
    alternates: [...translations].map(([other, page]) => ({ language: other, page })),
    defaultPage: parts.defaultPage ?? null,
    isIndexed: parts.isIndexed ?? true,
    markdown: parts.markdown ?? null,
    feed:
      language.view.feed === null
        ? null
        : { page: language.addresses.feed, title: language.texts.text('feed') },
    structuredData: parts.structuredData ?? '',
  });
  return {
    site: context.view,
    language: language.view,
    page: {
      path: parts.page.path,
      title,
      fullTitle,
      lang: parts.titleLanguage === undefined || parts.titleLanguage === tag ? null : parts.titleLanguage,
    },
    head,
    languages: languageLinks(context, tag, new Map([...translations, ...(parts.standIns ?? [])])),
    tree: parts.tree ?? '',
    footer: context.shared.footer(language),
    t: language.texts.text,
    date: language.texts.date,
  };
}

/** The language switcher: the same page where it is translated, else the language's home page. */
function languageLinks(
  context: SiteContext,
  current: LanguageTag,
  translations: ReadonlyMap<LanguageTag, PageAddress>,
): readonly LanguageLinkView[] {
  return context.plan.languages.map(({ tag, name, dir, home }) => {
    const page = translations.get(tag);
    return {
      tag,
      name,
      dir,
      href: (page ?? home).href,
      isCurrent: tag === current,
      isSamePage: page !== undefined,
    };
  });
}
