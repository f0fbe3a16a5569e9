/**
 * How well the chunks of the feed are found, beside windows of a fixed size, as the MCP server ranks passages: BM25 over stems,
 * without stop words.
 *
 *     npm run bench:retrieval -- KNOWLEDGE_BASE.json [QUESTIONS.json]
 *
 * Both files hold JSON: `{articles, categories}` as the API gives them, and `{questions: [{question, language,
 * gold_article_id, gold_passage?, answers?}]}`, where `gold_passage` is the id of a paragraph of the body; the questions
 * may stand in the first file. An article is found by a chunk of it, a passage by a chunk that holds the answer in it.
 */
import { readFileSync } from 'node:fs';
import { apartKinds } from '../src/feed/chunks/set-apart.ts';
import type { ChunkRecord } from '../src/feed/records/chunk-record.ts';
import type { DocumentRecord } from '../src/feed/records/document-record.ts';
import { type LanguageWords, loadLanguageWords } from '../src/foundation/language-words.ts';
import { createPassageRanking } from '../src/mcp/passage-ranking.ts';
import { buildCorpus, type Corpus } from '../test/feed/support/build-corpus.ts';
import { type MemoryOutput, recordLines } from '../test/feed/support/memory-output.ts';

interface Question {
  readonly question: string;
  readonly language: string;
  readonly gold_article_id: string;
  readonly gold_passage?: string;
  readonly answers?: readonly string[];
}

/** A stretch of a document's Markdown and what is indexed of it. */
interface Passage {
  readonly document: DocumentRecord;
  readonly start: number;
  readonly end: number;
  readonly indexed: string;
}

const shown = 5;
/** What docs/feed.md says not to index. */
const skipped = new Set<string>(apartKinds);

await main(process.argv.slice(2));

async function main([knowledgeBase, questionFile]: readonly string[]): Promise<void> {
  if (knowledgeBase === undefined) throw new Error('give the knowledge base, a JSON file');
  const corpus = JSON.parse(readFileSync(knowledgeBase, 'utf8')) as Corpus & { questions?: Question[] };
  const questions =
    questionFile === undefined
      ? (corpus.questions ?? [])
      : (JSON.parse(readFileSync(questionFile, 'utf8')) as { questions: Question[] }).questions;
  const { plan, output } = await buildCorpus(corpus);
  for (const { tag } of plan.languages) {
    const asked = questions.filter(({ language }) => language === tag);
    if (asked.length === 0) continue;
    const documents = records<DocumentRecord>(output, tag, 'documents');
    const chunks = chunkPassages(documents, records<ChunkRecord>(output, tag, 'chunks'));
    const words = await loadLanguageWords(tag);
    const chars = windowChars(documents, chunks.length);
    report(tag, 'chunks', asked, chunks, words);
    report(tag, 'windows', asked, windows(documents, chars, false), words);
    report(tag, 'windows with title', asked, windows(documents, chars, true), words);
  }
}

function records<Row>(output: MemoryOutput, language: string, kind: 'documents' | 'chunks'): readonly Row[] {
  return recordLines(output, language, kind).map((line) => JSON.parse(line) as Row);
}

function chunkPassages(
  documents: readonly DocumentRecord[],
  chunks: readonly ChunkRecord[],
): readonly Passage[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return chunks.flatMap(({ document_id, start, end, embed_text, type }) => {
    const document = byId.get(document_id);
    return document === undefined || skipped.has(type) ? [] : [{ document, start, end, indexed: embed_text }];
  });
}

/** The smallest window that cuts the documents into no more windows than there are chunks: the same mean size. */
function windowChars(documents: readonly DocumentRecord[], count: number): number {
  for (let chars = 100; ; chars += 10) {
    const windows = documents.reduce(
      (sum, { chars: length }) => sum + Math.max(1, Math.ceil(length / chars)),
      0,
    );
    if (windows <= count) return chars;
  }
}

/** Windows of a fixed size, cut wherever they end. */
function windows(
  documents: readonly DocumentRecord[],
  chars: number,
  withTitle: boolean,
): readonly Passage[] {
  return documents.flatMap((document) => {
    const { markdown } = document.content;
    const count = Math.max(1, Math.ceil(markdown.length / chars));
    return Array.from({ length: count }, (_, at): Passage => {
      const start = at * chars;
      const end = Math.min(markdown.length, start + chars);
      const text = markdown.slice(start, end);
      return { document, start, end, indexed: withTitle ? `${document.title}\n${text}` : text };
    });
  });
}

function report(
  language: string,
  kind: string,
  questions: readonly Question[],
  passages: readonly Passage[],
  words: LanguageWords,
): void {
  const ranking = createPassageRanking(words);
  for (const [at, { indexed }] of passages.entries()) ranking.put(String(at), indexed);
  const articleRanks: (number | null)[] = [];
  const passageRanks: (number | null)[] = [];
  for (const question of questions) {
    const ranked = ranking.rank(question.question).map((at) => passages[Number(at)] as Passage);
    articleRanks.push(firstRank(ranked, ({ document }) => document.article_id === question.gold_article_id));
    if (question.gold_passage !== undefined) {
      passageRanks.push(firstRank(ranked, (passage) => holdsAnswer(passage, question)));
    }
  }
  console.log(
    [
      language.padEnd(6),
      kind.padEnd(19),
      `${passages.length} passages`.padStart(14),
      `article ${figures(articleRanks)}`,
      ...(passageRanks.length === 0 ? [] : [`passage ${figures(passageRanks)}`]),
    ].join('  '),
  );
}

function firstRank(ranked: readonly Passage[], isGold: (passage: Passage) => boolean): number | null {
  const found = ranked.findIndex(isGold);
  return found < 0 ? null : found + 1;
}

function holdsAnswer({ document, start, end }: Passage, question: Question): boolean {
  if (document.article_id !== question.gold_article_id) return false;
  const { markdown } = document.content;
  const block = paragraphs(markdown)[Number(question.gold_passage?.slice(1)) - 1];
  if (block === undefined) return false;
  const places = (question.answers ?? []).flatMap((answer) => {
    const at = markdown.indexOf(answer, block.start);
    return at < 0 || at + answer.length > block.end ? [] : [[at, at + answer.length] as const];
  });
  if (places.length > 0) return places.some(([from, to]) => start <= from && to <= end);
  return Math.min(end, block.end) - Math.max(start, block.start) > (block.end - block.start) / 2;
}

/** What stands between blank lines: bodies with named passages hold paragraphs alone. */
function paragraphs(markdown: string): readonly { readonly start: number; readonly end: number }[] {
  let start = 0;
  return markdown.split('\n\n').map((text) => {
    const end = start + text.trimEnd().length;
    const paragraph = { start, end };
    start += text.length + 2;
    return paragraph;
  });
}

function figures(ranks: readonly (number | null)[]): string {
  const share = (isGood: (rank: number) => boolean) =>
    (ranks.filter((rank) => rank !== null && isGood(rank)).length / ranks.length).toFixed(3);
  const reciprocal =
    ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0) / ranks.length;
  return `hit@1 ${share((rank) => rank === 1)} hit@${shown} ${share((rank) => rank <= shown)} MRR ${reciprocal.toFixed(3)}`;
}
