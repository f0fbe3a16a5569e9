import type { IndexedDocument, IndexedPassage, PassageIndex } from '../search/passage-index.ts';
import { cutText, estimateTokens } from './answer-size.ts';

/** A search result: a passage with as many of the following ones of its article as fit, or all of a short article. */
export interface PassageHit {
  readonly document: IndexedDocument;
  readonly passage: IndexedPassage;
  readonly text: string;
  /** Rules of the injection flags of all its passages. */
  readonly flags: readonly string[];
}

/** Most passages of one article in the results of a search; more would displace other articles. */
const passagesPerArticle = 2;

/** A result is extended up to this size: a short passage often introduces the steps that answer the question. */
const hitTokens = 680;
/** A passage that is longer is cut. */
const mostTokens = 1200;

/**
 * Finds the passages that answer a query, best first.
 * @param language `null`: every language, with the language of the query first
 */
export async function* findHits(
  index: PassageIndex,
  query: string,
  language: string | null,
): AsyncGenerator<PassageHit> {
  const counts = new Map<string, number>();
  const shown = new Set<string>();
  for (const tags of await groupLanguages(index, query, language)) {
    const ranked = await Promise.all(tags.map((tag) => index.rank(query, tag)));
    // Scores of different languages cannot be compared, so their results alternate.
    for (const { id, document } of interleave(ranked)) {
      const count = counts.get(document) ?? 0;
      if (shown.has(id) || count >= passagesPerArticle) continue;
      const hit = makeHit(index, id, document, shown);
      if (hit === null) continue;
      counts.set(document, count + 1);
      yield hit;
    }
  }
}

/** Finds an article by document id, by article id and language, or by URL. */
export function findDocument(index: PassageIndex, id: string, tag: string | null): IndexedDocument | null {
  const known = index.document(id);
  if (known !== null) return known;
  const found = index.documentsLike(id.replace(/#.*$/, ''));
  return found.find((document) => document.language === tag) ?? found[0] ?? null;
}

/** Languages to search: first those whose texts contain more of the query's words; languages with the same share are searched together. */
async function groupLanguages(
  index: PassageIndex,
  query: string,
  language: string | null,
): Promise<readonly (readonly string[])[]> {
  if (language !== null) return [[language]];
  const groups = new Map<number, string[]>();
  for (const { tag } of index.languages()) {
    const coverage = await index.coverage(query, tag);
    groups.set(coverage, [...(groups.get(coverage) ?? []), tag]);
  }
  return [...groups].sort(([one], [other]) => other - one).map(([, tags]) => tags);
}

function* interleave<T>(lists: readonly (readonly T[])[]): Generator<T> {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const item = list[at];
      if (item !== undefined) yield item;
    }
  }
}

/** @param shown ids of the passages of earlier results, to which those of this one are added */
function makeHit(index: PassageIndex, id: string, documentId: string, shown: Set<string>): PassageHit | null {
  const document = index.document(documentId);
  const all = index.passagesOf(documentId);
  const passage = all.find((part) => part.id === id);
  if (document === null || passage === undefined) return null;
  const parts = partsOf(passage, all, document, shown);
  for (const part of parts) shown.add(part.id);
  return {
    document,
    passage,
    text: cutText(textOf(parts, document), mostTokens),
    flags: [...new Set(parts.flatMap(({ flags }) => flags))].sort(),
  };
}

/** The whole article if it is short; else the found passage and the following ones, up to one that is already shown. */
function partsOf(
  passage: IndexedPassage,
  all: readonly IndexedPassage[],
  document: IndexedDocument,
  shown: ReadonlySet<string>,
): readonly IndexedPassage[] {
  const sizeOf = (parts: readonly IndexedPassage[]) => estimateTokens(textOf(parts, document));
  const whole = all.filter((part) => !part.isApart);
  const most = 4 * hitTokens;
  const length = whole.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length <= most && !whole.some((part) => shown.has(part.id)) && sizeOf(whole) <= hitTokens) return whole;
  const parts = [passage];
  for (const next of whole.slice(whole.indexOf(passage) + 1)) {
    if (shown.has(next.id) || sizeOf([...parts, next]) > hitTokens) break;
    parts.push(next);
  }
  return parts;
}

/** Matches a lead that the text continues on the next line: the last line is a row of a table or the fence that opens code. */
const opensNextLine = /(?:^|\n)(?:\|[^\n]*|`{3,}[^\n`]*)$/;

function textOf(parts: readonly IndexedPassage[], { markdown }: IndexedDocument): string {
  const lead = parts[0]?.lead ?? '';
  const slices = parts.map(({ start, end }) =>
    markdown.slice(start, end).replace(/^(?:[^\S\n]*\n)+|\s+$/g, ''),
  );
  const text = slices.join('\n\n');
  return lead === '' ? text : `${lead}${opensNextLine.test(lead) ? '\n' : '\n\n'}${text}`;
}
