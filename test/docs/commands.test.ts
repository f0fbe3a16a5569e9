import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { program } from '../../src/cli/command-table.ts';
import type { Command, CommandRow } from '../../src/cli/parser/command.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');

interface DescribedCommand {
  readonly usage: string;
  readonly describe: string;
  /** What each option and positional means, by its name. */
  readonly arguments: ReadonlyMap<string, string>;
}

/** Every command that can be run, in the order of the table. */
async function listCommands(
  parent: string,
  rows: readonly CommandRow[],
): Promise<readonly DescribedCommand[]> {
  const lists = await Promise.all(
    rows.map(async ({ usage, describe, load }) => {
      const command = await load();
      if (command.commands.length > 0)
        return listCommands(`${parent} ${usage.split(' ', 1)[0]}`, command.commands);
      return [{ usage: `${parent} ${usage}`, describe, arguments: describeArguments(command) }];
    }),
  );
  return lists.flat();
}

function describeArguments({ positionals, options }: Command): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(positionals).map(([name, { describe }]) => [name, `\`${name}\`: ${describe}`] as const),
    ...Object.entries(options).map(([name, { type, default: value, choices = [], describe }]) => {
      const form = `--${name}${type === 'boolean' ? '' : type === 'number' ? '=NUMBER' : '=VALUE'}`;
      const values = choices.length === 0 ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
      const initial = value === undefined || value === false ? '' : ` (default \`${value}\`)`;
      return [`--${name}`, `\`${form}\`: ${describe}${values}${initial}`] as const;
    }),
  ]);
}

/** The options that several commands have in the same form: of two forms of a name, the more frequent one. */
function findShared(commands: readonly DescribedCommand[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const [name, text] of commands.flatMap((command) => [...command.arguments])) {
    const forms = counts.get(name) ?? new Map<string, number>();
    counts.set(name, forms.set(text, (forms.get(text) ?? 0) + 1));
  }
  return new Map(
    [...counts]
      .map(([name, forms]) => [name, [...forms].sort(([, a], [, b]) => b - a)[0] ?? ['', 0]] as const)
      .filter(([name, [, count]]) => name.startsWith('--') && count > 1)
      .map(([name, [text]]) => [name, text]),
  );
}

function describeCommand(command: DescribedCommand, shared: ReadonlyMap<string, string>): string {
  const all = [...command.arguments];
  const names = all.filter(([name, text]) => shared.get(name) === text).map(([name]) => `\`${name}\``);
  const own = all.filter(([name, text]) => shared.get(name) !== text).map(([, text]) => `- ${text}`);
  const list = own.length === 0 ? [] : ['', ...own];
  const others = names.length === 0 ? [] : ['', `Also ${names.join(' ')}`];
  return [`### \`${command.usage}\``, '', `${command.describe}.`, ...list, ...others, ''].join('\n');
}

async function describeCommands(): Promise<string> {
  const commands = await listCommands('lectern', program.commands);
  const shared = findShared(commands);
  const options = [...shared.values()].map((text) => `- ${text}`);
  const sections = commands.map((command) => describeCommand(command, shared));
  return ['### Options of several commands', '', ...options, '', ...sections].join('\n');
}

it('docs/commands.md holds every command and option (rewritten by npx vitest run test/docs -u)', async () => {
  const reference = await describeCommands();
  const written = page.replace(
    /(<!-- commands -->\n)[\s\S]*(<!-- \/commands -->)/,
    (_whole, start: string, end: string) => `${start}\n${reference}\n${end}`,
  );
  expect(written).toContain('--allow-mass-delete');
  await expect(written).toMatchFileSnapshot('../../docs/commands.md');
});
