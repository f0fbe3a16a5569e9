import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}test/fault-table.md`, 'utf8');
const scripts = (JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: object }).scripts;

/** A test in a line of the tables: its file below `test/`, and optionally a part of its title. */
interface NamedTest {
  readonly file: string;
  readonly title: string | null;
}

it('names only tests that exist', () => {
  const named = findNamedTests(text);
  expect(named.length).toBeGreaterThan(90);
  expect(named.filter((test) => !exists(test))).toEqual([]);
});

it('notices a test that does not exist', () => {
  const planted = [
    '## Writing the output',
    '| x | y | `output/gone.test.ts` |',
    '| x | y | `output/staging.test.ts` › puts the old output in the bin; `npm run stress:kill` |',
  ].join('\n');
  expect(findNamedTests(planted).filter((test) => !exists(test))).toHaveLength(2);
});

it('names only scripts that exist', () => {
  const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
  expect(named).toContain('stress:kill');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

function findNamedTests(markdown: string): readonly NamedTest[] {
  return markdown.split(/^## /m).flatMap((section) => {
    const folder = section.startsWith('Reading the knowledge base') ? 'source/' : '';
    const named = (file: string, title: string | undefined): NamedTest => ({
      file: folder + file,
      title: title?.trim().replace(/\.$/, '') || null,
    });
    const cells = section.matchAll(/`([\w./-]+\.test\.ts)`(?: › ([^|;\n]+))?/g);
    // In some tables one file has the tests of all lines, named in the head.
    const tables = section.matchAll(/\| test \(`([\w./-]+\.test\.ts)`\) \|\n.*\n((?:\|.*\n)*)/g);
    return [
      ...[...cells].map(([, file = '', title]) => named(file, title)),
      ...[...tables].flatMap(([, file = '', rows = '']) =>
        [...rows.matchAll(/\| ([^|]+) \|$/gm)].map(([, title]) => named(file, title)),
      ),
    ];
  });
}

function exists({ file, title }: NamedTest): boolean {
  const path = `${root}test/${file}`;
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return title === null || title.split('…').every((part) => isMadeOf(source, part.trim()));
}

/** Pieces a title may be made of: that of its group, its own, and the values of `%s` in them. */
const maxPieces = 4;

function isMadeOf(source: string, title: string): boolean {
  const words = title.split(' ');
  let at = 0;
  for (let pieces = 0; pieces < maxPieces && at < words.length; pieces++) {
    let end = words.length;
    while (end > at && !source.includes(words.slice(at, end).join(' '))) end -= 1;
    if (end === at) return false;
    at = end;
  }
  return at === words.length;
}
