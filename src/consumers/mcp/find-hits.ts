import { findLanguage } from '../../core/language.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';
import { cutText, estimateTokens } from './answer-size.ts';
import { type PassageIndex, pageKey } from './passage-index.ts';

/** A search result: a passage with as many of the following ones of its article as fit, or all of a short article. */
export interface PassageHit {
  readonly document: DocumentRecord;
  readonly passage: ChunkRecord;
  readonly text: string;
  /** Rules of the injection flags of all its passages. */
  readonly flags: readonly string[];
}

/** Maximum number of passages of one article in the results of a search; more would displace other articles. */
const passagesPerArticle = 2;

/** A result is extended up to this size: a short passage often introduces the steps that answer the question. */
const hitTokens = 680;
/** A passage that is longer is cut. */
const maxTokens = 1200;

/**
 * Finds the passages that answer a query, best first. All passages of an article are in the same language.
 * @param language `null`: the language of the query, then the default language, then the others
 */
export async function* findHits(
  index: PassageIndex,
  query: string,
  language: string | null,
): AsyncGenerator<PassageHit> {
  const shown = new Set<string>();
  const languageOfArticle = new Map<string, string>();
  const tags = language === null ? index.rankLanguages(query) : [language];
  for (const tag of tags) {
    const counts = new Map<string, number>();
    for (const { id, document: documentId } of await index.rank(query, tag)) {
      const count = counts.get(documentId) ?? 0;
      if (shown.has(id) || count >= passagesPerArticle) continue;
      const document = index.document(documentId);
      if (document === null) continue;
      if ((languageOfArticle.get(document.article_id) ?? tag) !== tag) {
        counts.set(documentId, passagesPerArticle);
        continue;
      }
      const hit = await makeHit(index, id, document, shown);
      if (hit === null) continue;
      counts.set(documentId, count + 1);
      languageOfArticle.set(document.article_id, tag);
      yield hit;
    }
  }
}

/** An article that was asked for by id or URL. */
interface FoundDocument {
  readonly document: DocumentRecord;
  /** Languages that the article has, if the one that was asked for is not among them; otherwise `null`. */
  readonly instead: readonly string[] | null;
}

/**
 * Finds an article by document id, by article id, or by URL. An id or URL of one language also finds the others.
 * @param language the tag that was asked for; absent: that of the id or URL
 */
export function findDocument(
  index: PassageIndex,
  id: string,
  language: string | undefined,
): FoundDocument | null {
  const named =
    index.document(id) ?? index.documentsLike(keyOf(id))[0] ?? index.documentsLike(pageKey(id))[0];
  if (named === undefined) return null;
  if (language === undefined) return { document: named, instead: null };
  const all = index.documentsLike(named.article_id);
  const tags = all.map((one) => one.language);
  const tag = findLanguage(language, tags);
  const document = all.find((one) => one.language === tag);
  return document === undefined ? { document: named, instead: tags } : { document, instead: null };
}

/** Answers have URLs with letters, the feed has them encoded. */
function keyOf(id: string): string {
  return id.replace(/#.*$/, '').replace(/[\p{L}\p{M}\p{N}]/gu, encodeURIComponent);
}

/** @param shown ids of the passages of earlier results, to which those of this one are added */
async function makeHit(
  index: PassageIndex,
  id: string,
  document: DocumentRecord,
  shown: Set<string>,
): Promise<PassageHit | null> {
  const all = await index.passagesOf(document.id);
  const passage = all.find((part) => part.id === id);
  if (passage === undefined) return null;
  const parts = partsOf(passage, all, document, shown);
  for (const part of parts) shown.add(part.id);
  return {
    document,
    passage,
    text: cutText(textOf(parts, document, passage), maxTokens),
    flags: [...new Set(parts.flatMap(({ flags = [] }) => flags))].sort(),
  };
}

/** The whole article if it is short; else the found passage and the following ones, up to one that is already shown. */
function partsOf(
  passage: ChunkRecord,
  all: readonly ChunkRecord[],
  document: DocumentRecord,
  shown: ReadonlySet<string>,
): readonly ChunkRecord[] {
  const sizeOf = (parts: readonly ChunkRecord[]) => estimateTokens(textOf(parts, document));
  const most = 4 * hitTokens;
  const length = all.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length <= most && !all.some((part) => shown.has(part.id)) && sizeOf(all) <= hitTokens) return all;
  const parts = [passage];
  for (const next of all.slice(all.indexOf(passage) + 1)) {
    if (shown.has(next.id) || sizeOf([...parts, next]) > hitTokens) break;
    parts.push(next);
  }
  return parts;
}

/** The headings right above a position. */
const headingsAbove = /(?:^|\n)((?:#{1,6} [^\n]*\n+)+)$/;

/** Lines of a text that are headings above a passage: between it and them may be a list that is in no passage. */
function headingsIn(text: string, path: readonly string[]): string {
  const lines = text.match(/^#{1,6} .*$/gm) ?? [];
  return lines.flatMap((line) => (path.includes(line.replace(/^#+ /, '')) ? [`${line}\n\n`] : [])).join('');
}

/**
 * The Markdown of passages that follow each other, with the headings above each of them.
 * @param found the found passage, whose headings the answer has before its text: if it is the first one, they are not repeated
 */
function textOf(parts: readonly ChunkRecord[], { markdown }: DocumentRecord, found?: ChunkRecord): string {
  return parts
    .map((part, at) => {
      const { start, end, heading_path: path = [], repeats = [] } = part;
      const between = markdown.slice(parts[at - 1]?.end ?? 0, start);
      const headings = headingsAbove.exec(between)?.[1] ?? (at === 0 ? '' : headingsIn(between, path));
      const passage = markdown.slice(start, end);
      // A part that continues a cut begins with the sentence that introduces its list, or with the header of its table.
      const lead = repeats.map(([from, to]) => markdown.slice(from, to)).join('');
      if (at === 0) return withoutLines(headings, part === found ? path : []) + lead + passage;
      return (between.trim() === '' ? between : `\n\n${headings}`) + passage;
    })
    .join('');
}

/** Lines of headings, without those of a path. */
function withoutLines(headings: string, path: readonly string[]): string {
  return headings.replace(/^#+ (.*)\n+/gm, (line, text: string) => (path.includes(text) ? '' : line));
}
