import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../../support/folder-layouts.ts';
import { runLectern } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    write(`${name}.md`, `# Page ${name}\n\nBody about ${name}.\n`);
    write(`de/${name}.md`, `# Seite ${name}\n\nText zu ${name}.\n`);
  }
});

const write = (path: string, text: string) => writeTree(join(folder, 'docs'), { [path]: text });

function move(from: string, to: string): void {
  renameSync(join(folder, 'docs', from), join(folder, 'docs', to));
}

function remove(path: string): void {
  rmSync(join(folder, 'docs', path));
}

/** Builds with the command; returns the redirects from pages, and the messages about renamed files. */
async function build() {
  const args = ['build', '--source', 'docs', '--site-url', 'https://help.example.com'];
  const { code, stderr } = await runLectern([...args, '--report', 'report.json'], { cwd: folder });
  expect(stderr).not.toContain('error');
  expect(code).toBe(0);
  const lines = readFileSync(join(folder, 'dist/_redirects'), 'utf8').split('\n');
  const { problems } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
    readonly problems: readonly { readonly code: string; readonly message: string }[];
  };
  expect(problems.filter(({ code }) => code !== 'PAGE_RENAMED')).toEqual([]);
  return {
    redirects: lines.filter((line) => /^\/(?:de\/)?[a-z] /.test(line)),
    renamed: problems.map(({ message }) => message.replace(/"article_id: \w+"/, '"article_id: …"')),
  };
}

describe('a page of a folder that is renamed', () => {
  it('first in one language and later in the other keeps the URLs of both', async () => {
    await build();
    move('a.md', 'z.md');
    expect(await build()).toEqual({
      redirects: ['/a /z/ 301'],
      renamed: [
        'docs/z.md has the text of docs/a.md, which is gone; to keep its id, add the line "article_id: …" to the front matter of docs/z.md',
      ],
    });
    move('de/a.md', 'de/z.md');
    expect(await build()).toMatchObject({
      redirects: ['/a /z/ 301', '/de/a /de/z/ 301'],
      renamed: ['docs/de/z.md has the text of docs/de/a.md, which is gone; its old URL leads to the new one'],
    });
    write('de/z.md', '# Seite z\n\nEin anderer Text.\n');
    expect((await build()).redirects).toEqual(['/a /z/ 301', '/de/a /de/z/ 301']);
  });

  it('is found by its other language if its text was edited', async () => {
    await build();
    move('a.md', 'z.md');
    await build();
    remove('de/a.md');
    write('de/z.md', '# Seite z\n\nEin anderer Text.\n');
    expect((await build()).redirects).toEqual(['/a /z/ 301', '/de/a /de/z/ 301']);
  });

  it('several times has all its URLs, and a new page at one of them wins until it is deleted', async () => {
    await build();
    move('a.md', 'z.md');
    await build();
    move('z.md', 'y.md');
    expect((await build()).redirects).toEqual(['/a /y/ 301', '/z /y/ 301']);
    write('a.md', '# New\n\nA new page at an old URL.\n');
    expect((await build()).redirects).toEqual(['/z /y/ 301']);
    remove('a.md');
    expect((await build()).redirects).toEqual(['/a /y/ 301', '/z /y/ 301']);
  });

  it('to a name that another page gives up leads there, and a swap needs no redirect', async () => {
    await build();
    move('b.md', 'z.md');
    move('a.md', 'b.md');
    expect((await build()).redirects).toEqual(['/a /b/ 301']);
    move('c.md', 'x');
    move('d.md', 'c.md');
    move('x', 'd.md');
    expect((await build()).redirects).toEqual(['/a /b/ 301']);
  });

  it('and keeps its id in the front matter, stays one article with the translation that has the old name', async () => {
    write('a.md', '---\narticle_id: 4kPj7Nv1Cg\n---\n# Page a\n\nBody about a.\n');
    write('de/a.md', '---\narticle_id: 4kPj7Nv1Cg\n---\n# Seite a\n\nText zu a.\n');
    await build();
    move('a.md', 'z.md');
    expect(await build()).toEqual({ redirects: ['/a /z/ 301'], renamed: [] });
    const history = readFileSync(join(folder, 'dist/addresses.json'), 'utf8');
    expect(history.match(/"4kPj7Nv1Cg","language":"\w+","path":"[^"]*"/g)).toEqual([
      '"4kPj7Nv1Cg","language":"de","path":"de/a/index.html"',
      '"4kPj7Nv1Cg","language":"en","path":"z/index.html"',
    ]);
    move('de/a.md', 'de/y.md');
    expect((await build()).redirects).toEqual(['/a /z/ 301', '/de/a /de/y/ 301']);
    move('z.md', 'a.md');
    move('de/y.md', 'de/a.md');
    expect((await build()).redirects).toEqual(['/de/y /de/a/ 301', '/z /a/ 301']);
  });
});
