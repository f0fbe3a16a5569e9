import { wrapText } from '../wrap-text.ts';
import type { Command, Option } from './command.ts';

/** Help is written for terminals of this width, whatever the terminal: it is pasted into tickets and docs. */
const helpWidth = 80;

/** The left column takes at most half of it. */
const longestLabel = helpWidth / 2;

/** What help says of a command. */
export interface HelpSubject {
  /** Names from the program's on, and the words after them: `lectern search <text>`. */
  readonly usage: string;
  readonly describe: string;
  /** Names alone: `lectern search`. */
  readonly path: string;
  readonly command: Command;
}

const globalOptions: readonly (readonly [label: string, option: Option])[] = [
  ['    --version', { type: 'boolean', describe: 'Show version number' }],
  ['-h, --help', { type: 'boolean', describe: 'Show help' }],
];

/** Explains a command: usage, commands, flags by group, examples, in lines of 80 columns. */
export function formatHelp({ usage, describe, path, command }: HelpSubject): string {
  const { options, positionals, commands, examples, epilogue } = command;
  const groups = new Map<string, [label: string, option: Option][]>();
  for (const [name, option] of Object.entries(options)) {
    if (option.group === undefined) continue;
    groups.set(option.group, [...(groups.get(option.group) ?? []), [`    --${name}`, option]]);
  }
  const plain = Object.entries(options).filter(([, { group }]) => group === undefined);
  const sections = [
    [usage],
    wrapText(describe, helpWidth),
    section(
      'Commands:',
      commands.map((row) => [`${path} ${row.usage}`, row.describe, '']),
    ),
    ...[...groups].map(([title, rows]) => section(title, rows.map(optionRow))),
    section(
      'Positionals:',
      Object.entries(positionals).map(([name, { describe }]) => [
        name,
        describe,
        usage.includes(`<${name}>`) ? '[string] [required]' : '[string]',
      ]),
    ),
    section('Options:', [
      ...globalOptions.map(optionRow),
      ...plain.map(([name, option]) => optionRow([`    --${name}`, option])),
    ]),
    section(
      'Examples:',
      examples.map(([line, describe]) => [line, describe, '']),
    ),
    epilogue === null ? [] : wrapText(epilogue, helpWidth),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** What stands in a line: on the left, beside it, and at the right end where there is room, else in a line of its own. */
type Row = readonly [label: string, text: string, note: string];

function optionRow([label, { type, describe, choices, default: value }]: readonly [string, Option]): Row {
  const kind = choices === undefined ? type : `choices: ${choices.map((c) => JSON.stringify(c)).join(', ')}`;
  return [label, describe, `[${kind}]${value === undefined ? '' : ` [default: ${JSON.stringify(value)}]`}`];
}

function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const labelWidth = Math.min(Math.max(...rows.map(([label]) => label.length)), longestLabel);
  return [title, ...rows.flatMap((row) => formatRow(row, labelWidth))];
}

function formatRow([label, text, note]: Row, labelWidth: number): string[] {
  const labels = label.length > labelWidth ? wrapText(label, labelWidth) : [label];
  const texts = wrapText(text, helpWidth - labelWidth - 4);
  const lines = Array.from({ length: Math.max(labels.length, texts.length) }, (_, at) =>
    `  ${(labels[at] ?? '').padEnd(labelWidth)}  ${texts[at] ?? ''}`.trimEnd(),
  );
  if (note === '') return lines;
  const last = lines.at(-1) ?? '';
  if (last.length + note.length > helpWidth) return [...lines, note.padStart(helpWidth)];
  return [...lines.slice(0, -1), last + note.padStart(helpWidth - last.length)];
}
