import { decodePercent } from '../../foundation/addresses.ts';
import { escapeHtml } from '../../foundation/html.ts';
import { iframeAttributes } from '../parse/list-urls.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { absoluteAddress, resolveResource } from '../policy/url-policy.ts';
import { foldSpace } from '../text.ts';
import { type CleanContext, quote } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';
import { dimension, pixelAttribute } from './images.ts';
import { publishUrl } from './links.ts';

/** What an embedded player may do: its own scripts on its own origin, nothing to the page around it. */
const playerAttributes =
  ' loading="lazy" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen' +
  ' sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"';

/** Publishes an `<iframe>` of a trusted host; any other becomes a link and a problem. */
export function addIframe(node: SourceNode, context: CleanContext): void {
  const raw = iframeAttributes.map((name) => attribute(node, name)).find((value) => value !== null) ?? '';
  const address = resolveResource(raw, context.settings.baseUrl, false);
  if (address === null) {
    if (raw !== '' && raw !== 'about:blank') {
      context.report('EMBED_REPLACED', `the embedded page ${quote(raw)} was removed`);
    }
    return;
  }
  const url = privacyFriendly(new URL(address));
  const title = foldSpace(attribute(node, 'title') ?? '').trim();
  if (
    context.builder.isInside('a') ||
    url.protocol !== 'https:' ||
    !isTrusted(url.hostname, context.settings.policy.iframeHosts)
  ) {
    replaceByLink(address, title || address, context);
    return;
  }
  const shownTitle = title || context.nearestHeading() || url.hostname;
  const attributes =
    ` class="embed" src="${escapeHtml(url.href)}" title="${escapeHtml(shownTitle)}"` +
    dimension('width', pixelAttribute(node, 'width')) +
    dimension('height', pixelAttribute(node, 'height')) +
    playerAttributes;
  context.builder.addInline(
    new CleanElement('iframe', attributes, { kind: 'media', url: watchAddress(url), title: shownTitle }),
  );
}

/** Publishes a `<video>` or `<audio>` with its first source that the URL policy allows. */
export function addMedia(node: SourceNode, context: CleanContext): void {
  const { baseUrl } = context.settings;
  const sources = [attribute(node, 'src')];
  for (let child = node.first; child !== null; child = child.next) {
    if (child.name === 'source') sources.push(attribute(child, 'src'));
  }
  const url = sources
    .map((raw) => (raw === null ? null : resolveResource(raw, baseUrl, false)))
    .find((src) => src !== null);
  if (url === undefined || url === null) {
    context.report('EMBED_REPLACED', `a ${node.name} without a publishable address was removed`);
    return;
  }
  const title = foldSpace(attribute(node, 'title') ?? attribute(node, 'aria-label') ?? '').trim();
  if (context.builder.isInside('a')) {
    context.builder.text(title || fileName(url));
    return;
  }
  const { src, link } = publishedFile(url, context);
  const attributes =
    ` controls preload="metadata" src="${escapeHtml(src)}"` +
    (title === '' ? '' : ` title="${escapeHtml(title)}"`) +
    (node.name === 'video' ? posterAttribute(node, context) : '') +
    (node.name === 'video'
      ? dimension('width', pixelAttribute(node, 'width')) +
        dimension('height', pixelAttribute(node, 'height'))
      : '');
  context.files.push(src);
  context.builder.addInline(
    new CleanElement(node.name, attributes, { kind: 'media', url: link, title: title || fileName(url) }),
  );
}

/** URLs of a media file from the resolver: `src` for the page, `link` for Markdown. */
function publishedFile(url: string, context: CleanContext): { readonly src: string; readonly link: string } {
  const resolution = context.resolveLink(url);
  return resolution.kind === 'internal'
    ? { src: resolution.href, link: resolution.url }
    : { src: url, link: url };
}

function posterAttribute(node: SourceNode, context: CleanContext): string {
  const raw = attribute(node, 'poster');
  const address = raw ? absoluteAddress(raw, context.settings.baseUrl) : null;
  const image = address === null ? null : context.settings.resolveImage(address);
  if (image === null) return '';
  context.files.push(image.src);
  return ` poster="${escapeHtml(image.src)}"`;
}

/** Whether a host is on the list or below one that is. */
function isTrusted(host: string, trusted: readonly string[]): boolean {
  return trusted.some((name) => host === name || host.endsWith(`.${name}`));
}

/** YouTube's addresses in every form become the player that sets no cookie. */
function privacyFriendly(url: URL): URL {
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  if (host !== 'youtube.com' && host !== 'youtu.be' && host !== 'youtube-nocookie.com') return url;
  url.protocol = 'https:';
  const id =
    host === 'youtu.be'
      ? url.pathname.slice(1)
      : url.pathname === '/watch'
        ? url.searchParams.get('v')
        : null;
  if (id !== null && /^[\w-]+$/.test(id)) return new URL(`https://www.youtube-nocookie.com/embed/${id}`);
  if (host !== 'youtu.be') url.hostname = 'www.youtube-nocookie.com';
  url.searchParams.delete('autoplay');
  return url;
}

/** The address a reader of the Markdown can open. */
function watchAddress(url: URL): string {
  const id =
    url.hostname === 'www.youtube-nocookie.com' ? /^\/embed\/([\w-]+)$/.exec(url.pathname)?.[1] : undefined;
  return id === undefined ? url.href : `https://www.youtube.com/watch?v=${id}`;
}

function replaceByLink(address: string, text: string, context: CleanContext): void {
  context.report('EMBED_REPLACED', `the embedded page ${quote(address)} became a link`);
  const link = publishUrl(address, false, context);
  const isLinked = link !== null && context.builder.enter('a', link.attributes, link.detail, null);
  context.builder.text(text);
  if (isLinked) context.builder.leave();
}

function fileName(url: string): string {
  return decodePercent(new URL(url).pathname.split('/').pop() ?? '') || url;
}
