import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stemmer } from '@orama/stemmers/english';
import { beforeEach, describe, expect, test } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { fingerprint } from '../../src/site/pages/assets.ts';
import { listPublicFiles } from '../../src/site/pages/public-files.ts';
import { readAssets } from '../../src/site/pages/read-assets.ts';
import { joinScripts, linkScripts } from '../../src/site/pages/scripts.ts';
import { builtInTemplates } from '../../src/site/pages/template-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('The name of an asset tells its content', () => {
  expect(fingerprint('site.css', 'a{}').path).toMatch(/^assets\/site\.[0-9a-f]{10}\.css$/);
  expect(fingerprint('site.css', 'a{}').path).not.toBe(fingerprint('site.css', 'b{}').path);
});

describe('scripts', () => {
  const linkAll = async (scripts: Readonly<Record<string, string>>) => {
    const content = Object.entries(scripts).map(([name, text]) => [name, Buffer.from(text)] as const);
    const assets = await linkScripts(new Map(content));
    return new Map(assets.map(({ name, path, content }) => [name, { path, text: content.toString() }]));
  };
  test.each([
    ['import a from "@";'],
    ["import '@'"],
    ['export * from "@";'],
    ["export { a } from '@';"],
    ['await import("@")'],
    ['import(`@`)'],
    ["new Worker(new URL('@', import.meta.url), { type: 'module' })"],
    ['const here = new URL( "@" , import.meta.url).href'],
    ['import a from "@" with { type: "x" };'],
  ])('name each other by their hashed names in %s', async (text) => {
    const assets = await linkAll({ 'a.js': text.replace('@', './b.js'), 'b.js': 'export const a = 1;' });
    const name = assets.get('b.js')?.path.replace('assets/', './') ?? '';
    expect(name).toMatch(/^\.\/b\.[0-9a-f]{10}\.js$/);
    expect(assets.get('a.js')?.text).toBe(text.replace('@', name));
  });

  test.each([
    ["const a = `\n  // kept\n\n\n  import './b.js'\n`;\n"],
    ["/*! licence */\n// import './b.js';\nconst a = 'import(\"./b.js\")';\n"],
    ["const a = './b.js';\n    import(a);\n"],
    ["import('./other.js'); import 'b.js'; import('./b.js?x');"],
    ["new URL('./b.js', location.href); import.meta.url;"],
    ["a = `not finished; import './b.js'"],
    ["\ufeff'use strict';\r\n"],
  ])('stay as they are, byte for byte: %j', async (text) => {
    expect((await linkAll({ 'a.js': text, 'b.js': '' })).get('a.js')?.text).toBe(text);
  });

  test('are copied even if they are not UTF-8', async () => {
    const content = Buffer.from("import './b.js'; // caf\xe9", 'latin1');
    const assets = await linkScripts(
      new Map([
        ['a.js', content],
        ['b.js', Buffer.from('')],
      ]),
    );
    expect(assets.find(({ name }) => name === 'a.js')?.content).toEqual(content);
  });

  test('are renamed when any of them changes, also if they load each other in a circle', async () => {
    const circle = (last: string) =>
      linkAll({
        'a.js': "import './b.js';",
        'b.js': `import "./a.js"; ${last}`,
        'alone.js': "import './alone.js'",
      });
    const [before, same, after] = await Promise.all([circle('1'), circle('1'), circle('2')]);
    const address = (name: string) => before.get(name)?.path.replace('assets/', './');
    expect(before.get('a.js')?.text).toBe(`import '${address('b.js')}';`);
    expect(before.get('b.js')?.text).toBe(`import "${address('a.js')}"; 1`);
    expect(before.get('alone.js')?.text).toBe(`import '${address('alone.js')}'`);
    expect(same).toEqual(before);
    const paths = [...before.values(), ...after.values()].map(({ path }) => path);
    expect(new Set(paths).size).toBe(6);
  });
});

