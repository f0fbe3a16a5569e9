import { decodePercent } from '../../core/addresses.ts';
import { escapeHtml } from '../../core/html.ts';
import { stripInvisible } from '../../core/invisible.ts';
import type { ProblemCode } from '../../core/problems.ts';
import type { PublishedImage, RefusedImage } from '../document.ts';
import { styleOf } from '../parse/edit-tree.ts';
import { iframeUrl, imageUrls } from '../parse/list-urls.ts';
import { attribute, childrenOf, type SourceNode } from '../parse/source-tree.ts';
import { classAttribute, classNames } from '../policy/attributes.ts';
import { cookielessYouTube, framedHosts, isYouTube, playerName } from '../policy/players.ts';
import { isStyleClass, readStyle } from '../policy/styles.ts';
import { resolveResource } from '../policy/url-policy.ts';
import { foldSpace } from '../text.ts';
import { type CleanContext, quote } from './clean-context.ts';
import { CleanElement, isAnchor } from './clean-tree.ts';
import { publishUrl } from './links.ts';

/** Used to test whether a URL is valid except for a missing base. */
const anyBase = 'https://relative.invalid/';

const noImage: RefusedImage = { name: null, why: null };

/** Publishes an `<img>`, or reports it and leaves its alternative text, as a browser does with an image that it cannot load. */
export function addImage(node: SourceNode, context: CleanContext): void {
  const address = findAddress(node, context.settings.baseUrl);
  const image = address === null ? noImage : context.settings.resolveImage(address);
  if (!('src' in image)) {
    context.removed.tally.images++;
    const raw = quote(image.name ?? attribute(node, 'src') ?? '');
    const why = image.why === null ? '' : `: ${image.why}`;
    const isRelative = address === null && findAddress(node, anyBase) !== null;
    if (isRelative) context.report('URL_RELATIVE', `the image ${raw} has a relative URL`);
    else context.report('IMAGE_REFUSED', `the image ${raw} cannot be published${why}`);
    const alt = foldAlt(attribute(node, 'alt') ?? '');
    context.builder.text(alt === '' ? ' ' : ` ${alt} `);
    return;
  }
  const { src, url = src } = image;
  const { width, height } = shownSize(image, node);
  const alt = attribute(node, 'alt');
  if (alt === null) context.report('IMAGE_ALT_MISSING', `the image ${quote(src)} has no alt text`);
  const text = foldAlt(alt ?? '');
  const attributes =
    ` src="${escapeHtml(src)}" alt="${escapeHtml(text)}"` +
    dimension('width', width) +
    dimension('height', height) +
    classAttribute(node, widthClass(node), context) +
    (context.images.length === 0 ? '' : ' loading="lazy"');
  context.images.push({ src, alt: alt === null ? null : text });
  context.builder.addInline(new CleanElement('img', attributes, { kind: 'image', url, alt: text }));
}

/** ` width="640"`; `''` if the value is unknown. */
function dimension(name: 'width' | 'height', value: number | null): string {
  return value === null || value === 0 ? '' : ` ${name}="${value}"`;
}

/** A `width` or `height` attribute in pixels, or `null`. */
function pixelAttribute(node: SourceNode, name: 'width' | 'height'): number | null {
  const digits = /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(attribute(node, name) ?? '')?.[1];
  return digits === undefined ? null : Number(digits) || null;
}

/** The size of a player, as attributes. */
function ownSize(node: SourceNode): string {
  return (
    dimension('width', pixelAttribute(node, 'width')) + dimension('height', pixelAttribute(node, 'height'))
  );
}

type Size = Pick<PublishedImage, 'width' | 'height'>;

/** The size in pixels that the author set by style or attributes. The file's own size then only gives the ratio. */
function shownSize(file: Size, node: SourceNode): Size {
  const style = styleOf(node);
  const width = style?.width ?? pixelAttribute(node, 'width');
  const height = style?.height ?? (style?.width ? null : pixelAttribute(node, 'height'));
  if (file.width === null || file.height === null) return { width, height };
  const ratio = file.height / file.width;
  const limit = Math.min(style?.maxWidth ?? file.width, file.width);
  const shown = width ?? (height === null ? limit : Math.round(height / ratio));
  return { width: shown, height: Math.max(1, Math.round(shown * ratio)) };
}

