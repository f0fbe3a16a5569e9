import { escapeHtml } from '../../foundation/html.ts';
import { stripInvisible } from '../../foundation/invisible.ts';
import type { PublishedImage } from '../document.ts';
import { firstCandidate, imageUrlAttributes } from '../parse/list-urls.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { classAttribute, classNames } from '../policy/attributes.ts';
import { isStyleClass } from '../policy/styles.ts';
import { resolveResource } from '../policy/url-policy.ts';
import { type CleanContext, quote } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';

/** Any base shows whether a URL only lacks one. */
const anyBase = 'https://relative.invalid/';

/** Publishes an `<img>`, or leaves it out and says so. */
export function addImage(node: SourceNode, context: CleanContext): void {
  const address = findAddress(node, context.settings.baseUrl);
  const image = address === null ? null : context.settings.resolveImage(address);
  if (image === null) {
    const raw = quote(attribute(node, 'src') ?? '');
    const isRelative = address === null && findAddress(node, anyBase) !== null;
    if (isRelative) context.report('IMAGE_RELATIVE', `the image ${raw} has a relative URL`);
    else context.report('IMAGE_REFUSED', `the image ${raw} cannot be published`);
    return;
  }
  const { src, url = src } = image;
  const { width, height } = shownSize(image, node, context);
  const alt = attribute(node, 'alt');
  if (alt === null) context.report('IMAGE_ALT_MISSING', `the image ${quote(src)} has no alt text`);
  const text = foldAlt(alt ?? '');
  const attributes =
    ` src="${escapeHtml(src)}" alt="${escapeHtml(text)}"` +
    dimension('width', width) +
    dimension('height', height) +
    classAttribute(node, widthClass(node, context), context) +
    (context.images.length === 0 ? '' : ' loading="lazy"');
  context.images.push({ src, url, alt: alt === null ? null : text });
  context.builder.addInline(new CleanElement('img', attributes, { kind: 'image', url, alt: text }));
}

/** ` width="640"`; `''` where it is not known. */
export function dimension(name: 'width' | 'height', value: number | null): string {
  return value === null || value === 0 ? '' : ` ${name}="${value}"`;
}

/** A `width` or `height` attribute in pixels, or `null`. */
export function pixelAttribute(node: SourceNode, name: 'width' | 'height'): number | null {
  const digits = /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(attribute(node, name) ?? '')?.[1];
  return digits === undefined ? null : Number(digits) || null;
}

type Size = Pick<PublishedImage, 'width' | 'height'>;

/** The size an author gave, in pixels, by style or attributes; the size of the file then only gives the ratio. */
function shownSize(file: Size, node: SourceNode, context: CleanContext): Size {
  const raw = attribute(node, 'style');
  const style = raw === null ? null : context.style(raw);
  const width = style?.width ?? pixelAttribute(node, 'width');
  const height = style?.height ?? (style?.width ? null : pixelAttribute(node, 'height'));
  if (file.width === null || file.height === null) return { width, height };
  const ratio = file.height / file.width;
  const limit = Math.min(style?.maxWidth ?? file.width, file.width);
  const shown = width ?? (height === null ? limit : Math.round(height / ratio));
  return { width: shown, height: Math.max(1, Math.round(shown * ratio)) };
}

/** Marks an image that is alone in its paragraph or figure as a block; one within a sentence stays in the line. */
export function markBlockImage(host: CleanElement): void {
  const image = onlyImage(host);
  if (image === null) return;
  image.attributes = image.attributes.includes(' class="')
    ? image.attributes.replace(' class="', ' class="image-block ')
    : `${image.attributes} class="image-block"`;
}

/** The one image that is all an element shows besides a caption, also inside a link; else `null`. */
function onlyImage({ children }: CleanElement): CleanElement | null {
  const shown = children.filter((child) =>
    typeof child === 'string' ? child.trim() !== '' : child.tag !== 'figcaption' && !isAnchor(child),
  );
  const [only] = shown;
  if (shown.length !== 1 || only === undefined || typeof only === 'string') return null;
  if (only.detail?.kind === 'image') return only;
  return only.tag === 'a' || only.tag === 'span' ? onlyImage(only) : null;
}

function isAnchor({ tag, children }: CleanElement): boolean {
  return tag === 'span' && children.length === 0;
}

function findAddress(node: SourceNode, baseUrl: string | null): string | null {
  let placeholder: string | null = null;
  for (const name of imageUrlAttributes) {
    const raw = attribute(node, name);
    const address = raw === null ? null : resolveResource(raw, baseUrl, true);
    if (address === null) continue;
    if (!address.startsWith('data:')) return address;
    placeholder ??= address;
  }
  if (placeholder !== null) return placeholder;
  const candidate = firstCandidate(attribute(node, 'srcset') ?? '');
  return candidate === null ? null : resolveResource(candidate, baseUrl, true);
}

function widthClass(node: SourceNode, context: CleanContext): string[] {
  const style = attribute(node, 'style');
  const fromStyle = style === null ? [] : context.style(style).classes;
  const percent = /^\s*\d+%\s*$/.exec(attribute(node, 'width') ?? '');
  const fromWidth = percent === null ? [] : context.style(`width:${percent[0].trim()}`).classes;
  const own = classNames(attribute(node, 'class') ?? '').filter(isStyleClass);
  const name = [...fromStyle, ...fromWidth, ...own].find((candidate) => candidate.startsWith('width-'));
  return name === undefined ? [] : [name];
}

function foldAlt(alt: string): string {
  return stripInvisible(alt).replace(/\s+/g, ' ').trim();
}
