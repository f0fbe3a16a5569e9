/**
 * How well the chunks of the feed are found, and what they cost, beside sections with their headings, windows of a fixed size and the splitters of
 * LangChain, LlamaIndex and OpenAI, all with the title of the article and as the MCP server ranks passages.
 *
 *     npm run bench:retrieval -- KNOWLEDGE_BASE.json [QUESTIONS.json] [--languages en,de] [--embeddings MODULE.mjs]
 *
 * Both files hold JSON: `{articles, categories}` as the API gives them, and `{questions: [{question, language,
 * gold_article_id, gold_passage?, answers?}]}`, where `gold_passage` is the id of a paragraph of the body; the questions
 * may be in the first file. Without questions, the texts of links that differ from the title of their target are asked, and the
 * article with the link is not searched. With a module, whose default export turns texts into vectors, passages are ranked by the cosine of their
 * vectors and that of the question instead. An article is found by a chunk of it, a passage by a chunk that holds the answer in it.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { makeLanguageIndex } from '../src/consumers/mcp/language-index.ts';
import { recordFileOf } from '../src/consumers/mcp/record-file.ts';
import type { ReadRange } from '../src/core/file-system.ts';
import { loadLanguageWords } from '../src/core/search/language-words.ts';
import { jsonLine } from '../src/feed/records/json-lines.ts';
import type { ChunkRecord, DocumentRecord } from '../src/feed/records/record-schemas.ts';
import { type CountTokens, loadTokenCounter } from '../src/feed/tokens/count-tokens.ts';
import { buildCorpus, type Corpus } from '../test/feed/support/build-corpus.ts';
import { recordsOf } from '../test/feed/support/memory-output.ts';
import { frameworkSplitters, type Splitter, type Stretch, tokenWindows } from './retrieval-splitters.ts';

interface Question {
  readonly question: string;
  readonly language: string;
  readonly gold_article_id: string;
  readonly gold_passage?: string;
  readonly answers?: readonly string[];
  /** Id of a document to exclude from the search. */
  readonly source?: string;
}

/** A range of a document's Markdown. */
interface Passage extends Stretch {
  readonly document: DocumentRecord;
  /** What stands above it: the title, or the title and the headings. */
  readonly heading: string;
  /** What a model gets to answer from. */
  readonly text: string;
  /** Where it ends. */
  readonly answerEnd: number;
}

/** Ranks of the correct article and passage; `null`: not found. */
interface Ranks {
  readonly articles: readonly (number | null)[];
  readonly passages: readonly (number | null)[];
}

/** Turns texts into vectors. */
type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { languages: { type: 'string' }, embeddings: { type: 'string' } },
});
const embed: Embed | null =
  values.embeddings === undefined
    ? null
    : ((await import(pathToFileURL(resolve(values.embeddings)).href)) as { default: Embed }).default;
await main(positionals, values.languages?.split(','));

async function main(
  [knowledgeBase, questionFile]: readonly string[],
  languages: readonly string[] | undefined,
): Promise<void> {
  if (knowledgeBase === undefined) throw new Error('give the knowledge base, a JSON file');
  const corpus = JSON.parse(readFileSync(knowledgeBase, 'utf8')) as Corpus & { questions?: Question[] };
  const given =
    questionFile === undefined
      ? corpus.questions
      : (JSON.parse(readFileSync(questionFile, 'utf8')) as { questions: Question[] }).questions;
  const { plan, output } = await buildCorpus(corpus);
  const countTokens = await loadTokenCounter();
  const figures = new Map<string, number[][]>();
  for (const { tag } of plan.languages) {
    if (languages?.includes(tag) === false) continue;
    const documents = recordsOf<DocumentRecord>(output, tag, 'documents');
    const questions = (given ?? linkQuestions(documents, tag)).filter(({ language }) => language === tag);
    if (questions.length === 0) continue;
    const chunks = chunkPassages(documents, recordsOf<ChunkRecord>(output, tag, 'chunks'));
    for (const [name, passages] of await waysToCut(documents, chunks, countTokens)) {
      const row = figuresOf(await askAll(questions, passages), meanTokens(passages, countTokens));
      figures.set(name, [...(figures.get(name) ?? []), row]);
      print([tag, name, `${passages.length} passages`], row);
    }
  }
  for (const [name, rows] of figures) {
    const mean = (at: number) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length;
    print(
      ['mean', name, ''],
      (rows[0] ?? []).map((_, at) => mean(at)),
    );
  }
}

