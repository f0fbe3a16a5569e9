import { once } from '../core/concurrency.ts';
import { isRecord, type UnknownRecord } from '../core/unknown-record.ts';

/** Widest column, in columns of the terminal. */
const widest = 50;
/** A column of text is not made narrower than this to let others in. */
const narrowest = 16;

/**
 * An answer of the API for a terminal: a list of records as a table, and one record as a line per field. An answer with a list, such as that of
 * a search, is its list.
 */
export function formatAnswer(answer: unknown, columns: number): string {
  if (Array.isArray(answer)) return formatTable(answer, columns);
  if (!isRecord(answer)) return `${shortText(answer)}\n`;
  const list = Object.keys(answer).some(isId) ? undefined : Object.values(answer).find(Array.isArray);
  return list === undefined ? formatRecord(answer, columns) : formatTable(list, columns);
}

/**
 * Records as a table: a column per field, numbers to the right, lists of texts as lines below their record. Never wider than the terminal: texts
 * are cut, and what has no room is left out.
 */
export function formatTable(records: readonly UnknownRecord[], columns: number): string {
  const [first] = records;
  if (first === undefined) return 'There are no records.\n';
  const wanted = usualFields(first);
  const lists = wanted.filter((name) => Array.isArray(first[name]));
  const cells = wanted
    .filter((name) => !lists.includes(name))
    .map((name): Column => {
      const texts = records.map((record) => shortText(record[name]));
      const heading = name.replace(/_|\B(?=[A-Z])/g, ' ').toUpperCase();
      const width = Math.max(widthOf(heading), ...texts.map(widthOf));
      const isFixed = isId(name) || texts.every((text) => /^[\d.:-]*$/.test(text));
      const isNumber = typeof first[name] === 'number';
      return { heading, texts, isFixed, isNumber, width: isFixed ? width : Math.min(widest, width) };
    });
  const shown = fitColumns(cells, columns);
  const line = (textOf: (column: Column) => string): string =>
    shown
      .map((column) => pad(cut(textOf(column), column.width), column.width, column.isNumber))
      .join('  ')
      .trimEnd();
  const below = (record: UnknownRecord): readonly string[] =>
    lists
      .flatMap((name) => record[name] as readonly unknown[])
      .map((text) => `    ${cut(shortText(text), columns - 4)}`);
  const lines = records.flatMap((record, at) => [line(({ texts }) => texts[at] ?? ''), ...below(record)]);
  return `${[line(({ heading }) => heading), ...lines].join('\n')}\n`;
}

interface Column {
  readonly heading: string;
  readonly texts: readonly string[];
  /** Whether its texts are useless if they are cut: ids, numbers and days. */
  readonly isFixed: boolean;
  readonly isNumber: boolean;
  readonly width: number;
}

/** Long texts, what follows from other fields, and what is the same for all records. */
const unusual =
  /^(?:account_id|body|description|short_version|url|relative_url|slug|snippet|text|hash|icon|tags|category_path|permission_groups|show_toc|score|created_at)$/;

/** Fields of a list: its id, its title, what is or is not, and the others. Lists of records have no cell. */
function usualFields(record: UnknownRecord): readonly string[] {
  const names = Object.keys(record).filter(
    (name) => !unusual.test(name) && !isRecords(record[name]) && !isRecord(record[name]),
  );
  const rank = (name: string): number => {
    if (name === 'title') return 1;
    if (name === names.find(isId)) return 0;
    return typeof record[name] === 'boolean' ? 2 : 3;
  };
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/** Columns that fit beside each other: the widest texts are cut first; then the last columns are left out. */
function fitColumns(columns: readonly Column[], room: number): readonly Column[] {
  const shown = [...columns];
  const total = () => shown.reduce((sum, { width }) => sum + width + 2, -2);
  while (total() > room) {
    const texts = shown.filter(({ isFixed, width }) => !isFixed && width > narrowest);
    const [most] = texts.toSorted((a, b) => b.width - a.width);
    // Ids and titles stay, whatever the room.
    if (shown.length > 2 && (most === undefined || most.width <= 2 * narrowest)) shown.pop();
    else if (most === undefined) return shown;
    else shown[shown.indexOf(most)] = { ...most, width: most.width - 1 };
  }
  return shown;
}

/** A line per field, with lists of records as tables and long texts below their name. */
function formatRecord(record: UnknownRecord, columns: number): string {
  const shown = Object.keys(record);
  const width = Math.max(...shown.map((name) => name.length));
  const lines = shown.map((name) => {
    const value = record[name];
    if (isRecords(value)) {
      const table = formatTable(value, columns - 4);
      return `${name}\n${table.replace(/^(?=.)/gm, '    ')}`.trimEnd();
    }
    const text = Array.isArray(value) ? value.map(shortText).join(', ') : longText(value);
    return text.includes('\n')
      ? `${name}\n${text.replace(/^(?=.)/gm, '    ')}`
      : `${name.padEnd(width)}  ${text}`;
  });
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

const isId = (name: string): boolean => /^[a-z]+_id$/.test(name) && name !== 'account_id';

function isRecords(value: unknown): value is readonly UnknownRecord[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function longText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value in one line. Of a time, the day says enough. */
function shortText(value: unknown): string {
  const text = longText(value).replace(/\s+/g, ' ').trim();
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text.slice(0, 10) : text;
}

/** Columns that a text takes: letters of East Asia and emoji take two. */
function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter().segment(text)) width += columnsOf(segment);
  return width;
}

/** Readers see a letter with its marks as one. Made on first use, because it takes 20 ms. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

function columnsOf(segment: string): number {
  if (/^\p{M}+$/u.test(segment)) return 0;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u.test(
    segment,
  )
    ? 2
    : 1;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = '';
  let used = 1;
  for (const { segment } of segmenter().segment(text)) {
    used += columnsOf(segment);
    if (used > width) break;
    short += segment;
  }
  return `${short}…`;
}

function pad(text: string, width: number, isRight: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isRight ? blanks + text : text + blanks;
}
