import { escapeHtml } from '../../../core/html.ts';
import type { ProblemCode } from '../../../core/problems.ts';
import { slugify } from '../../../core/slug.ts';
import type { CodeStore } from './code-store.ts';

const wikiLink = /(!?)\[\[([^[\]|\n]*?)(?:\\?\|([^[\]\n]*?))?\]\]/g;

const page = /\.(?:mdx?|markdown|html?)$/i;

const image = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;

/**
 * Replaces `[[Page]]`, `[[Page#Heading|Label]]` and `![[image.png|300]]` by links and images. An embedded page is a link to it, because it
 * has an address of its own. What names no file is shown as its label and reported.
 */
export function replaceWikiLinks(
  text: string,
  code: CodeStore,
  findByName: (name: string) => readonly string[],
  report: (code: ProblemCode, message: string) => void,
): string {
  return text.replace(wikiLink, (whole, embeds: string, target: string, given: string | undefined) => {
    // Brackets around a link of Markdown, or nothing at all.
    if (target.trim() === '') return whole;
    const [name = '', ...headings] = target.trim().split('#');
    const heading = headings.at(-1)?.trim() ?? '';
    const label =
      given?.trim() || [name.trim(), ...headings.map((one) => one.trim())].filter(Boolean).join(' > ');
    const fragment = heading === '' || heading.startsWith('^') ? '' : `#${slugify(heading)}`;
    const [path, ...others] = name.trim() === '' ? [''] : findByName(name.trim());
    if (path === undefined || others.length > 0) {
      const why =
        path === undefined
          ? 'names no file'
          : `is ambiguous: ${[path, ...others]
              .slice(0, 10)
              .map((one) => one.slice(1))
              .join(' or ')}`;
      report(embeds === '' ? 'LINK_BROKEN' : 'IMAGE_MISSING', `the link ${whole} ${why}`);
      return label;
    }
    const address = escapeHtml(path.split('/').map(encodeURIComponent).join('/') + fragment);
    if (embeds !== '' && page.test(path))
      report('EMBED_REPLACED', `the embedded page ${whole} is shown as a link`);
    if (embeds === '' || !image.test(path))
      return `${code.mark(`<a href="${address}">`)}${label}${code.mark('</a>')}`;
    const [, width] = /^(\d{1,4})(?:x\d{1,4})?$/.exec(given?.trim() ?? '') ?? [];
    // The name of a file is no alternative text.
    const alt = width !== undefined || given === undefined ? '' : label;
    const size = width === undefined ? '' : ` width="${width}"`;
    return code.mark(`<img src="${address}" alt="${escapeHtml(alt)}"${size}>`);
  });
}
