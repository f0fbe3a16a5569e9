import { escapeHtml } from '../foundation/html.ts';

/** What becomes of an address: another one, nothing (`null`: the image or link is taken off), or what it was. */
export type Rewrite = (address: string, kind: 'image' | 'link') => string | null;

/** A start tag of `<img>` or `<a>` with its attributes; quotes may hold `>`. */
const tag = /<(img|a)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;

const attribute = (name: string): RegExp =>
  new RegExp(`(\\s${name}\\s*=\\s*)(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
const source = attribute('src');
const target = attribute('href');
const alternative = attribute('alt');
const sources = attribute('srcset');

/**
 * Rewrites the addresses of images and links in HTML; everything else is for the content stage. An image that is taken off
 * leaves its alternative text.
 */
export function rewriteReferences(html: string, rewrite: Rewrite): string {
  return html.replace(tag, (whole, name: string, attributes: string) => {
    const isImage = name.toLowerCase() === 'img';
    const pattern = isImage ? source : target;
    const found = pattern.exec(attributes);
    if (found === null) return whole;
    const address = decodeEntities(found[2] ?? found[3] ?? found[4] ?? '');
    const rewritten = rewrite(address, isImage ? 'image' : 'link');
    if (rewritten === address) return whole;
    if (rewritten !== null) {
      // A function: `$` in an address is no pattern.
      const changed = attributes
        .replace(pattern, (_all, before: string) => `${before}"${escapeHtml(rewritten)}"`)
        .replace(isImage ? sources : /$^/, '');
      return `<${name}${changed}>`;
    }
    if (!isImage) return `<${name}${attributes.replace(pattern, '')}>`;
    const [, , double, single, bare] = alternative.exec(attributes) ?? [];
    return double ?? single ?? bare ?? '';
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|apos);/g, (whole, name: string) => entities[name] ?? whole);
}
