import { isHidden, previousElement, setAttribute } from '../parse/edit-tree.ts';
import {
  imageSetAttributes,
  imagesWithoutScript,
  imageUrlAttributes,
  imageUrls,
} from '../parse/list-urls.ts';
import { attribute } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Images that a script shows. */
export const lazyImageRules: readonly EditorRule[] = [
  {
    editor: 'Next.js, Medium',
    report: 'adbar/trafilatura#89',
    on: 'noscript',
    // The image for browsers without scripts is behind its placeholder.
    rewrite(node) {
      const placeholder = previousElement(node);
      const [image] = imagesWithoutScript(node);
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