/** Every splitter by name: the chunks, alone and each with the next one, sections, windows, then the splitters of frameworks. */
async function waysToCut(
  documents: readonly DocumentRecord[],
  chunks: readonly Passage[],
  countTokens: CountTokens,
): Promise<ReadonlyMap<string, readonly Passage[]>> {
  const ways = new Map([
    ['chunks', chunks],
    ['chunks, answered with the next one', chunks.map(withNext)],
    ['sections', documents.flatMap(sectionsOf)],
  ]);
  const windows = [250, 500, 750].map((size) => tokenWindows(size, 0, countTokens));
  for (const splitter of [...windows, tokenWindows(800, 400, countTokens), ...frameworkSplitters])
    ways.set(splitter.name, await cut(documents, splitter));
  return ways;
}

/** A passage that a model gets with the following one of its document. */
function withNext(passage: Passage, at: number, all: readonly Passage[]): Passage {
  const next = all[at + 1];
  if (next?.document !== passage.document) return passage;
  const { markdown } = passage.document;
  return { ...passage, text: passage.text + markdown.slice(passage.end, next.end), answerEnd: next.end };
}

/** The text from one heading to the next, below the title and the headings above it. */
function sectionsOf(document: DocumentRecord): readonly Passage[] {
  const { title, headings, markdown } = document;
  const path: { readonly level: number; readonly text: string }[] = [];
  return [{ level: 0, text: title, start: 0 }, ...headings].flatMap(({ level, text, start }, at) => {
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, text });
    const end = headings[at]?.start ?? markdown.length;
    if (markdown.slice(start, end).replace(/^#.*/, '').trim() === '') return [];
    return [passageOf(document, { start, end }, path.map((each) => each.text).join(' › '))];
  });
}

function passageOf(document: DocumentRecord, { start, end }: Stretch, heading: string): Passage {
  const text = `${heading}\n${document.markdown.slice(start, end)}`;
  return { document, start, end, heading, text, answerEnd: end };
}

async function cut(documents: readonly DocumentRecord[], splitter: Splitter): Promise<readonly Passage[]> {
  const passages: Passage[] = [];
  for (const document of documents)
    for (const stretch of await splitter.split(document.markdown))
      passages.push(passageOf(document, stretch, document.title));
  return passages;
}

function chunkPassages(
  documents: readonly DocumentRecord[],
  chunks: readonly ChunkRecord[],
): readonly Passage[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return chunks.flatMap(({ document_id, title, heading_path, start, end, text }) => {
    const document = byId.get(document_id);
    const heading = [title, ...(heading_path ?? [])].join(' › ');
    return document === undefined ? [] : [{ document, start, end, heading, text, answerEnd: end }];
  });
}

