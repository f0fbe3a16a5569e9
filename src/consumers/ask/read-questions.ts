import { LecternError } from '../../core/errors.ts';
import { z } from '../../core/schema.ts';

/** A question with the articles that answer it. */
export interface Question {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly question: string;
  /** Ids or URLs of the articles, one of which is enough; at least one. */
  readonly articles: readonly string[];
  /** `null`: all languages are searched. */
  readonly language: string | null;
}

/** A mistake in one line of a file of questions. */
export interface LineMistake {
  readonly line: number;
  /** E.g. `the article abc is not in the feed`. */
  readonly message: string;
}

const text = z.string().trim().min(1);
const lineSchema = z.strictObject({
  question: text,
  article: z.union([text, z.array(text).min(1)]),
  language: z.string().trim().nullish(),
});

/**
 * Parses a file of questions: JSON lines, or CSV with a header row. Several articles of a question are an array, in CSV separated by `|`.
 * @param name of the file, for messages
 * @throws QUESTIONS_INVALID with every mistake
 */
export function parseQuestions(content: string, name: string): readonly Question[] {
  const clean = content.replace(/^\ufeff/, '');
  const mistakes: LineMistake[] = [];
  const found = /^\s*\{/.test(clean) ? readJsonLines(clean, mistakes) : readTable(clean, mistakes);
  const questions: Question[] = [];
  for (const { line, value } of found) {
    const { success, data, error } = lineSchema.safeParse(value);
    if (!success) {
      mistakes.push({ line, message: describeIssue(error) });
      continue;
    }
    const articles = typeof data.article === 'string' ? [data.article] : data.article;
    questions.push({ line, question: data.question, articles, language: data.language || null });
  }
  if (mistakes.length === 0 && questions.length === 0)
    mistakes.push({ line: 1, message: 'there is no question' });
  throwMistakes(mistakes, name);
  return questions;
}

/** @throws QUESTIONS_INVALID if there are mistakes; its message has the first ones */
export function throwMistakes(mistakes: readonly LineMistake[], name: string): void {
  if (mistakes.length === 0) return;
  const sorted = [...mistakes].sort((one, other) => one.line - other.line);
  const shown = sorted.slice(0, 10).map(({ line, message }) => `line ${line}: ${message}`);
  const more = sorted.length > shown.length ? [`and ${sorted.length - shown.length} more`] : [];
  throw new LecternError('QUESTIONS_INVALID', `${name}: ${[...shown, ...more].join('; ')}`, {
    hint: 'each line needs "question" and "article" (an id or URL of the feed), and may have "language"',
    exitCode: 2,
  });
}

interface FoundLine {
  readonly line: number;
  readonly value: unknown;
}

function readJsonLines(content: string, mistakes: LineMistake[]): FoundLine[] {
  return content.split('\n').flatMap((text, index): FoundLine[] => {
    if (text.trim() === '') return [];
    try {
      return [{ line: index + 1, value: JSON.parse(text) }];
    } catch {
      mistakes.push({ line: index + 1, message: 'not a JSON object' });
      return [];
    }
  });
}

function readTable(content: string, mistakes: LineMistake[]): FoundLine[] {
  const [header, ...rows] = readRows(content, mistakes);
  if (header === undefined) return [];
  const names = header.cells.map((name) => name.trim().toLowerCase());
  return rows.map(({ line, cells }) => {
    const entries = cells.map((cell, at) => [names[at] ?? `column ${at + 1}`, cell.trim()] as const);
    const row = Object.fromEntries(entries.filter(([name, cell]) => name !== '' || cell !== ''));
    const articles = (row.article ?? '').split('|').map((article) => article.trim());
    return { line, value: { ...row, article: articles.filter((article) => article !== '') } };
  });
}

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Rows of a CSV text (RFC 4180): cells in quotation marks may have commas, line ends and doubled quotation marks. */
function readRows(content: string, mistakes: LineMistake[]): CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  let start = 1;
  let cells: string[] = [];
  let end = 0;
  // Sticky: every match begins where the last one ended.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (end < content.length) {
    cell.lastIndex = end;
    const match = cell.exec(content);
    if (match === null) {
      mistakes.push({ line, message: 'a quotation mark is missing or has text beside it' });
      return [];
    }
    const [all, quoted, plain = '', separator] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += all.split('\n').length - 1;
    end = cell.lastIndex;
    if (separator === ',' && end < content.length) continue;
    if (separator === ',') cells.push('');
    if (cells.some((text) => text.trim() !== '')) rows.push({ line: start, cells });
    cells = [];
    start = line;
  }
  return rows;
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue?.path[0];
  if (issue?.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ')}`;
  return field === undefined ? 'not an object' : `${String(field)} is missing or no text`;
}
