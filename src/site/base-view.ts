import type { LanguageTag } from '../foundation/model.ts';
import type { PageAddress } from '../plan/plan.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { completeChrome, type HeadText, type PageChrome, type PageTree } from './page-chrome.ts';
import type { BaseView, LanguageLinkView } from './views.ts';

/** Facts about one page that its chrome depends on. */
interface PageParts {
  readonly page: PageAddress;
  /** Plain text; `null` on pages that have the site's own title. */
  readonly title: string | null;
  readonly titleLanguage?: LanguageTag;
  /** Title of its category, added to `<title>` if the page title is not unique. */
  readonly category?: string | null;
  readonly kind?: 'website' | 'article';
  readonly isIndexed?: boolean;
  /** The page in every language that has it. */
  readonly translations?: ReadonlyMap<LanguageTag, PageAddress>;
  readonly defaultPage?: PageAddress | null;
  readonly markdown?: PageAddress | null;
  /** Absolute URL of its picture for shared links. */
  readonly image?: string | null;
  readonly tree?: PageTree;
  /** The page that search engines should index instead of this one. */
  readonly canonical?: PageAddress;
  /** Pages in other languages that replace missing translations; used only in the language menu. */
  readonly fallbackPages?: ReadonlyMap<LanguageTag, PageAddress>;
}

/** The fields of every page's view. */
export function baseView(
  context: SiteContext,
  language: LanguageContext,
  {
    description,
    structuredData = '',
    ...parts
  }: PageParts & Partial<HeadText> & Pick<HeadText, 'description'>,
): BaseView {
  const { texts, view } = language;
  const shared = {
    site: language.site,
    language: view,
    footer: context.shared.footer(language),
    texts,
  };
  return completeChrome(shared, describeChrome(context, language, parts), { description, structuredData });
}

/** The chrome of a page, without the parts that depend on its text. */
export function describeChrome(
  context: SiteContext,
  language: LanguageContext,
  parts: PageParts,
): PageChrome {
  const { plan } = context;
  const { tag } = language.planned;
  const { page, canonical = page } = parts;
  const isIndexed = !context.noindex && parts.isIndexed !== false;
  const { siteTitle } = language.planned;
  const title = parts.title ?? siteTitle;
  const translations = parts.translations ?? new Map<LanguageTag, PageAddress>();
  const hasAddress = plan.siteUrl !== null;
  return {
    language: tag,
    page: {
      path: page.path,
      title,
      fullTitle:
        parts.title === null || title === siteTitle
          ? title
          : [title, ...(parts.category ? [parts.category] : []), siteTitle].join(' · '),
      lang: parts.titleLanguage === undefined || parts.titleLanguage === tag ? null : parts.titleLanguage,
    },
    head: {
      title,
      language: tag,
      kind: parts.kind ?? 'website',
      isIndexed,
      url: hasAddress ? page.url : null,
      canonical: hasAddress && (isIndexed || canonical !== page) ? canonical.url : null,
      alternates: hasAddress ? [...translations].map(([other, { url }]) => ({ language: other, url })) : [],
      defaultUrl: parts.defaultPage?.url ?? null,
      markdown: parts.markdown?.href ?? null,
      feed:
        language.view.feed === null
          ? null
          : { href: language.addresses.feed.href, title: language.texts.text('feed') },
      image: parts.image ?? null,
    },
    languages: languageLinks(context, tag, new Map([...translations, ...(parts.fallbackPages ?? [])])),
    topics: language.topics,
    tree: parts.tree ?? noTree,
  };
}

const noTree: PageTree = { shared: { html: '', sha256: '' }, currentHref: '' };

/** The language switcher: the same page if it is translated, else the language's home page. */
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
