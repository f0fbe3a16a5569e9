import { decodePercent } from '../../core/addresses.ts';
import { escapeHtml } from '../../core/html.ts';
import { slugify } from '../../core/slug.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { classAttribute } from '../policy/attributes.ts';
import { isTopOfPage, safeId } from '../policy/ids.ts';
import { absoluteAddress, classifyLink, splitFragment } from '../policy/url-policy.ts';
import { type CleanContext, quote } from './clean-context.ts';
import type { LinkDetail } from './clean-tree.ts';
import type { AssignedHeadings } from './headings.ts';

/** A link that may be published; `attributes` are those besides `href`. */
interface PublishedLink {
  readonly detail: LinkDetail;
  readonly attributes: string;
}

/** Decides how an `<a>` is published; `null` removes the link and keeps its text. */
export function publishLink(node: SourceNode, context: CleanContext): PublishedLink | null {
  const raw = attribute(node, 'href');
  const link = raw === null ? null : publishUrl(raw, attribute(node, 'target') === '_blank', context);
  if (link === null) {
    // Its text stays; what is removed is reported, or leads nowhere.
    context.removed.tally.links++;
    return null;
  }
  return { detail: link.detail, attributes: link.attributes + classAttribute(node, [], context) };
}

/** Decides how a link to this URL is published. */
export function publishUrl(raw: string, opensTab: boolean, context: CleanContext): PublishedLink | null {
  const address = classifyLink(raw);
  switch (address.kind) {
    case 'empty':
      return null;
    case 'refused':
      context.report('LINK_BROKEN', `the URL ${quote(raw)} cannot be published as a link`);
      return null;
    case 'fragment':
      // The id is written before the directive as soon as all ids of the page are known.
      return { attributes: '', detail: link('anchor', address.directive, '', null, address.fragment) };
    case 'contact':
      return { attributes: '', detail: link('external', address.href, address.href, null, null) };
    case 'web':
      return publishWebUrl(address.href, opensTab ? ' target="_blank" rel="noopener"' : '', context);
  }
}

function publishWebUrl(address: string, tab: string, context: CleanContext): PublishedLink | null {
  const resolution = context.resolveLink(address);
  if (resolution.kind === 'unlinked') {
    context.report(resolution.problem, resolution.message);
    return null;
  }
  if (resolution.kind === 'internal') {
    const { href, url, articleId, categoryId, hreflang } = resolution;
    // What a file has is not known: `manual.pdf#page=2`.
    const fragment = articleId === null && categoryId === null ? null : fragmentOf(href);
    return {
      attributes: hreflang === null ? tab : `${tab} hreflang="${escapeHtml(hreflang)}"`,
      detail: link('internal', href, url, articleId, fragment),
    };
  }
  const href = absoluteAddress(address, context.settings.baseUrl);
  if (href !== null) return { attributes: tab, detail: link('external', href, href, null, fragmentOf(href)) };
  context.report('LINK_BROKEN', `the URL ${quote(address)} cannot be published as a link`);
  return null;
}

/**
 * Points links within the page at ids that exist: the id of the fragment, else the heading with that text. Reports links whose target is
 * missing.
 */
export function resolveFragments(
  context: CleanContext,
  { headings, ids }: Pick<AssignedHeadings, 'headings' | 'ids'>,
): void {
  let byText: ReadonlyMap<string, string> | null = null;
  const findId = (wanted: string): string | null => {
    const renamed = safeId(wanted);
    for (const id of [wanted, renamed]) if (id !== null && ids.has(id)) return id;
    // The first of several headings with the same text.
    byText ??= new Map(headings.toReversed().map(({ id, text }) => [comparable(text), id]));
    const slug = slugify(wanted);
    return byText.get(comparable(wanted)) ?? (ids.has(slug) ? slug : null);
  };
  for (const detail of context.linkDetails) {
    if (detail.target !== 'anchor' || detail.fragment === null) continue;
    const wanted = detail.fragment;
    // A page that exists already may have elements outside of its text.
    const id = context.settings.keepsIds || wanted === '' || isTopOfPage(wanted) ? wanted : findId(wanted);
    if (id !== null) detail.fragment = id;
    else {
      context.report(
        'ANCHOR_MISSING',
        `the link ${quote(`#${wanted}`)} points to an element that does not exist on its page`,
      );
    }
    detail.href = `#${encodeURIComponent(detail.fragment)}${detail.href}`;
    detail.url = detail.href;
  }
}

/** A text without differences that readers do not see. */
function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function link(
  target: LinkDetail['target'],
  href: string,
  url: string,
  articleId: string | null,
  fragment: string | null,
): LinkDetail {
  return { kind: 'link', target, articleId, href, url, fragment };
}

/** Decoded fragment of a URL without text directive, or `null`. */
function fragmentOf(href: string): string | null {
  const hash = href.indexOf('#');
  return hash < 0 ? null : decodePercent(splitFragment(href.slice(hash + 1)).fragment);
}
