import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { program } from '../../src/cli/command-table.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');

it('docs/commands.md names every command', () => {
  const named = program.commands.map(({ usage }) => `lectern ${usage.split(' ', 1)[0]}`);
  expect(named).toContain('lectern fetch');
  expect(named.filter((name) => !page.includes(name))).toEqual([]);
});

it('docs/commands.md names every command of a group', async () => {
  const groups: readonly Command[] = await Promise.all(program.commands.map(({ load }) => load()));
  const named = groups.flatMap(({ commands }, at) => {
    const group = program.commands[at]?.usage.split(' ', 1)[0] ?? '';
    return commands.map(({ usage }) => `lectern ${group} ${usage.split(' ', 1)[0]}`);
  });
  expect(named).toContain('lectern templates eject');
  expect(named.filter((name) => !new RegExp(`${name}(?![\\w-])`).test(page))).toEqual([]);
});
