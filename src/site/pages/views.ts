import type { LanguageTag } from '../../core/model.ts';
import type { TextKey, TextValues } from './texts.ts';

/** A link as templates print it. */
export interface LinkView {
  readonly href: string;
  readonly title: string;
  /** Language of the title and the linked page if it is not the page's own, else `null`. */
  readonly lang: LanguageTag | null;
}

/** An article in a list. */
export interface ArticleLinkView extends LinkView {
  readonly id: string;
  readonly description: string | null;
  /** The article's language in its own name if it is not the page's language, else `null`. */
  readonly languageName: string | null;
  /** Title of its category if other articles have the same title, else `null`. */
  readonly category: string | null;
}

/** A category with its content, to the depth that a page shows. */
export interface CategoryView extends LinkView {
  readonly id: string;
  readonly description: string | null;
  /** The icon from the knowledge base, e.g. its name, else guessed from the title; `null` if there is neither. */
  readonly icon: string | null;
  /** The icon if it is an emoji, else `null`. */
  readonly symbol: string | null;
  /** Number of articles here and in subcategories. */
  readonly articleCount: number;
  /** Number of direct articles, even if `articles` does not list all. */
  readonly ownCount: number;
  readonly articles: readonly ArticleLinkView[];
  readonly children: readonly CategoryView[];
}

/** One entry of the language switcher. */
export interface LanguageLinkView {
  readonly tag: LanguageTag;
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  readonly href: string;
  readonly isCurrent: boolean;
  /** `false` if the link leads to the language's home page, because this page is not translated. */
  readonly isSamePage: boolean;
}

/** An entry of the table of contents. */
export interface TocView {
  readonly id: string;
  readonly text: string;
  readonly children: readonly TocView[];
}

/** Data that every page of the site shares, in the language of the page. */
export interface SiteView {
  readonly title: string;
  /** Files by their names before fingerprinting, e.g. `it.site.assets['site.css']`. */
  readonly assets: Readonly<Record<string, string>>;
  readonly isMultilingual: boolean;
  /** URL of the logo, or `null`. */
  readonly logo: string | null;
  /** The logo for a dark background; `null` if `logo` serves for both. */
  readonly logoDark: string | null;
  readonly headerLinks: readonly LinkView[];
  readonly footerLinks: readonly LinkView[];
  /** URL where readers contact support, or `null`. */
  readonly contact: string | null;
  /** URL that the form of the contact page is sent to, or `null`. */
  readonly contactForm: string | null;
  /** The bar above the header, or `null`. */
  readonly announcement: { readonly text: string; readonly href: string | null } | null;
  /** URL that answers to "Was this article helpful?" are sent to, or `null`. */
  readonly feedback: string | null;
  /** URL that answers questions with citations, or `null`. */
  readonly answers: string | null;
  /** URL that counts a view of an article, with `{id}` for its id, or `null`. */
  readonly countViews: string | null;
  /** URL that counts a search without a result, or `null`. */
  readonly countSearches: string | null;
  /** Colours of the browser's own bars: those of the page. */
  readonly themeColor: { readonly light: string; readonly dark: string };
  /** URL of the icon on home screens: the logo, if it is a raster image; without a logo, a picture in the colours of the site; else `null`. */
  readonly touchIcon: string | null;
  /** Absolute URL of the image for shared links; `null` if the URL of the site is unknown. */
  readonly ogImage: string | null;
  /** Absolute URL of the logo, for structured data; `null` if there is none, or the URL of the site is unknown. */
  readonly logoUrl: string | null;
}

/** Data that every page of one language shares. */
export interface LanguageView {
  readonly tag: LanguageTag;
  readonly dir: 'ltr' | 'rtl';
  readonly name: string;
  /** URL of the home page. */
  readonly home: string;
  /** URL of the index of all articles. */
  readonly index: string;
  /** URL of the search page. */
  readonly search: string;
  /** URL of the file that the search loads first. */
  readonly searchIndex: string;
  /** URL of the script that searches. */
  readonly searchScript: string;
  /** URL of the web app manifest. */
  readonly manifest: string;
  /** URL of the Atom feed, or `null`. */
  readonly feed: string | null;
}

/** What every template gets that prints a page or a part of one. */
export interface CommonView {
  readonly site: SiteView;
  readonly language: LanguageView;
  /** Interface text. */
  readonly t: (key: TextKey, values?: TextValues) => string;
  /** Formats a date in the page's language. */
  readonly date: (iso: string) => string;
  /** Attributes for text in another language, ` lang="ar" dir="rtl"`; empty for `null`, the page's own language. */
  readonly inLanguage: (tag: LanguageTag | null) => string;
}

/** Data for parts that many pages share (footer, side tree). */
interface SharedView extends CommonView {
  readonly kind: 'shared';
  readonly categories: readonly TreeNodeView[];
}

