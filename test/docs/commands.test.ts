import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { program } from '../../src/cli/command-table.ts';
import type { Command, CommandRow } from '../../src/cli/parser/command.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');

/** One section per command: how it is called, what it does, every word and option it takes. */
async function describeCommands(parent: string, rows: readonly CommandRow[]): Promise<string[]> {
  const sections = await Promise.all(
    rows.map(async (row) => {
      const path = `${parent} ${row.usage.split(' ', 1)[0]}`;
      const command = await row.load();
      if (command.commands.length > 0) return describeCommands(path, command.commands);
      return [describeCommand(`${parent} ${row.usage}`, row.describe, command)];
    }),
  );
  return sections.flat();
}

function describeCommand(usage: string, describe: string, command: Command): string {
  const rows = [
    ...Object.entries(command.positionals).map(([name, { describe }]) => [`\`${name}\``, '', describe]),
    ...Object.entries(command.options).map(([name, { type, default: value, choices, describe }]) => [
      `\`--${name}${type === 'boolean' ? '' : ` ${type === 'number' ? 'NUMBER' : 'VALUE'}`}\``,
      value === undefined || value === false ? '' : `\`${value}\``,
      choices === undefined
        ? describe
        : `${describe}: ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
    ]),
  ].map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  const table = rows.length === 0 ? [] : ['', '| | default | |', '|---|---|---|', ...rows];
  return [`### \`${usage}\``, '', `${describe}.`, ...table, ''].join('\n');
}

it('docs/commands.md holds every command and option (written anew by npx vitest run test/docs -u)', async () => {
  const reference = (await describeCommands('lectern', program.commands)).join('\n');
  const written = page.replace(
    /(<!-- commands -->\n)[\s\S]*(<!-- \/commands -->)/,
    (_whole, start: string, end: string) => `${start}\n${reference}\n${end}`,
  );
  expect(written).toContain('--allow-mass-delete');
  await expect(written).toMatchFileSnapshot('../../docs/commands.md');
});
