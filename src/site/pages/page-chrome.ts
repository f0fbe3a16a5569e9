import type { LanguageTag } from '../../core/model.ts';
import type { PageAddress } from '../plan/plan.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { noTree, type SharedTree } from './side-tree.ts';
import type { BaseView, LanguageLinkView } from './views.ts';

/**
 * The chrome of one page (head, header, language menu, side tree), without the parts that depend on the page's text. Plain data, because it
 * may be passed to a thread.
 */
export interface PageChrome {
  /** Language of the interface. */
  readonly language: LanguageTag;
  /** URL of the page, whose link in the side tree is marked as current. */
  readonly href: string;
  readonly page: BaseView['page'];
  readonly head: HeadFacts;
  readonly languages: readonly LanguageLinkView[];
  readonly tree: SharedTree;
}

/** Machine-readable part of a page's head, without the parts that depend on its text. Plain data. */
interface HeadFacts {
  readonly kind: 'website' | 'article';
  /** False for pages that search engines must not index. */
  readonly isIndexed: boolean;
  /** Absolute URL of the page; `null` if the site URL is unknown. */
  readonly url: string | null;
  /** Absolute canonical URL; `null` for none. */
  readonly canonical: string | null;
  /** The page in all languages that have it, including its own; empty: no hreflang. */
  readonly alternates: readonly { readonly language: LanguageTag; readonly url: string }[];
  /** URL of the page for readers of other languages (`x-default`), or `null`. */
  readonly defaultUrl: string | null;
  /** URL of the Markdown twin, or `null`. */
  readonly markdown: string | null;
  readonly feed: { readonly href: string; readonly title: string } | null;
}

/** Facts about one page that its chrome depends on. */
export interface PageParts {
  readonly page: PageAddress;
  /** Plain text; `null` on pages that have the site's own title. */
  readonly title: string | null;
  readonly titleLanguage?: LanguageTag;
  /** What tells the page from others with its title, added to `<title>`: its category, or "Articles". */
  readonly category?: string | null;
  readonly kind?: 'website' | 'article';
  readonly isIndexed?: boolean;
  /** The page in every language that has it. */
  readonly translations?: ReadonlyMap<LanguageTag, PageAddress>;
  readonly defaultPage?: PageAddress | null;
  readonly markdown?: PageAddress | null;
  readonly tree?: SharedTree;
  /** The page that search engines should index instead of this one. */
  readonly canonical?: PageAddress;
  /** Pages in other languages that replace missing translations; used only in the language menu. */
  readonly fallbackPages?: ReadonlyMap<LanguageTag, PageAddress>;
}

/** The chrome of a page, without the parts that depend on its text. */
export function describeChrome(
  context: SiteContext,
  language: LanguageContext,
  parts: PageParts,
): PageChrome {
  const { plan } = context;
  const { tag, siteTitle } = language.planned;
  const { page, canonical = page } = parts;
  const isIndexed = !context.noindex && parts.isIndexed !== false;
  const title = parts.title ?? siteTitle;
  const translations = parts.translations ?? new Map<LanguageTag, PageAddress>();
  const hasAddress = plan.siteUrl !== null;
  return {
    language: tag,
    href: page.href,
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
    },
    languages: languageLinks(context, tag, new Map([...translations, ...(parts.fallbackPages ?? [])])),
    tree: parts.tree ?? noTree,
  };
}

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
