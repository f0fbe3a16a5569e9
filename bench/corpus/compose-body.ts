import type { Random } from './random.ts';
import type { Prose } from './sample-prose.ts';

/** Picks the target of a link in a generated body: root-relative, as an editor stores it. */
export type PickLink = (random: Random) => string;

/**
 * Composes the HTML of one article: an introduction and sections with prose, lists, tables, code, callouts and links, all from the sample,
 * with changed numbers and some changed words, so that all bodies differ.
 * @param sizeBytes the body ends with the block that reaches this size in UTF-8
 */
export function composeBody(prose: Prose, random: Random, sizeBytes: number, pickLink: PickLink): string {
  const parts: string[] = [paragraph(prose, random, pickLink)];
  let size = Buffer.byteLength(parts[0] ?? '');
  const add = (html: string): void => {
    parts.push(html);
    size += Buffer.byteLength(html) + 1;
  };
  for (let section = 0; size < sizeBytes; section++) {
    const level = section > 0 && random.onceIn(3) ? 3 : 2;
    const heading = vary(random.pick(prose.headings), prose, random);
    add(`<h${level} id="s${section + 1}">${heading}</h${level}>`);
    for (let left = random.between(1, 3); left > 0; left--) add(paragraph(prose, random, pickLink));
    if (random.onceIn(2)) add(relink(vary(random.pick(prose.blocks), prose, random), random, pickLink));
  }
  return parts.join('\n');
}

function paragraph(prose: Prose, random: Random, pickLink: PickLink): string {
  const sentences = Array.from({ length: random.between(2, 4) }, () => random.pick(prose.sentences));
  return relink(`<p>${vary(sentences.join(prose.joint), prose, random)}</p>`, random, pickLink);
}

/** Changes numbers and some words of the text between tags. */
function vary(html: string, prose: Prose, random: Random): string {
  return html.replaceAll(/<[^>]*>|&[^;\s]+;|\d{2,}|(?<=\s)\p{L}{5,}(?=\s)/gu, (token) => {
    if (token.startsWith('<') || token.startsWith('&')) return token;
    if (/^\d/.test(token)) return String(random.between(10, 9999));
    return prose.words.length > 0 && random.onceIn(10) ? random.pick(prose.words) : token;
  });
}

/** Changes links between the sample's articles to articles of the corpus. */
function relink(html: string, random: Random, pickLink: PickLink): string {
  return html.replaceAll(/href="\/(?:article|category)\/[^"]*"/g, () => `href="${pickLink(random)}"`);
}
