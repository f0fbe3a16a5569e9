/** Widest column that is not the last one, in characters. */
const widest = 50;

/**
 * Records as a table for a terminal: a column per field, numbers to the right, lists as lines below their record. Long values are cut.
 * @param records with the same fields; without any, a sentence says so
 * @param columns of the terminal
 */
export function formatTable(records: readonly object[], columns: number): string {
  const [first] = records;
  if (first === undefined) return 'Nothing was counted in this timeframe.\n';
  const names = Object.keys(first).filter((name) => !Array.isArray(fieldOf(first, name)));
  const cells = records.map((record) => names.map((name) => String(fieldOf(record, name) ?? '')));
  const titles = names.map((name) => name.replaceAll('_', ' ').toUpperCase());
  const widths = titles.map((title, at) =>
    Math.min(widest, Math.max(title.length, ...cells.map((row) => widthOf(row[at] ?? '')))),
  );
  const isNumber = names.map((name) => typeof fieldOf(first, name) === 'number');
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => pad(cut(cell, widths[at] ?? 0), widths[at] ?? 0, isNumber[at] ?? false))
      .join('  ')
      .trimEnd();
  const below = (record: object): readonly string[] =>
    Object.values(record)
      .filter(Array.isArray)
      .flat()
      .map((text) => `    ${cut(String(text), columns - 4)}`);
  const lines = records.flatMap((record, at) => [line(cells[at] ?? []), ...below(record)]);
  return `${[line(titles), ...lines].join('\n')}\n`;
}

function fieldOf(record: object, name: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[name];
}

/** Columns that a text takes: letters of East Asia take two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uff60]/u.test(
    character,
  )
    ? 2
    : 1;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = '';
  let used = 1;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    short += character;
  }
  return `${short}…`;
}

function pad(text: string, width: number, isRight: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isRight ? blanks + text : text + blanks;
}