describe('joined scripts', () => {
  const join = async (modules: Readonly<Record<string, string>>) => {
    const text = await joinScripts('a.js', new Map(Object.entries(modules)));
    const loaded = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as object;
    return { text, exports: { ...loaded } };
  };

  test.each([
    ['import { one } from "./b.js"; export const sum = one + 1;', 'export const one = 1;'],
    ['import{one as x}from"./b.js";let y=x+1;export{y as sum};', 'let a=1;export{a as one};'],
    ["import One from './b.js'\nexport const sum = One() + 1", 'export default function one() { return 1; }'],
    ["import * as b from './b.js';\nexport const sum = b.one + 1;", 'const one = 1;\nexport { one };'],
    [
      "import b, { more } from './b.js'; export const sum = b + more;",
      'const b = 1; export { b as default, b as more };',
    ],
    ["import b from './b.js'; export const sum = b[0] + 1;", 'export default [1];'],
    ["import b from './b.js'; export const sum = b() + 1;", 'export default () => 1;'],
    ["import './b.js'; export const sum = globalThis.given + 1;", 'globalThis.given = 1;'],
    ["import { one } from './c.js'; export const sum = one() + 1;", 'export const one = 1;'],
  ])('take what they import from each other: %s %s', async (a, b) => {
    const c =
      "import { one as found } from './b.js'; export async function none() {} export const one = () => found;";
    const { exports } = await join({ 'a.js': a, 'b.js': b, 'c.js': c });
    expect(exports).toEqual({ sum: 2 });
  });

  test('keep names apart, have each script once, and load others first', async () => {
    const shared = "import { sep } from 'node:path'; const name = 'c'; export const c = { name, sep };";
    const { exports, text } = await join({
      'a.js':
        "import { b } from './b.js'; import { c } from './c.js'; const name = 'a'; export const all = [name, b, c.name, b.c === c];",
      'b.js':
        "import { sep } from 'node:path'; import { c } from './c.js'; const name = 'b'; export const b = { name, c, sep };",
      'c.js': shared,
    });
    expect(exports).toEqual({ all: ['a', { name: 'b', c: expect.anything(), sep: '/' }, 'c', true] });
    expect(text).toMatch(/^import \* as outside0 from 'node:path';\n/);
    expect(text.match(/'node:path'/g)).toHaveLength(1);
    expect(text.match(/const name = 'c'/g)).toHaveLength(1);
  });

  test('leave a syntax error to the browser', async () => {
    expect(await joinScripts('a.js', new Map([['a.js', 'a = `']]))).toContain('a = `');
  });

  test.each([
    ["import './b.js';", "import './a.js';", 'assets/b.js imports "./a.js", which imports it too'],
    ["import './a.js';", '', 'assets/a.js imports "./a.js", which imports it too'],
    ["export { b } from './b.js';", 'export const b = 1;', 'assets/a.js exports what it imports'],
    [
      "import { b } from './b.js'; export { b };",
      'export const b = 1;',
      'assets/a.js exports what it imports',
    ],
    ["export * from './b.js';", 'export const b = 1;', 'assets/a.js exports what it imports'],
    [
      "import { b /* {} */ } from './b.js';",
      'export const b = 1;',
      'assets/a.js imports in a way that cannot be joined: { b /* {} */ } ',
    ],
  ])('are refused where joining would change them: %s %s', async (a, b, message) => {
    await expect(join({ 'a.js': a, 'b.js': b })).rejects.toMatchObject({
      code: 'TEMPLATE_FAILED',
      message,
    });
  });
});

