import type { Document } from '../../content/document.ts';
import { packPosting } from './posting-log.ts';
import { splitSections } from './sections.ts';
import type { Tokens } from './tokens.ts';

/** What the search shows of an article besides its text. */
export interface SearchHead {
  readonly href: string;
  readonly title: string;
  /** Title of its category; empty where it has none. */
  readonly category: string;
  readonly tags: readonly string[];
}

/** One article cut into terms. Plain and compact data, so that a worker can make it and a cache can keep it. */
export interface SearchEntry {
  /** Address, title, category, then id and text of every heading, as JSON. */
  readonly article: string;
  /** One letter per section: its length. */
  readonly lengths: string;
  /** Distinct terms, one per line, in order of first occurrence. */
  readonly terms: string;
  /** Pairs of a term's number and a packed posting whose section is counted within the article. */
  readonly postings: Uint32Array;
}

/** Order of the fields in the files and in the search worker, which weighs them. */
const fields = { title: 0, heading: 1, tags: 2, text: 3 } as const;

/** Cuts one article into terms, section by section. Pure. */
export function makeSearchEntry(tokens: Tokens, head: SearchHead, document: Document): SearchEntry {
  const termIds = new Map<string, number>();
  const postings: number[] = [];
  const headings: string[] = [];
  let lengths = '';

  const addField = (text: string, section: number, field: number): number => {
    const counts = new Map<number, number>();
    const terms = tokens.tokenize(text);
    for (const term of terms) {
      let id = termIds.get(term);
      if (id === undefined) {
        id = termIds.size;
        termIds.set(term, id);
      }
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const [id, count] of counts) postings.push(id, packPosting(section, field, count));
    return terms.length;
  };

  for (const [position, section] of splitSections(document).entries()) {
    if (position === 0) {
      addField(head.title, position, fields.title);
      addField(head.tags.join(' '), position, fields.tags);
    } else {
      addField(section.heading, position, fields.heading);
      headings.push(section.id, section.heading);
    }
    lengths += lengthLetter(addField(section.text, position, fields.text), position === 0);
  }
  return {
    article: JSON.stringify([head.href, head.title, head.category, ...headings]),
    lengths,
    terms: [...termIds.keys()].join('\n'),
    postings: Uint32Array.from(postings),
  };
}

/** A section's length in one letter, on a logarithmic scale; upper case where a new article begins. */
function lengthLetter(length: number, isFirst: boolean): string {
  const step = Math.min(25, Math.round(2 * Math.log2(length + 1)));
  return String.fromCharCode((isFirst ? 65 : 97) + step);
}
