import { pageFile } from '../../../core/hidden-names.ts';
import { escapeHtml } from '../../../core/html.ts';
import type { ProblemCode } from '../../../core/problems.ts';
import { fragmentOf } from '../references.ts';
import type { CodeStore } from './code-store.ts';

const wikiLink = /(?<!\\)(\\*)(!?)\[\[([^[\]|\n]*?)(?:\\?\|([^[\]\n]*?))?\]\]/g;

/** What follows brackets in brackets that are a link of Markdown: `[[1]](URL)`, `[[1]][name]`. */
const linkEnd = /^(?:\((?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+["'(][^\n]*)?\)|\[[^[\]\n]+\])/;

const maxLinkEnd = 2000;

const definition = /^ {0,3}\[([^[\]\n]+)\]:/gm;

const url = /^(?:https?:\/\/|mailto:)/i;

const image = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;

/** The files that players show. */
export const players = { video: /\.(?:mp4|webm|mov)$/i, audio: /\.(?:mp3|m4a|wav|ogg)$/i };

/** What GitHub's wikis write behind the name of an image: `[[logo.png|alt=Our logo|width=100px]]`. */
const imageOptions = /^\s*(?:alt|width|height|align|float|frame)\b/;

/**
 * Replaces `[[Page]]`, `[[Page#Heading|Label]]` and `![[image.png|300]]` by links, images and players. An embedded page is a link to it, because it
 * has an address of its own. What names no file is shown as its label and reported, unless it names a URL, or is a link of Markdown.
 * @param isVault whether the links are those of a vault; in GitHub's wikis, a label comes first (`[[Label|Page]]`), and blanks are hyphens in the
 * name of a file
 */
export function replaceWikiLinks(
  text: string,
  code: CodeStore,
  findByName: (name: string) => readonly string[],
  report: (code: ProblemCode, message: string) => void,
  isVault: boolean,
): string {
  const find = (name: string): readonly string[] => {
    const found = findByName(name);
    return found.length > 0 || isVault || !name.includes(' ') ? found : findByName(name.replaceAll(' ', '-'));
  };
  const defined = new Set([...text.matchAll(definition)].map(([, name = '']) => name.trim().toLowerCase()));
  return text
    .split(/(\n[ \t]*\n)/)
    .map((paragraph) => {
      const html = paragraph.search(htmlStart);
      return paragraph.replace(
        wikiLink,
        (matched, escapes: string, embeds: string, target: string, given?: string, at = 0) => {
          const written = matched.slice(escapes.length);
          // Brackets around a link of Markdown, or nothing at all.
          if (escapes.length % 2 === 1 || target.trim() === '') return matched;
          const end = at + matched.length;
          const rest = paragraph.slice(end, end + maxLinkEnd);
          return escapes + replaceOne(written, embeds, target, given, rest, html !== -1 && html < at);
        },
      );
    })
    .join('');

  function replaceOne(
    written: string,
    embeds: string,
    target: string,
    given: string | undefined,
    rest: string,
    isInHtml: boolean,
  ): string {
    const whole = code.restore(written);
    const isUrl = (one = ''): boolean => url.test(one.trim());
    const linkTo = (address: string, text: string | undefined): string => {
      if (embeds !== '' && image.test(address)) return imageOf(address, '', isInHtml, code);
      // Without a label, Markdown makes a link of it.
      if (text === undefined) return address;
      return `${code.mark(`<a href="${escapeHtml(address)}">`)}${text}${code.mark('</a>')}`;
    };
    if (isUrl(target)) return linkTo(code.restore(target).trim(), given?.trim());
    if (isUrl(given)) return linkTo(code.restore(given ?? '').trim(), target.trim());
    const [name = '', ...headings] = code.restore(target).trim().split('#');
    const heading = headings.at(-1)?.trim() ?? '';
    const own = target.split('#').map((one) => one.trim());
    let label = given?.trim() || own.filter(Boolean).join(' > ');
    let fragment = fragmentOf(heading);
    let found = name.trim() === '' ? [''] : find(name.trim());
    const isLabelFirst = !isVault && embeds === '' && given !== undefined && !imageOptions.test(given);
    if (found.length === 0 && isLabelFirst) {
      const [page = '', section = ''] = code.restore(given).trim().split('#');
      found = find(page);
      if (found.length > 0) [label, fragment] = [target.trim(), fragmentOf(section)];
    }
    const [path, ...others] = found;
    if (path === undefined && (linkEnd.test(rest) || defined.has(target.trim().toLowerCase())))
      return written;
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
    // A file that is no page has its own fragments: `![[manual.pdf#page=2]]`.
    if (path !== '' && !pageFile.test(path) && heading !== '') fragment = `#${encodeURI(heading)}`;
    const file = path.split('/').map(encodeURIComponent).join('/') + fragment;
    const address = escapeHtml(file);
    if (embeds !== '' && pageFile.test(path))
      report('EMBED_REPLACED', `the embedded page ${whole} is shown as a link`);
    for (const [player, files] of Object.entries(players))
      if (embeds !== '' && files.test(path)) return code.mark(`<${player} src="${address}"></${player}>`);
    const hasOptions = given !== undefined && imageOptions.test(given);
    if (!image.test(path) || (embeds === '' && !hasOptions))
      return `${code.mark(`<a href="${address}">`)}${label}${code.mark('</a>')}`;
    if (hasOptions) {
      const [, alt = ''] = /(?:^|\|)\s*alt=([^|]*)/.exec(given) ?? [];
      return imageOf(file, alt.trim(), isInHtml, code);
    }
    const [, caption = '', width] =
      /^(?:(.*?) *\\?\| *)?(\d{1,4})(?:x\d{1,4})?$/.exec(given?.trim() ?? '') ?? [];
    // The name of a file is no alternative text.
    const alt = width !== undefined || given === undefined ? caption : label;
    return imageOf(file, alt, isInHtml, code, width);
  }
}

/** A line that may begin HTML, which has no Markdown up to a blank line. */
const htmlStart = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?<[a-z!/]/im;

/** An image in Markdown: as a tag alone on its line, it would begin HTML, in which the lines below it would be no Markdown. */
function imageOf(address: string, alt: string, isInHtml: boolean, code: CodeStore, width?: string): string {
  if (isInHtml) {
    const size = width === undefined ? '' : ` width="${width}"`;
    return code.mark(`<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}"${size}>`);
  }
  const [text, target] = [alt, address].map((one) => one.replace(/[\\`*_~&<>]/g, '\\$&'));
  return code.mark(`![${text}](<${target}>${width === undefined ? '' : ` "=${width}x"`})`);
}