describe('the files of a site', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await mkdir(join(folder, 'assets/css'), { recursive: true });
  });

  const read = async () => {
    const files = { basePath: '/docs', publicFiles: listPublicFiles(join(folder, 'public')) };
    const { site } = configSchema.parse({});
    const { assets } = await readAssets([folder, builtInTemplates], site, files, ['en', 'de-AT', 'ja']);
    return new Map(assets.map(({ name, content }) => [name, content.toString()]));
  };
  const write = (name: string, text: string) => writeFile(join(folder, 'assets', name), text);

  test('have one script per stemmer of the site that is the whole search of a language', async () => {
    const files = await read();
    const names = [...files.keys()].filter((name) => name.startsWith('search'));
    expect(names.toSorted()).toEqual(['search-de.js', 'search-en.js', 'search.js']);
    for (const name of names) expect(files.get(name), name).not.toMatch(/^import |import\(/m);
    for (const [name, has] of [
      ['search-en.js', true],
      ['search.js', false],
    ] as const) {
      const told = `\nexport const told = [serve, stemmer, findTerms];\n`;
      await write(
        'search.js',
        `${await readFile(join(builtInTemplates, 'assets/search.js'), 'utf8')}${told}`,
      );
      const source = encodeURIComponent((await read()).get(name) ?? '');
      const search = (await import(`data:text/javascript,${source}`)) as Record<string, unknown>;
      expect(search.attach).toBeTypeOf('function');
      const [library, stem, findTerms] = search.told as [unknown, typeof stemmer | null, unknown];
      expect([library, findTerms]).toEqual([expect.any(Function), expect.any(Function)]);
      const words = ['connecting', 'connected', 'accounts', 'ponies', 'is'];
      expect(stem === null ? null : words.map(stem)).toEqual(has ? words.map(stemmer) : null);
    }
  });

  test('have an own script of the search in it, with what that imports', async () => {
    await write('own.js', 'export const answer = 42;\n');
    await write('search.js', "import { answer } from './own.js';\nexport const attach = () => answer;\n");
    const source = encodeURIComponent((await read()).get('search-en.js') ?? '');
    const { attach } = (await import(`data:text/javascript,${source}`)) as { attach: () => number };
    expect(attach()).toBe(42);
  });

  test('have scripts that are part of the search only if an own script names them', async () => {
    // The script that marks words on pages needs `tokens.js`.
    const parts = async () =>
      [...(await read()).keys()].filter((name) => /^(?:tokens|search-engine)/.test(name));
    expect(await parts()).toEqual(['tokens.js']);
    await write('own.js', "import { attach } from './search.js';\nimport './search-engine.js';\n");
    expect(await parts()).toEqual(['search-engine.js', 'tokens.js']);
    const files = await read();
    for (const name of ['own.js', 'search-engine.js']) {
      const imports = [...(files.get(name) ?? '').matchAll(/from '(.*)'|^import '(.*)'/gm)];
      expect(imports.length).toBeGreaterThan(0);
      for (const [, from, alone] of imports) expect(from ?? alone).toMatch(/\.[0-9a-f]{10}\.js$/);
    }
  });

  test('are published byte for byte', async () => {
    const texts = {
      'own.js': '/*! licence */\n\n\n  const a = `\n    // kept\n`;\n',
      'custom.css': '/* licence */\na::before {\n  content: "a: b ; c";\n}\n',
      'module.mjs': 'export {};\n',
    };
    for (const [name, text] of Object.entries(texts)) await write(name, text);
    const files = await read();
    for (const [name, text] of Object.entries(texts)) expect(files.get(name)).toBe(text);
  });

  test('keep what a part of the style sheet says in strings', async () => {
    const part = 'a::before {\n  content: "a: b ; c";\n}\n';
    await write('css/print.css', part);
    expect((await read()).get('site.css')).toContain(part);
  });

  test('are named by style sheets under the URL that they are published under', async () => {
    await mkdir(join(folder, 'public/fonts'), { recursive: true });
    await writeFile(join(folder, 'public/fonts/a b.woff2'), 'font');
    await write('paper.png', 'image');
    await write('more.css', 'b { background: url(paper.png) }');
    await write(
      'custom.css',
      `@import "./more.css";
/* url(nowhere.png) */
a::after { content: "url(nowhere.png)"; background: url( 'paper.png#part' ) }
@font-face { src: url(/fonts/a%20b.woff2) format("woff2"), url("../fonts/a%20b.woff2?v=1") }
i { background: url(data:image/png;base64,AA==), url(https://x.test/a.png), url(#mark) }`,
    );
    const files = await read();
    const paper = `/docs/${fingerprint('paper.png', 'image').path}`;
    expect(files.get('more.css')).toBe(`b { background: url(${paper}) }`);
    const more = fingerprint('more.css', files.get('more.css') ?? '').path;
    expect(files.get('custom.css')).toBe(`@import "/docs/${more}";
/* url(nowhere.png) */
a::after { content: "url(nowhere.png)"; background: url( '${paper}#part' ) }
@font-face { src: url(/docs/fonts/a%20b.woff2) format("woff2"), url("/docs/fonts/a%20b.woff2?v=1") }
i { background: url(data:image/png;base64,AA==), url(https://x.test/a.png), url(#mark) }`);
  });

  test.each([
    ['url(missing.png)'],
    ["url('/missing.png')"],
    ['url("../missing.png")'],
    ['@import "missing.css"'],
  ])('fail the build where a style sheet names a file that is missing: %s', async (text) => {
    await write('custom.css', `a {}\n${text}`);
    await expect(read()).rejects.toMatchObject({
      code: 'SITE_FILE_MISSING',
      message: expect.stringContaining('assets/custom.css:2 names "'),
    });
  });

  test('may be links, even next to a broken one', async () => {
    await writeFile(join(folder, 'shared.js'), '1;');
    await symlink('../shared.js', join(folder, 'assets/linked.js'));
    await symlink('nobody@machine.1', join(folder, 'assets/.#linked.js'));
    const files = await read();
    expect(files.get('linked.js')).toBe('1;');
    expect(files.has('.#linked.js')).toBe(false);
  });
});
