import type { LanguageTag } from '../foundation/model.ts';
import type { TextKey, TextValues } from './texts.ts';

/** A link as templates print it. */
export interface LinkView {
  readonly href: string;
  readonly title: string;
  /** Language of the title (and of the page behind it) where it is not the page's own, else `null`. */
  readonly lang: LanguageTag | null;
}

/** An article in a list. */
export interface ArticleLinkView extends LinkView {
  readonly id: string;
  readonly description: string | null;
  /** Own name of the article's language where it is not the page's, else `null`. */
  readonly languageName: string | null;
}

/** A category with what it holds, to the depth a page shows. */
export interface CategoryView extends LinkView {
  readonly id: string;
  readonly description: string | null;
  /**
   * As the knowledge base gives it, e.g. the name of an icon, else guessed from the title; `null` where neither names
   * one.
   */
  readonly icon: string | null;
  /** The icon where it is an emoji, else `null`. */
  readonly symbol: string | null;
  /** Articles here and below. */
  readonly articleCount: number;
  /** Articles filed directly here, listed in `articles` or not. */
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
  /** False where the link leads to the language's home page, because this page is not translated. */
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
  /** Files by the name they have before fingerprinting, e.g. `it.site.assets['site.css']`. */
  readonly assets: Readonly<Record<string, string>>;
  readonly isMultilingual: boolean;
  /** Address of the logo or `null`. */
  readonly logo: string | null;
  /** The same on dark ground; `null`: the one logo serves for both. */
  readonly logoDark: string | null;
  readonly headerLinks: readonly LinkView[];
  readonly footerLinks: readonly LinkView[];
  /** Where readers get help from people, or `null`. */
  readonly contact: string | null;
  /** The bar above the header, or `null`. */
  readonly announcement: { readonly text: string; readonly href: string | null } | null;
  /** Where answers to "Was this article helpful?" are sent, or `null`. */
  readonly feedback: string | null;
  /** Where the view of an article is counted, with `{id}` for its id, or `null`. */
  readonly countViews: string | null;
  /** Absolute address of the image for pages that are shared, or `null`. */
  readonly ogImage: string | null;
  /** For structured data; absolute addresses. */
  readonly publisher: { readonly name: string; readonly url: string | null; readonly logo: string | null };
}

/** Data that every page of one language shares. */
export interface LanguageView {
  readonly tag: LanguageTag;
  readonly dir: 'ltr' | 'rtl';
  readonly name: string;
  /** Address of the home page. */
  readonly home: string;
  /** Address of the index of all articles. */
  readonly index: string;
  /** Address of the search page. */
  readonly search: string;
  /** Address of the file the search starts from. */
  readonly searchIndex: string;
  /** Address of the script that searches. */
  readonly searchScript: string;
  /** Address of the Atom feed, or `null` where there is none. */
  readonly feed: string | null;
}

/** Data for parts that many pages share (footer, side tree). */
export interface SharedView {
  readonly kind: 'shared';
  readonly site: SiteView;
  readonly language: LanguageView;
  readonly t: (key: TextKey, values?: TextValues) => string;
  readonly date: (iso: string) => string;
  readonly inLanguage: (tag: LanguageTag | null) => string;
  readonly categories: readonly TreeNodeView[];
}

/** A category of the side tree. On a large site, only those on the way to the page have articles. */
export interface TreeNodeView extends CategoryView {
  /** On the way to the page. */
  readonly isOpen: boolean;
  readonly children: readonly TreeNodeView[];
}

/** Fields of every page's view. */
export interface BaseView {
  readonly site: SiteView;
  readonly language: LanguageView;
  readonly page: {
    readonly path: string;
    readonly title: string;
    /** For `<title>`. */
    readonly fullTitle: string;
    /** Language of title and content where it is not the page's own (an untranslated category), else `null`. */
    readonly lang: LanguageTag | null;
  };
  /** HTML of the machine-readable part of the head: description, canonical, alternates, structured data. */
  readonly head: string;
  readonly languages: readonly LanguageLinkView[];
  /** HTML of the side tree of this section; empty in looks without one. */
  readonly tree: string;
  /** HTML of the footer, the same on all pages of a language. */
  readonly footer: string;
  /** Interface text. */
  readonly t: (key: TextKey, values?: TextValues) => string;
  /** A date as the page's language writes it. */
  readonly date: (iso: string) => string;
  /** Attributes for text of another language, ` lang="ar" dir="rtl"`; empty for `null`, text of the page's own. */
  readonly inLanguage: (tag: LanguageTag | null) => string;
}

export interface HomeView extends BaseView {
  readonly kind: 'home';
  readonly categories: readonly CategoryView[];
  readonly featured: readonly ArticleLinkView[];
  readonly popular: readonly ArticleLinkView[];
  readonly recent: readonly (ArticleLinkView & { readonly updatedAt: string })[];
  /** Articles without a category, the first ones. */
  readonly unassigned: readonly ArticleLinkView[];
  readonly hasMoreUnassigned: boolean;
}

export interface CategoryPageView extends BaseView {
  readonly kind: 'category';
  readonly breadcrumbs: readonly LinkView[];
  readonly category: CategoryView;
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
    /** Address of the Markdown twin. */
    readonly markdown: string;
    /** Where readers suggest a change, or `null`. */
    readonly editUrl: string | null;
    /** Assistants that open the Markdown twin; empty also where the site's address is not known. */
    readonly assistants: readonly { readonly title: string; readonly href: string }[];
    /** Language of title and text where it is not the page's, else `null`. */
    readonly lang: LanguageTag | null;
    /** Direction of title and text. */
    readonly dir: 'ltr' | 'rtl';
  };
  /** Sentence telling that the article is shown in another language, or `null`. */
  readonly notice: string | null;
  /** Empty where the article switches it off or has fewer than two headings. */
  readonly toc: readonly TocView[];
  readonly previous: LinkView | null;
  readonly next: LinkView | null;
  readonly related: readonly ArticleLinkView[];
}

/** The index of all articles, by first letter. */
export interface IndexView extends BaseView {
  readonly kind: 'index';
  readonly breadcrumbs: readonly LinkView[];
  readonly letters: readonly {
    readonly id: string;
    readonly letter: string;
    /** Where its articles are listed: on this page or on one of its own. */
    readonly href: string;
    /** Empty where they are listed elsewhere. */
    readonly articles: readonly ArticleLinkView[];
  }[];
}

export interface SearchView extends BaseView {
  readonly kind: 'search';
  readonly breadcrumbs: readonly LinkView[];
  /** Offered where nothing is found; the recent ones where no statistics tell the popular ones. */
  readonly popular: readonly ArticleLinkView[];
  readonly recent: readonly ArticleLinkView[];
  /** Offered where neither are there. */
  readonly categories: readonly CategoryView[];
}

export interface NotFoundView extends BaseView {
  readonly kind: 'not-found';
  readonly categories: readonly CategoryView[];
}

/** The page at the root of the site: leads to a language. */
export interface RootView extends BaseView {
  readonly kind: 'root';
  /** URL of the only language; `null` when there are several to choose from. */
  readonly redirect: string | null;
}

/** A page that redirects to another one. */
export interface RedirectView extends BaseView {
  readonly kind: 'redirect';
  readonly target: LinkView;
}

/** The data of one page or shared part; a template gets exactly the member of its kind. */
export type View =
  | SharedView
  | HomeView
  | CategoryPageView
  | ArticleView
  | IndexView
  | SearchView
  | NotFoundView
  | RootView
  | RedirectView;
