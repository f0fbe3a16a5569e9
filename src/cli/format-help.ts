import type { Command, Example, Option, Place } from './command.ts';
import { wrapText } from './wrap-text.ts';

/** Two columns of a list: a name and what it is. */
type Row = readonly [left: string, right: string];

/**
 * The help of a command. The commands of a group have one page, which says once what they have in common.
 * @param width columns of the terminal
 */
export async function formatHelp(place: Place, width: number): Promise<string> {
  const { group } = place;
  const isMember = place.command.commands.length === 0 && group !== null && group.path.length > 1;
  const { path, row, command } = isMember ? group : place;
  const title = [...path.slice(0, -1), row.usage].join(' ');
  const parts =
    command.commands.length === 0
      ? describeCommand(command, width)
      : await describeGroup(command, path.join(' '), width);
  return `${[title, row.describe, ...parts].join('\n\n')}\n`;
}

/** Arguments, flags, remarks and examples. */
function describeCommand(command: Command, width: number): readonly string[] {
  const { positionals, options, epilogue, examples } = command;
  const headings = [...new Set(Object.values(options).map(({ group = 'Options:' }) => group))];
  return [
    ...formatList('Arguments:', wordsOf(positionals), width),
    ...headings.flatMap((heading) => {
      const ofHeading = Object.entries(options).filter(([, { group = 'Options:' }]) => group === heading);
      return formatList(heading, ofHeading.map(flagOf), width);
    }),
    ...(epilogue === null ? [] : [wrapText(epilogue, width).join('\n')]),
    ...formatExamples(examples, width),
  ];
}

/** The commands of a group with what only they have, the flags of all, and examples. Groups in it have pages of their own. */
async function describeGroup({ commands }: Command, path: string, width: number): Promise<readonly string[]> {
  const members = await Promise.all(commands.map(async (row) => ({ row, command: await row.load() })));
  const groups = members.filter(({ command }) => command.commands.length > 0);
  const single = members.filter(({ command }) => command.commands.length === 0);
  const shared = Object.entries(single[0]?.command.options ?? {}).filter(([name, { describe }]) =>
    single.every(({ command: { options } }) => options[name]?.describe === describe),
  );
  const isShared = (name: string): boolean => shared.some(([other]) => other === name);
  return [
    ...formatList(
      'Groups, each with a page of its own:',
      groups.map(({ row }) => [`${path} ${row.usage} --help`, row.describe]),
      width,
    ),
    ...single.map(({ row, command: { positionals, options } }) => {
      const own = Object.entries(options).filter(([name]) => !isShared(name));
      const rows = [...wordsOf(positionals), ...own.map(flagOf)];
      return [
        `${path} ${row.usage}`,
        ...wrapText(row.describe, width - 2).map((line) => `  ${line}`),
        ...formatRows(rows, width, 4),
      ].join('\n');
    }),
    ...formatList('Options of each:', shared.map(flagOf), width),
    ...formatExamples(
      single.flatMap(({ command: { examples } }) => examples),
      width,
    ),
  ];
}

function wordsOf(positionals: Command['positionals']): readonly Row[] {
  return Object.entries(positionals).map(([name, { describe }]) => [name, describe]);
}

/** A flag with its values and its default in words. */
function flagOf([name, option]: readonly [name: string, option: Option]): Row {
  const { describe, choices = [], default: value } = option;
  const values = choices.length === 0 ? '' : `: ${choices.join(', ')}`;
  const otherwise = value === undefined || value === false ? '' : ` (default ${value})`;
  return [`--${name}`, describe + values + otherwise];
}

function formatExamples(examples: readonly Example[], width: number): readonly string[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([line, describe]) => [
    `  ${line}`,
    ...wrapText(describe, width - 6).map((part) => `      ${part}`),
  ]);
  return [['Examples:', ...lines].join('\n')];
}

function formatList(heading: string, rows: readonly Row[], width: number): readonly string[] {
  return rows.length === 0 ? [] : [[heading, ...formatRows(rows, width, 2)].join('\n')];
}

/** Rows as two columns; in a narrow terminal, the right one is below the left one. */
function formatRows(rows: readonly Row[], width: number, indent: number): readonly string[] {
  const start = indent + Math.max(0, ...rows.map(([left]) => left.length)) + 2;
  const isNarrow = width - start < 30;
  const at = isNarrow ? indent + 4 : start;
  return rows.flatMap(([left, right]) => {
    const head = ' '.repeat(indent) + left;
    const lines = wrapText(right, width - at).map((line) => ' '.repeat(at) + line);
    return isNarrow ? [head, ...lines] : [head + (lines[0] ?? '').slice(head.length), ...lines.slice(1)];
  });
}
