import { escapeHtml } from '../../foundation/html.ts';
import { firstCandidate, imageUrlAttributes } from '../parse/list-urls.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { classAttribute, classNames } from '../policy/attributes.ts';
import { isStyleClass } from '../policy/styles.ts';
import { resolveResource } from '../policy/url-policy.ts';
import { type CleanContext, quote } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';

/** Publishes an `<img>`, or leaves it out and says so. */
export function addImage(node: SourceNode, context: CleanContext): void {
  const address = findAddress(node, context.settings.baseUrl);
  const image = address === null ? null : context.settings.resolveImage(address);
  if (image === null) {
    const raw = attribute(node, 'src') ?? '';
    context.report('IMAGE_REFUSED', `the image ${quote(raw)} cannot be published`);
    return;
  }
  const { src, url = src, width, height } = image;
  const alt = attribute(node, 'alt');
  if (alt === null) context.report('IMAGE_ALT_MISSING', `the image ${quote(src)} has no alt text`);
  const text = foldAlt(alt ?? '');
  const attributes =
    ` src="${escapeHtml(src)}" alt="${escapeHtml(text)}"` +
    dimension('width', width, node) +
    dimension('height', height, node) +
    classAttribute(node, widthClass(node, context), context) +
    (context.images.length === 0 ? '' : ' loading="lazy"');
  context.images.push({ src, url, alt: alt === null ? null : text });
  context.builder.addInline(new CleanElement('img', attributes, { kind: 'image', url, alt: text }));
}

/** ` width="640"`: what the resolver knows, else what the author wrote in pixels. */
export function dimension(name: 'width' | 'height', known: number | null, node: SourceNode): string {
  const raw = attribute(node, name);
  const value = known ?? (raw === null ? null : Number(/^\s*(\d{1,5})(?:px)?\s*$/.exec(raw)?.[1] ?? 0));
  return value === null || value === 0 ? '' : ` ${name}="${value}"`;
}

function findAddress(node: SourceNode, baseUrl: string): string | null {
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
  return alt.replace(/\s+/g, ' ').trim();
}