/** Marks an image as a block if it is alone in its paragraph or figure. An image within a sentence stays inline. */
export function markBlockImage(host: CleanElement): void {
  const image = onlyImage(host);
  if (image === null) return;
  image.attributes = image.attributes.includes(' class="')
    ? image.attributes.replace(' class="', ' class="image-block ')
    : `${image.attributes} class="image-block"`;
}

/** The only image of an element that shows nothing else except a caption, also inside a link; otherwise `null`. */
function onlyImage({ children }: CleanElement): CleanElement | null {
  const shown = children.filter((child) =>
    typeof child === 'string' ? child.trim() !== '' : child.tag !== 'figcaption' && !isAnchor(child),
  );
  const [only] = shown;
  if (shown.length !== 1 || only === undefined || typeof only === 'string') return null;
  if (only.detail?.kind === 'image') return only;
  return only.tag === 'a' || only.tag === 'span' ? onlyImage(only) : null;
}

function findAddress(node: SourceNode, baseUrl: string | null): string | null {
  const addresses = imageUrls(node).map((url) => resolveResource(url, baseUrl, true));
  return addresses.find((address) => address !== null) ?? null;
}

function widthClass(node: SourceNode): string[] {
  const fromStyle = styleOf(node)?.classes ?? [];
  const percent = /^\s*\d+%\s*$/.exec(attribute(node, 'width') ?? '');
  const fromWidth = percent === null ? [] : readStyle(`width:${percent[0].trim()}`).classes;
  const own = classNames(attribute(node, 'class') ?? '').filter(isStyleClass);
  const name = [...fromStyle, ...fromWidth, ...own].find((candidate) => candidate.startsWith('width-'));
  return name === undefined ? [] : [name];
}

function foldAlt(alt: string): string {
  return stripInvisible(alt).replace(/\s+/g, ' ').trim();
}

/** Attributes of an embedded player: it may run its own scripts on its own origin, but cannot access the page. */
const playerAttributes =
  ' loading="lazy" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen' +
  ' sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"';

/** Publishes an `<iframe>` of a trusted host; any other becomes a link and a problem. */
export function addIframe(node: SourceNode, context: CleanContext): void {
  const raw = iframeUrl(node);
  const address = resolveResource(raw, context.settings.baseUrl, false);
  if (address === null) {
    context.builder.addSpace(' ');
    context.removed.tally.players++;
    if (raw !== '' && raw !== 'about:blank') {
      context.report('EMBED_REPLACED', `the embedded page ${quote(raw)} was removed`);
    } else if (attribute(node, 'srcdoc')) {
      context.report('EMBED_REPLACED', 'an embedded page that is written in the body was removed');
    }
    return;
  }
  const url = privacyFriendly(new URL(address));
  const title = foldSpace(attribute(node, 'title') ?? '').trim();
  if (
    context.builder.isInside('a') ||
    url.protocol !== 'https:' ||
    // The Content-Security-Policy names hosts without a port.
    url.port !== '' ||
    !isTrusted(url.hostname, framedHosts(context.settings.policy.iframeHosts))
  ) {
    replaceByLink(address, title || address, context);
    return;
  }
  const shownTitle = title || context.nearestHeading() || playerName(url.hostname, context.settings.language);
  const attributes =
    ` class="embed" src="${escapeHtml(url.href)}" title="${escapeHtml(shownTitle)}"` +
    ownSize(node) +
    playerAttributes;
  context.builder.addInline(
    new CleanElement('iframe', attributes, { kind: 'media', url: watchAddress(url), title: shownTitle }),
  );
}