/** A category of the side tree. On a large site, only categories on the path to the page have articles. */
export interface TreeNodeView extends CategoryView {
  /** Whether it is on the path to the page. */
  readonly isOpen: boolean;
  readonly children: readonly TreeNodeView[];
}

/** Fields of every page's view. */
export interface BaseView extends CommonView {
  readonly page: {
    readonly path: string;
    readonly title: string;
    /** For `<title>`. */
    readonly fullTitle: string;
    /** Language of title and content if it is not the page's own (an untranslated category), else `null`. */
    readonly lang: LanguageTag | null;
  };
  /** HTML of the machine-readable part of the head: description, canonical, alternates, structured data. */
  readonly head: string;
  readonly languages: readonly LanguageLinkView[];
  /** HTML of the navigation beside the page; empty on the home page of the look `help`. */
  readonly tree: string;
  /** HTML of the footer, the same on all pages of a language. */
  readonly footer: string;
}

interface HomeView extends BaseView {
  readonly kind: 'home';
  readonly categories: readonly CategoryView[];
  /** Whether to show the icons of the categories: each has one of its own. */
  readonly hasIcons: boolean;
  readonly featured: readonly ArticleLinkView[];
  readonly popular: readonly ArticleLinkView[];
  readonly recent: readonly (ArticleLinkView & { readonly updatedAt: string })[];
  /** The first articles without a category. */
  readonly unassigned: readonly ArticleLinkView[];
  readonly hasMoreUnassigned: boolean;
}

interface CategoryPageView extends BaseView {
  readonly kind: 'category';
  readonly breadcrumbs: readonly LinkView[];
  readonly category: CategoryView;
  /** The articles of a long category by first letter; empty if it is short. */
  readonly letters: readonly { readonly letter: string; readonly articles: readonly ArticleLinkView[] }[];
}

export interface ArticleView extends BaseView {
  readonly kind: 'article';
  readonly breadcrumbs: readonly LinkView[];
  readonly article: {
    readonly id: string;
    readonly title: string;
    readonly description: string | null;
    readonly createdAt: string | null;
    readonly updatedAt: string | null;
    readonly tags: readonly string[];
    /** Sanitised HTML of the body. */
    readonly html: string;
    /** URL of the Markdown twin. */
    readonly markdown: string;
    /** URL where readers can suggest a change, or `null`. */
    readonly editUrl: string | null;
    /** Language of title and text if it is not the page's, else `null`. */
    readonly lang: LanguageTag | null;
    /** Direction of title and text. */
    readonly dir: 'ltr' | 'rtl';
  };
  /** Sentence that says that the article is shown in another language, or `null`. */
  readonly notice: string | null;
  /** The original, if it was changed on a later day than this translation; its title is a sentence that says so. Else `null`. */
  readonly outdated: LinkView | null;
  /** Empty if the article disables it or has fewer than two headings. */
  readonly toc: readonly TocView[];
  readonly previous: ArticleLinkView | null;
  readonly next: ArticleLinkView | null;
  readonly related: readonly ArticleLinkView[];
  /** The categories at the top, if the article is the home page of its language; else empty. */
  readonly topics: readonly CategoryView[];
}

/** The index of all articles, by first letter. */
export interface IndexView extends BaseView {
  readonly kind: 'index';
  readonly breadcrumbs: readonly LinkView[];
  readonly letters: readonly {
    readonly id: string;
    readonly letter: string;
    /** URL of the list of its articles: on this page or on a separate one. */
    readonly href: string;
    /** Empty if they are listed on another page. */
    readonly articles: readonly ArticleLinkView[];
  }[];
  /** Whether each letter opens its articles, because all of them would be a very long page. */
  readonly isFolded: boolean;
}

interface SearchView extends BaseView {
  readonly kind: 'search';
  readonly breadcrumbs: readonly LinkView[];
  /** Shown if nothing is found: popular articles, or recent ones if there are no statistics. */
  readonly popular: readonly ArticleLinkView[];
  readonly recent: readonly ArticleLinkView[];
  /** Shown if there are neither. */
  readonly categories: readonly CategoryView[];
}

/** The page with the contact form. */
interface ContactView extends BaseView {
  readonly kind: 'contact';
  readonly breadcrumbs: readonly LinkView[];
}

interface NotFoundView extends BaseView {
  readonly kind: 'not-found';
}

/** The page at the root of a site with several languages, which leads to one. */
interface RootView extends BaseView {
  readonly kind: 'root';
}

/** A page that redirects to another one. */
interface RedirectView extends BaseView {
  readonly kind: 'redirect';
  readonly target: LinkView;
}

/** The data of one page; its template has the name of its kind. */
export type PageView =
  | HomeView
  | CategoryPageView
  | ArticleView
  | IndexView
  | SearchView
  | ContactView
  | NotFoundView
  | RootView
  | RedirectView;

/** The data of one page or shared part; each template gets exactly the member of its kind. */
export type View = SharedView | PageView;