/** Texts of links to other articles, if they are long enough and differ from the title. */
function linkQuestions(documents: readonly DocumentRecord[], language: string): readonly Question[] {
  const titles = new Map(documents.map(({ article_id, title }) => [article_id, title.toLowerCase()]));
  const asked = new Map<string, Question>();
  for (const { id, article_id, markdown } of documents) {
    const links = markdown.matchAll(/\[([^\][]{12,120})\]\([^)\s]*\/article\/([\dA-Za-z]{10})-[^)\s]*\)/g);
    for (const [, text = '', target = ''] of links) {
      const question = text.replaceAll(/[*_\\`]/g, '').trim();
      const title = titles.get(target);
      if (title === undefined || title === question.toLowerCase() || target === article_id) continue;
      const key = `${target} ${question.toLowerCase()}`;
      if (!asked.has(key)) asked.set(key, { question, language, gold_article_id: target, source: id });
    }
  }
  return [...asked.values()];
}

async function askAll(questions: readonly Question[], passages: readonly Passage[]): Promise<Ranks> {
  const language = questions[0]?.language ?? '';
  const rank = await (embed === null ? rankByWords(language, passages) : rankByVectors(passages, embed));
  const articles: (number | null)[] = [];
  const found: (number | null)[] = [];
  for (const question of questions) {
    const ranked = (await rank(question.question))
      .map((at) => passages[at] as Passage)
      .filter(({ document }) => document.id !== question.source);
    articles.push(firstRank(ranked, ({ document }) => document.article_id === question.gold_article_id));
    if (question.gold_passage !== undefined) {
      found.push(firstRank(ranked, (passage) => holdsAnswer(passage, question)));
    }
  }
  return { articles, passages: found };
}

/** Numbers of passages, best first. */
type Rank = (question: string) => Promise<readonly number[]>;

async function rankByWords(language: string, passages: readonly Passage[]): Promise<Rank> {
  const index = await indexOf(language, passages);
  return async (question) => (await index.rank(question, [])).map(({ id }) => Number(id.slice(1)));
}

async function rankByVectors(passages: readonly Passage[], embed: Embed): Promise<Rank> {
  const unit = (vector: readonly number[]) => {
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  const vectors: (readonly number[])[] = [];
  for (let at = 0; at < passages.length; at += 16)
    vectors.push(...(await embed(passages.slice(at, at + 16).map(({ text }) => text))).map(unit));
  return async (question) => {
    const [asked = []] = (await embed([question])).map(unit);
    const scores = vectors.map((vector) =>
      vector.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0),
    );
    return scores.map((_, at) => at).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  };
}

/** The index of the MCP server, with passages as the chunks of their documents. */
async function indexOf(language: string, passages: readonly Passage[]) {
  const documents = [...new Set(passages.map(({ document }) => document))];
  const chunks = passages.map(({ document, heading, start, end }, at) => ({
    ...{ id: `p${at}`, document_id: document.id, language, title: heading, url: document.url, start, end },
    ...{ tokens: 0, hash: '0'.repeat(16), text: `${heading}\n\n${document.markdown.slice(start, end)}` },
  }));
  const file = (records: readonly unknown[]) => {
    const bytes = Buffer.from(records.map(jsonLine).join(''));
    const read: ReadRange = (start, end, into = Buffer.alloc(end - start)) =>
      into.subarray(0, bytes.copy(into, 0, start, end));
    return recordFileOf(read, {
      path: '',
      kind: 'chunks',
      bytes: bytes.length,
      sha256: hash('sha256', bytes),
    });
  };
  const words = await loadLanguageWords(language);
  return (await makeLanguageIndex(language, words, file(documents), file(chunks))).chunks();
}

function meanTokens(passages: readonly Passage[], countTokens: CountTokens): number {
  const all = passages.reduce((sum, { text }) => sum + countTokens(text), 0);
  return all / Math.max(1, passages.length);
}

function firstRank(ranked: readonly Passage[], isGold: (passage: Passage) => boolean): number | null {
  const found = ranked.findIndex(isGold);
  return found < 0 ? null : found + 1;
}

function holdsAnswer({ document, start, answerEnd: end }: Passage, question: Question): boolean {
  if (document.article_id !== question.gold_article_id) return false;
  const { markdown } = document;
  const block = paragraphs(markdown)[Number(question.gold_passage?.slice(1)) - 1];
  if (block === undefined) return false;
  const places = (question.answers ?? []).flatMap((answer) => {
    const at = markdown.indexOf(answer, block.start);
    return at < 0 || at + answer.length > block.end ? [] : [[at, at + answer.length] as const];
  });
  if (places.length > 0) return places.some(([from, to]) => start <= from && to <= end);
  return Math.min(end, block.end) - Math.max(start, block.start) > (block.end - block.start) / 2;
}

/** The blocks between blank lines; bodies with named passages contain only paragraphs. */
function paragraphs(markdown: string): readonly { readonly start: number; readonly end: number }[] {
  let start = 0;
  return markdown.split('\n\n').map((text) => {
    const end = start + text.trimEnd().length;
    const paragraph = { start, end };
    start += text.length + 2;
    return paragraph;
  });
}

/**
 * Mean tokens of a passage, then, for the passages if the questions name one and for the articles otherwise: the shares found first and among the
 * first five, and the tokens that a model reads for each right answer if it gets the first passage.
 */
function figuresOf({ articles, passages }: Ranks, tokens: number): number[] {
  const ranks = passages.length > 0 ? passages : articles;
  const share = (most: number) => ranks.filter((rank) => rank !== null && rank <= most).length / ranks.length;
  return [tokens, share(1), share(5), tokens / Math.max(0.001, share(1))];
}

function print(
  [tag = '', name = '', size = '']: readonly string[],
  [tokens = 0, first = 0, five = 0, perAnswer = 0]: readonly number[],
): void {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7);
  console.log(
    `${tag.padEnd(5)}  ${name.padEnd(38)}  ${size.padStart(14)}  ${Math.round(tokens)} tokens`.padEnd(76) +
      `  hit@1 ${percent(first)}  hit@5 ${percent(five)}  ${Math.round(perAnswer)} tokens per right answer`,
  );
}