/** Publishes a `<video>` or `<audio>` with its first source that the URL policy allows. */
export function addMedia(node: SourceNode, context: CleanContext): void {
  const remove = (code: ProblemCode, message: string): void => {
    context.report(code, message);
    context.builder.addSpace(' ');
    context.removed.tally.players++;
  };
  const { baseUrl } = context.settings;
  const sources = childrenOf(node).filter(({ name }) => name === 'source');
  const [url] = [node, ...sources].flatMap(
    (one) => resolveResource(attribute(one, 'src') ?? '', baseUrl, false) ?? [],
  );
  if (url === undefined) {
    const what = node.name === 'audio' ? 'an audio' : 'a video';
    remove('EMBED_REPLACED', `${what} without a publishable URL was removed`);
    return;
  }
  const title = foldSpace(attribute(node, 'title') ?? attribute(node, 'aria-label') ?? '').trim();
  if (context.builder.isInside('a')) {
    context.removed.tally.players++;
    context.builder.addSpace(' ');
    context.builder.text(title || fileName(url));
    context.builder.addSpace(' ');
    return;
  }
  const resolution = context.resolveLink(url);
  if (resolution.kind === 'unlinked') {
    remove(resolution.problem, resolution.message);
    return;
  }
  // `src` is for the page, `link` for Markdown.
  const [src, link] = resolution.kind === 'internal' ? [resolution.href, resolution.url] : [url, url];
  const attributes =
    ` controls preload="metadata" src="${escapeHtml(src)}"` +
    (title === '' ? '' : ` title="${escapeHtml(title)}"`) +
    (node.name === 'video' ? posterAttribute(node, context) + ownSize(node) : '');
  context.files.push(src);
  context.builder.addInline(
    new CleanElement(node.name, attributes, { kind: 'media', url: link, title: title || fileName(url) }),
  );
}

function posterAttribute(node: SourceNode, context: CleanContext): string {
  const address = resolveResource(attribute(node, 'poster') ?? '', context.settings.baseUrl, false);
  const image = address === null ? noImage : context.settings.resolveImage(address);
  if (!('src' in image)) return '';
  context.files.push(image.src);
  return ` poster="${escapeHtml(image.src)}"`;
}

/** Whether a host is in the list, or is a subdomain of one that is. */
function isTrusted(host: string, trusted: readonly string[]): boolean {
  return trusted.some((name) => host === name || host.endsWith(`.${name}`));
}

/** Converts every form of YouTube URL to the player that sets no cookies. */
function privacyFriendly(url: URL): URL {
  if (!isYouTube(url.hostname)) return url;
  const isShort = url.hostname.endsWith('youtu.be');
  url.protocol = 'https:';
  const id = isShort ? url.pathname.slice(1) : url.pathname === '/watch' ? url.searchParams.get('v') : null;
  if (id !== null && /^[\w-]+$/.test(id)) return new URL(`https://www.${cookielessYouTube}/embed/${id}`);
  if (!isShort) url.hostname = `www.${cookielessYouTube}`;
  url.searchParams.delete('autoplay');
  return url;
}

/** The URL that a reader of the Markdown can open. */
function watchAddress(url: URL): string {
  const list = url.searchParams.get('list');
  const id =
    url.hostname === `www.${cookielessYouTube}` ? /^\/embed\/([\w-]+)$/.exec(url.pathname)?.[1] : undefined;
  if (id === 'videoseries' && list !== null)
    return `https://www.youtube.com/playlist?list=${encodeURIComponent(list)}`;
  return id === undefined ? url.href : `https://www.youtube.com/watch?v=${id}`;
}

function replaceByLink(address: string, text: string, context: CleanContext): void {
  context.report('EMBED_REPLACED', `the embedded page ${quote(address)} was replaced by a link`);
  context.removed.tally.players++;
  const link = publishUrl(address, false, context);
  context.builder.addSpace(' ');
  const isLinked = link !== null && context.builder.enter('a', link.attributes, link.detail, null);
  context.builder.text(text);
  if (isLinked) context.builder.leave();
  context.builder.addSpace(' ');
}

function fileName(url: string): string {
  return decodePercent(new URL(url).pathname.split('/').pop() ?? '') || url;
}
