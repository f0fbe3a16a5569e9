import {
  elementsAround,
  findBelow,
  isHidden,
  newElement,
  nextElement,
  previousElement,
  replace,
  setAttribute,
} from '../parse/edit-tree.ts';
import {
  imageSetAttributes,
  imagesWithoutScript,
  imageUrlAttributes,
  imageUrls,
} from '../parse/list-urls.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Images that a script shows. */
export const lazyImageRules: readonly EditorRule[] = [
  {
    editor: 'Next.js, Medium',
    report: 'adbar/trafilatura#89',
    on: 'noscript',
    // The image for browsers without scripts is behind its placeholder. Without one beside it, a script makes the image.
    rewrite(node, { report }) {
      const text = node.first?.text.replace(/<[^<>]*>/g, '') ?? '';
      if (text.trim() !== '') report('<noscript> is not allowed. It was removed.');
      const placeholder = previousElement(node);
      const images = imagesWithoutScript(node);
      const [image] = images;
      if (![placeholder, nextElement(node)].some((one) => hasImage(one)) && !followsSame(node, images)) {
        replace(node, newElement('span', {}, ...images.filter(isSeen)));
        return;
      }
      if (image === undefined || placeholder?.name !== 'img' || isHidden(placeholder)) return;
      if (imageUrls(placeholder).some((url) => !/^\s*data:/i.test(url))) return;
      for (const { name, value } of image.attributes) setAttribute(placeholder, name, value);
    },
  },
  {
    editor: 'Gatsby',
    report: 'gatsbyjs/gatsby#38065',
    on: 'img',
    has: 'style',
    // A script makes it visible when it is loaded.
    rewrite(image) {
      const isLate = [...imageUrlAttributes, ...imageSetAttributes].some(
        (name) => name.startsWith('data-') && attribute(image, name) !== null,
      );
      const style = attribute(image, 'style') ?? '';
      if (isLate) setAttribute(image, 'style', style.replace(/(^|;)\s*opacity\s*:\s*0\s*(?=;|$)/i, '$1'));
    },
  },
];

/** Whether an element is an image that passes, or has one among its first nodes. */
function hasImage(element: SourceNode | null, passes: (image: SourceNode) => boolean = () => true): boolean {
  const isImage = (node: SourceNode): boolean => node.name === 'img' && passes(node);
  return element !== null && (isImage(element) || findBelow(element, isImage, 64) !== null);
}

/** Whether an image with one of the URLs is shortly before an element, with a line break between them, or in another paragraph. */
function followsSame(node: SourceNode, images: readonly SourceNode[]): boolean {
  const urls = new Set(images.flatMap(imageUrls));
  const near = [node.parent === null ? null : previousElement(node.parent)];
  for (let at = previousElement(node); at !== null && near.length < 5; at = previousElement(at))
    near.push(at);
  return near.some((one) => hasImage(one, (image) => imageUrls(image).some((url) => urls.has(url))));
}

/** Whether readers would see an image. One that counts visits is hidden, or as large as a pixel. */
function isSeen(image: SourceNode): boolean {
  if ([image, ...elementsAround(image)].some(isHidden)) return false;
  return ['width', 'height'].every((name) => !/^\s*[01](?!\d)/.test(attribute(image, name) ?? ''));
}
