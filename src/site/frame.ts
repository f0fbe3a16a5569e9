import type { LanguageTag } from '../foundation/model.ts';
import { type HeadFacts, type HeadText, renderHead } from './head.ts';
import type { Texts } from './texts.ts';
import type { BaseView, LanguageLinkView, LanguageView, SiteView } from './views.ts';

/** What the frame of one page says, before the page's text is known. Plain data: it may cross a thread. */
export interface Frame {
  /** Of the interface. */
  readonly language: LanguageTag;
  readonly page: BaseView['page'];
  readonly head: HeadFacts;
  readonly languages: readonly LanguageLinkView[];
  readonly tree: PageTree;
}

/** The side tree of one page. */
export interface PageTree {
  /** One object for all pages it stands on, so that a batch of pages takes it to a thread once. */
  readonly shared: SharedTree;
  /** The page, whose link is marked. */
  readonly currentHref: string;
}

/** A tree without a mark, rendered once for many pages. */
export interface SharedTree {
  /** Empty in looks without one. */
  readonly html: string;
  /** SHA-256 of the HTML, hex: names it where some kilobytes a page would take long. */
  readonly sha256: string;
}

/** What the frames of all pages of one language share. */
export interface SharedFrame {
  readonly siteTitle: string;
  readonly site: SiteView;
  readonly language: LanguageView;
  /** HTML. */
  readonly footer: string;
  readonly texts: Texts;
}

/** The fields every page's view has. Pure. */
export function completeFrame(shared: SharedFrame, frame: Frame, text: HeadText): BaseView {
  return {
    site: shared.site,
    language: shared.language,
    page: frame.page,
    head: renderHead(shared.siteTitle, frame.head, text),
    languages: frame.languages,
    tree: markCurrent(frame.tree),
    footer: shared.footer,
    t: shared.texts.text,
    date: shared.texts.date,
  };
}

function markCurrent({ shared, currentHref }: PageTree): string {
  return shared.html.replace(`<a href="${currentHref}"`, `<a aria-current="page" href="${currentHref}"`);
}
