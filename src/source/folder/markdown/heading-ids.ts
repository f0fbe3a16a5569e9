import { slugify } from '../../../core/slug.ts';
import { decodeEntities } from '../references.ts';
import { headingId } from './find-title.ts';

/** The id that GitHub, and most site generators, give a heading with this text: `What's new in v1.2?` → `whats-new-in-v12`. */
export function gitHubId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Gives the headings of a page the ids that authors write in links: their own (`## Heading {#id}`), else that of GitHub, where it is not what the site
 * makes of the text anyway. The content stage keeps them beside its own.
 * @param title text of the heading that is the title of the page, which is not in the HTML; `null` if there is none
 */
export function addHeadingIds(html: string, title: string | null): string {
  const count = new Map<string, number>(title === null ? [] : [[gitHubId(title), 1]]);
  return html.replace(heading, (whole, level: string, inner: string) => {
    const [, text = inner, given = null] = ownId.exec(inner) ?? [];
    if (given !== null) return `<h${level} id="${given}">${text}</h${level}>`;
    const plain = decodeEntities(text.replace(/<[^>]*>/g, ''));
    const id = gitHubId(plain);
    const same = count.get(id) ?? 0;
    count.set(id, same + 1);
    const unique = same === 0 ? id : `${id}-${same}`;
    return id === '' || unique === slugify(plain) ? whole : `<h${level} id="${unique}">${inner}</h${level}>`;
  });
}

/** A heading without attributes, as Markdown is rendered. */
const heading = /<h([1-6])>([\s\S]*?)<\/h\1>/g;

const ownId = new RegExp(`^([\\s\\S]*?)\\s*${headingId.source}$`);
