import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stemmer } from '@orama/stemmers/english';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { fingerprint } from '../../src/site/assets.ts';
import { listPublicFiles } from '../../src/site/public-files.ts';
import { readAssets } from '../../src/site/read-assets.ts';
import { linkScripts } from '../../src/site/scripts.ts';
import { builtInTemplates } from '../../src/site/template-files.ts';

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
  const dependent = (tokens: string) =>
    linkAll({
      'site.js': "import('./search.js');",
      'search.js': "import { a } from './tokens.js';",
      'tokens.js': tokens,
    });

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

  test('are copied also where they are no UTF-8', async () => {
    const content = Buffer.from("import './b.js'; // caf\xe9", 'latin1');
    const assets = await linkScripts(
      new Map([
        ['a.js', content],
        ['b.js', Buffer.from('')],
      ]),
    );
    expect(assets.find(({ name }) => name === 'a.js')?.content).toEqual(content);
  });

  test('are renamed when a script they load changes', async () => {
    const pathOfSite = async (tokens: string) => (await dependent(tokens)).get('site.js')?.path;
    expect(await pathOfSite('export const a = 1;')).not.toBe(await pathOfSite('export const a = 2;'));
  });

  test('may load each other in a circle, and are all renamed when one of them changes', async () => {
    const circle = (last: string) =>
      linkAll({
        'a.js': "import './b.js';",
        'b.js': 'import "./c.js"; import "./leaf.js";',
        'c.js': `import './a.js'; ${last}`,
        'leaf.js': '',
        'user.js': "import './c.js'",
        'alone.js': "import './alone.js'",
      });
    const [before, same, after] = await Promise.all([circle('1'), circle('1'), circle('2')]);
    const address = (name: string) => before.get(name)?.path.replace('assets/', './');
    expect(before.get('a.js')?.text).toBe(`import '${address('b.js')}';`);
    expect(before.get('b.js')?.text).toBe(`import "${address('c.js')}"; import "${address('leaf.js')}";`);
    expect(before.get('c.js')?.text).toBe(`import '${address('a.js')}'; 1`);
    expect(before.get('alone.js')?.text).toBe(`import '${address('alone.js')}'`);
    expect(same).toEqual(before);
    const renamed = [...before].filter(([name, { path }]) => after.get(name)?.path !== path);
    expect(renamed.map(([name]) => name).sort()).toEqual(['a.js', 'b.js', 'c.js', 'user.js']);
    expect(new Set([...before.values()].map(({ path }) => path)).size).toBe(6);
  });
});

describe('the files of a site', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-assets-'));
    await mkdir(join(folder, 'assets/css'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async () => {
    const files = { basePath: '/docs', publicFiles: listPublicFiles(join(folder, 'public')) };
    const { site } = configSchema.parse({});
    const assets = await readAssets([folder, builtInTemplates], site, files, ['en', 'de-AT', 'ja']);
    return new Map(assets.map(({ name, content }) => [name, content.toString()]));
  };
  const write = (name: string, text: string) => writeFile(join(folder, 'assets', name), text);

  test('have the search library with the stemmer of each language of the site', async () => {
    const files = await read();
    const names = [...files.keys()].filter((name) => name.startsWith('minisearch'));
    expect(names.toSorted()).toEqual(['minisearch-de.js', 'minisearch-en.js', 'minisearch.js']);
    const source = encodeURIComponent(files.get('minisearch-en.js') ?? '');
    const library = (await import(`data:text/javascript,${source}`)) as Record<string, unknown>;
    expect(library.default).toBeTypeOf('function');
    const stem = library.stemmer as typeof stemmer;
    const words = ['connecting', 'connected', 'accounts', 'ponies', 'is'];
    expect(words.map(stem)).toEqual(words.map(stemmer));
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

  test('may be links, also beside one that leads nowhere', async () => {
    await writeFile(join(folder, 'shared.js'), '1;');
    await symlink('../shared.js', join(folder, 'assets/linked.js'));
    await symlink('nobody@machine.1', join(folder, 'assets/.#linked.js'));
    const files = await read();
    expect(files.get('linked.js')).toBe('1;');
    expect(files.has('.#linked.js')).toBe(false);
  });
});
