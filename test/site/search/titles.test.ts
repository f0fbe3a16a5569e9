import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLectern } from '../../support/lectern.ts';
import { readTree } from '../../support/read-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { askTitles } from '../support/ask-titles.ts';

const colours = 'red blue green amber violet silver golden ivory scarlet copper'.split(' ');
const animals =
  'falcon otter badger lynx heron beetle walrus puffin marten gecko ibis jackal koala lemur mole newt ocelot panda quail raven'.split(
    ' ',
  );
const needs = ['food', 'home', 'health'];

test('The published search finds each of 600 articles by its title, first, and under the topic of its breadcrumbs', async () => {
  const cwd = temporaryFolder();
  const names = needs.flatMap((need) =>
    colours.flatMap((colour) => animals.map((animal) => `${colour} ${animal} ${need}`)),
  );
  for (const folder of ['days', 'nights']) await mkdir(join(cwd, 'docs', folder), { recursive: true });
  for (const [at, name] of names.entries()) {
    const path = join(cwd, 'docs', at % 2 === 0 ? 'days' : 'nights', `${name.replaceAll(' ', '-')}.md`);
    await writeFile(path, `# ${name}\n\nThis page tells you how to look after it.\n`);
  }
  const args = ['build', '--source', 'docs', '--site-url', 'https://help.example.com'];
  const { code, stderr } = await runLectern(args, { cwd });
  expect(code, stderr).toBe(0);
  const asked = await askTitles(await readTree(join(cwd, 'dist')), 'en');
  expect(asked).toEqual({ asked: 600, first: 600, amongTen: 600, wrongTopics: [] });
});
