import { describe, expect, test } from 'vitest';
import { compactCss, fingerprint } from '../../src/site/assets.ts';
import { diffLines } from '../../src/site/diff-lines.ts';
import { linkScripts, stripComments } from '../../src/site/scripts.ts';

test('The name of an asset tells its content', () => {
  expect(fingerprint('site.css', 'a{}').path).toMatch(/^assets\/site\.[0-9a-f]{10}\.css$/);
  expect(fingerprint('site.css', 'a{}').path).not.toBe(fingerprint('site.css', 'b{}').path);
});

test('Style sheets lose comments and white space, and no meaning', () => {
  const css = '/* why */\n.a > .b,\n.c :hover {\n  margin: 0 auto;\n  content: "/" / "";\n}\n';
  expect(compactCss(css)).toBe('.a > .b,.c :hover{margin:0 auto;content:"/" / ""}');
});

describe('scripts', () => {
  const scripts = (tokens: string) =>
    new Map([
      ['site.js', "import('./search.js');"],
      ['search.js', "import { a } from './tokens.js';"],
      ['tokens.js', tokens],
    ]);

  test('name each other by their hashed names', () => {
    const assets = new Map(linkScripts(scripts('export const a = 1;')).map((asset) => [asset.name, asset]));
    const search = assets.get('search.js');
    expect(assets.get('site.js')?.content).toBe(`import('./${search?.path.slice('assets/'.length)}');`);
  });

  test('are renamed when a script they load changes', () => {
    const pathOfSite = (tokens: string) =>
      linkScripts(scripts(tokens)).find(({ name }) => name === 'site.js')?.path;
    expect(pathOfSite('export const a = 1;')).not.toBe(pathOfSite('export const a = 2;'));
  });

  test('may not load each other in a circle', () => {
    const circle = new Map([
      ['a.js', "import './b.js';"],
      ['b.js', "import './a.js';"],
    ]);
    expect(() => linkScripts(circle)).toThrow('a.js → b.js → a.js');
  });

  test('lose comments that fill lines, and nothing else', () => {
    const script = "/** Doc.\n * More. */\nconst a = 1; // kept\n  // gone\n\n  const url = 'https://x';\n";
    expect(stripComments(script)).toBe("const a = 1; // kept\nconst url = 'https://x';\n");
  });
});

describe('a difference of lines', () => {
  test('is empty between equal texts', () => {
    expect(diffLines('a\nb', 'a\nb')).toEqual([]);
  });

  test('shows changes with three lines around, and leaves out the rest', () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const after = before.with(6, 'changed');
    expect(diffLines(before.join('\n'), after.join('\n'))).toEqual([
      '…',
      ' line 3',
      ' line 4',
      ' line 5',
      '-line 6',
      '+changed',
      ' line 7',
      ' line 8',
      ' line 9',
      '…',
    ]);
  });

  test('shows lines that were only added or only removed', () => {
    expect(diffLines('a\nc', 'a\nb\nc')).toEqual([' a', '+b', ' c']);
    expect(diffLines('a\nb\nc', 'a\nc')).toEqual([' a', '-b', ' c']);
  });
});
