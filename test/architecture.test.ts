import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
  /** Development dependencies whose used parts are in the package. */
  bundledLibraries: readonly string[];
};

interface Source {
  /** Relative to src, `/`-separated. */
  readonly path: string;
  readonly text: string;
}

/**
 * Who may import whom: every folder (or file at the top) names all it may import besides itself and the foundation.
 * docs/architecture.md refers to this table.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  content: ['core'],
  output: ['core'],
  source: ['core', 'content'],
  site: ['core', 'content', 'output'],
  feed: ['core', 'content', 'output', 'site'],
  pipeline: ['core', 'content', 'output', 'source', 'site', 'feed'],
  // What a consumer may know of the feed is in `feedForConsumers`.
  consumers: ['core', 'output', 'feed'],
  service: ['core', 'content', 'source'],
  sync: ['core', 'source'],
  'index.ts': ['core', 'source', 'feed', 'pipeline', 'consumers', 'service'],
  cli: ['*'],
  'bin.ts': ['cli'],
};

/** All that consumers may import of the feed: how its records are written, and how a published feed is read. */
const feedForConsumers = ['feed/records', 'feed/read'];

/** Folders of a room that have an order, too: each names the other folders of its room that it may import. */
const mayImportInside: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'core/api': ['core'],
  'core/config': ['core'],
  'core/net': ['core', 'core/config'],
  'core/search': ['core'],
  'core/sqlite': ['core'],
  'site/plan': [],
  'site/links': ['site/plan'],
  'site/media': ['site/plan'],
  'site/search': ['site/pages'],
  'site/pages': ['site/plan', 'site/search'],
  'site/redirects': ['site/plan', 'site/pages'],
  pipeline: [],
  'pipeline/preview': ['pipeline'],
  'pipeline/pull-source': [],
  'consumers/follow': [],
  'consumers/export': ['consumers/follow'],
  'consumers/mcp': ['consumers/follow'],
  'consumers/answers': ['consumers/mcp'],
};

/** Each package has one front door: the one file or folder of src that imports it. */
const frontDoors: Readonly<Record<string, string | readonly string[]>> = {
  diff: 'core/diff-lines.ts',
  undici: ['core/net', 'source'],
  parse5: 'content',
  'highlight.js': 'content',
  temml: 'content/tree/math.ts',
  'image-size': 'site/media/describe-file.ts',
  eta: ['site', 'cli/init/schedules.ts', 'cli/reports/html-report.ts'],
  '@orama/stemmers': 'core/search/language-words.ts',
  '@orama/stopwords': 'core/search/language-words.ts',
  '@modelcontextprotocol/sdk': 'consumers/mcp',
  'css-select': 'source/built-site/select.ts',
  culori: 'core/colors.ts',
  'es-module-lexer': 'site/pages/scripts.ts',
  'gpt-tokenizer': 'feed',
  'fs-extra': 'output/swap.ts',
  yargs: 'cli/parse-command-line.ts',
  zod: 'core/schema.ts',
  libsql: 'core/sqlite',
  'hyparquet-writer': 'consumers/export/parquet.ts',
  pg: ['service/store/postgres', 'consumers/export/push/pgvector.ts'],
  pino: 'service',
  '@peculiar/x509': 'service',
  'reflect-metadata': 'service',
  'secure-json-parse': 'service',
  'gray-matter': 'source/folder/front-matter.ts',
  yaml: 'core/yaml.ts',
  jiti: 'core/config',
  'jsonc-parser': 'core/config/read-config-file.ts',
  '@clack/prompts': 'cli',
  micromark: 'source/folder',
  'micromark-extension-gfm': 'source/folder',
};

interface Effect {
  readonly pattern: RegExp;
  /** The files and folders of src that may have it. */
  readonly places: readonly string[];
}

/** What a stage must not do by itself: it is given data and functions. Imports of types have no effect. */
const effects: Readonly<Record<string, Effect>> = {
  'the file system': {
    pattern: /^import (?!type )[^;]*'node:fs(?:\/promises)?'|import\('node:fs/m,
    places: [
      // Finds the folder of compiled code.
      'bin.ts',
      'cli',
      'core/config/read-config-file.ts',
      // What a folder contains says what kind of source it is.
      'core/config/find-source.ts',
      'consumers/follow/feed-cursor.ts',
      'consumers/mcp/feed-copy.ts',
      'core/sqlite',
      'feed/read',
      'source/folder',
      'source/built-site',
      'core/file-system.ts',
      'core/user-folder.ts',
      'site/media',
      'output',
      'pipeline',
      'pipeline/preview',
      'core/search/language-words.ts',
      'service',
      'site',
      'source/snapshot',
      'core/net/trusted-certificates.ts',
      'sync',
    ],
  },
  'the network': {
    pattern: /^import (?!type )[^;]*'(?:node:(?:https?|http2|net|tls|dns|dgram)|undici)'/m,
    places: ['core/net', 'consumers/mcp', 'pipeline/preview', 'service', 'source'],
  },
  'the clock': {
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/,
    places: [
      'pipeline/library-build.ts',
      'cli/commands/mcp.ts',
      'cli/run-build.ts',
      'output/lock.ts',
      'core/search/language-words.ts',
      'service',
      'core/net',
      'source',
    ],
  },
  'the console': {
    pattern: /\bconsole\.|\bprocess\.std(?:out|err)\b|\bprocess\[|\bstd(?:out|err)\b[^;]*\} = process\b/,
    places: ['cli/terminal.ts'],
  },
};

/**
 * Files are opened for reading only by the two doors, which refuse what is not a regular file and bound what is read: reading a device or a pipe
 * may never end, and the program would not notice a signal meanwhile. The other files open what the program itself has just made.
 */
const fileDoors: Readonly<Record<string, string>> = {
  'core/file-system.ts': 'the door for a path of the user or the program',
  'core/user-folder.ts': 'the door for a file that must be inside a folder',
  'output/file-operations.ts': 'copies a file of the output where the disk has no hard links',
  'output/staged-file.ts': 'creates files',
  'service/backup.ts': 'flushes a copy that it has made',
};

/** Rooms that make paths and URLs of the site: they are the same on Windows only if they are made with `path.posix`. */
const publishedRooms = ['content', 'feed', 'site'];

/** Their files that use paths of this machine's disk, with the reason. */
const diskPaths: Readonly<Record<string, string>> = {
  'feed/read/feed-reader.ts': 'lists and opens the files of a feed in a folder',
  'feed/read/open-feed.ts': 'opens a feed in a folder',
  'site/media/downloads.ts': 'stores downloads in the cache',
  'site/media/media.ts': 'names the files of the cache',
  'site/pages/public-files.ts': 'reads public/',
  'site/pages/read-assets.ts': 'names a folder of templates in a problem',
  'site/pages/site.ts': 'names public/ in a problem',
  'site/pages/template-files.ts': 'reads and writes templates',
  'site/pages/templates.ts': 'reads templates',
};

/** Names that more than one folder exports on purpose, or still does. */
const sharedNames = [
  // The library and the pipeline.
  'build',
];

/** A folder exports at most this many types, so that a newcomer can learn it, or is named below with the reason. */
const mostTypes = 12;

const manyTypes: Readonly<Record<string, string>> = {
  'core/api': 'one type for each record, request and answer of the API',
  content: 'the parts of a parsed body, which site and feed read',
  'core/net': 'the parts of a request and its faults, which every client of a server shares',
  'source/folder': 'the records of both layouts of folders, which pull and push also use',
  core: 'the model, and what every folder shares',
  output: 'the steps from a staged file to a published folder',
  pipeline: 'the products that threads, the build database and the build pass to each other',
  'site/plan': 'the pages, categories and languages of a plan',
  'service/store': 'the contract that both databases fulfil, with its requests and answers',
  'site/pages': 'one view for each template, which is the interface to templates',
  source: 'the contract of a source, and the client of the API with its options',
};

/** Exports of fewer lines than this may share a file with anything of the same topic. */
const mainLines = 25;

/** Files whose main exports share nothing, with the reason why they stay together. */
const unrelatedOnPurpose: Readonly<Record<string, string>> = {};

describe('the tests', () => {
  const tests = readSources(new URL('../test/', import.meta.url));

  it('import fast-check only through one file, which sets the seed', () => {
    expect(findLooseProperties(tests)).toEqual([]);
  });

  it('notices a planted violation of that', () => {
    const planted = [
      { path: 'a.test.ts', text: "import fc from 'fast-check';" },
      { path: 'b.test.ts', text: "it('x', () => {\n  fc.assert(p, { seed: 1, numRuns: 9 });" },
    ];
    expect(findLooseProperties(planted)).toEqual([
      'a.test.ts imports fast-check (front door: support/properties.ts)',
      "b.test.ts asserts a property in a test that is not tagged 'property'",
      'b.test.ts fixes a seed or a number of runs of its own',
    ]);
  });

  it('leave whatever needs more than Node to the full suite', () => {
    expect(findDemandingTests(tests)).toEqual([]);
  });

  it('notices a test of the quick suite that needs a program', () => {
    const text = "describeWith('java', 'x', () => {});";
    const planted = [
      { path: 'site/a.test.ts', text },
      { path: 'site/b.full.test.ts', text },
    ];
    expect(findDemandingTests(planted)).toEqual(['site/a.test.ts']);
  });
});

describe('the architecture', () => {
  const sources = readSources(new URL('../src/', import.meta.url));

  it('lets every room and folder import only what the tables allow', () => {
    expect(findForbiddenImports(sources)).toEqual([]);
  });

  it('has eleven rooms at most, none of which leads back to itself', () => {
    expect(Object.keys(mayImport).filter((room) => !room.endsWith('.ts')).length).toBeLessThanOrEqual(11);
    expect(findCircle(mayImport)).toEqual([]);
    expect(findCircle({ ...mayImport, core: ['feed'] })).toContain('site');
  });

  it.each([
    ['service', 'pipeline'],
    ['service', 'consumers'],
    ['consumers', 'pipeline'],
    ['consumers', 'service'],
    ['pipeline', 'service'],
    ['pipeline', 'consumers'],
    ['site', 'source'],
    ['feed', 'source'],
    ['consumers', 'feed/history'],
    ['consumers', 'feed/verify'],
    ['site/plan', 'site/pages'],
  ])('notices that %s imports %s', (from, to) => {
    const up = '../'.repeat(from.split('/').length);
    const planted = [{ path: `${from}/a.ts`, text: `import { x } from '${up}${to}/b.ts';` }];
    expect(findForbiddenImports(planted)).toEqual([`${from}/a.ts imports ${to}/b.ts`]);
  });

  it('has no import cycles', () => {
    expect(findCycle(sources)).toBeNull();
  });

  it('imports each package through its one front door', () => {
    expect(findBackDoors(sources)).toEqual([]);
  });

  it('makes folders through make-folder.ts, which ends on every file system', () => {
    expect(findFolderMakers(sources)).toEqual([]);
  });

  it('parses URLs without URL.canParse, which is wrong about letters such as ü once Node 20 has compiled it', () => {
    expect(findCanParse(sources)).toEqual([]);
  });

  it('touches files, network, clock and console only in files listed in the table', () => {
    expect(findEffects(sources)).toEqual([]);
  });

  it('opens files for reading only through the doors that refuse devices and pipes', () => {
    expect(findReaders(sources)).toEqual(Object.keys(fileDoors).sort());
  });

  it('makes published paths and URLs with path.posix only, because other paths have backslashes on Windows', () => {
    expect(findDiskPaths(sources)).toEqual(Object.keys(diskPaths).sort());
  });

  it.each([
    ["import { join } from 'node:path';", ['site/a.ts']],
    ["import { join, posix } from 'node:path';", ['site/a.ts']],
    ["import path from 'node:path';", ['site/a.ts']],
    ["import { posix } from 'node:path';", []],
    ["import { join } from 'node:path/posix';", []],
  ])('notices a path of the disk in a room that publishes: %j', (text, found) => {
    expect(findDiskPaths([{ path: 'site/a.ts', text }])).toEqual(found);
    expect(findDiskPaths([{ path: 'output/a.ts', text }])).toEqual([]);
  });

  it('exports no function of one name from two files', () => {
    expect(findSharedNames(sources).filter((name) => !sharedNames.includes(name))).toEqual([]);
  });

  it('declares no type of one name twice, also if it is private', () => {
    expect(findSharedTypes(sources)).toEqual([]);
  });

  it('exports only types that another file imports', () => {
    const users = [new URL('../test/', import.meta.url), new URL('../bench/', import.meta.url)].map(
      readSources,
    );
    expect(findUnusedTypes(sources, users.flat())).toEqual([]);
  });

  it('exports few types from each folder, or says why there are more', () => {
    expect(findFullFolders(sources, mostTypes)).toEqual(Object.keys(manyTypes).sort());
  });

  it('has no file with main exports that have nothing to do with each other', () => {
    expect(findUnrelatedExports(sources)).toEqual(Object.keys(unrelatedOnPurpose).sort());
  });

  it('has three files at the top', () => {
    expect(sources.filter(({ path }) => !path.includes('/')).length).toBeLessThanOrEqual(3);
  });

  it('loads two packages in a thread of the SQLite store, of which many start', () => {
    // With PostgreSQL, also its driver. The thread loads that of SQLite at once, by a function of `core/sqlite`.
    const eager = sources.map(({ path, text }) => ({
      path,
      text: text.replaceAll(/\bimport\(/g, '').replace("load('libsql')", "import('libsql')"),
    }));
    expect(findLoadedPackages(eager, 'service/store/store-worker.ts')).toEqual(['libsql', 'parse5']);
    expect(findLoadedPackages(sources, 'core/api/fields.ts')).toEqual(['zod']);
  });

  it('loads the network and the parsers of Markdown and HTML only when a run needs them', () => {
    const eager = sources.map(({ path, text }) => ({ path, text: text.replaceAll(/\bimport\(/g, '') }));
    expect(findLoadedPackages(eager, 'pipeline/build.ts')).toEqual(['zod']);
    expect(findLoadedPackages(eager, 'pipeline/make-output.ts')).toEqual([
      'es-module-lexer',
      'eta/core',
      'zod',
    ]);
  });

  it('names a front door for every dependency, and no other', () => {
    const libraries = [...new Set([...Object.keys(manifest.dependencies), ...manifest.bundledLibraries])];
    expect(Object.keys(frontDoors).sort()).toEqual(libraries.sort());
  });

  it('says of every dependency why it is one, above an import in its front door', () => {
    expect(findUnexplained(sources, Object.keys(frontDoors))).toEqual([]);
  });

  it('notices a dependency without a reason', () => {
    const text = [
      "// parse5 reads HTML exactly as browsers do.\nimport { parse } from 'parse5';",
      "import {\n  Extra,\n} from 'undici';\nimport { z } from 'zod';",
    ].join('\n');
    expect(findUnexplained([{ path: 'content/a.ts', text }], ['parse5', 'undici'])).toEqual(['undici']);
    expect(findUnexplained([{ path: 'site/a.ts', text }], ['parse5'])).toEqual(['parse5']);
  });

  it('notices a planted violation of each rule', () => {
    const planted = [
      { path: 'plan/a.ts', text: "import { x } from '../site/b.ts';" },
      { path: 'site/b.ts', text: "import { y } from '../plan/a.ts';\nimport parse5 from 'parse5';" },
      { path: 'cli/c.ts', text: 'await mkdir(dirname(path), { recursive: true });' },
    ];
    expect(findFolderMakers(planted)).toEqual(['cli/c.ts']);
    expect(findCanParse([{ path: 'cli/d.ts', text: 'if (URL.canParse(x)) y();' }])).toEqual(['cli/d.ts']);

    expect(findCycle(planted)).toEqual(['plan/a.ts', 'site/b.ts', 'plan/a.ts']);
    expect(findBackDoors(planted)).toEqual(['site/b.ts imports parse5 (front door: content)']);
  });

  it.each([
    ["import { readFile } from 'node:fs/promises';", ['plan/a.ts touches the file system']],
    ["import {\n  existsSync,\n  readFileSync,\n} from 'node:fs';", ['plan/a.ts touches the file system']],
    ["import { request } from 'undici';", ['plan/a.ts touches the network']],
    ['const time = new Date();', ['plan/a.ts touches the clock']],
    ['const { stderr } = process;', ['plan/a.ts touches the console']],
    ["console.log('x');", ['plan/a.ts touches the console']],
    ["import type { FileHandle } from 'node:fs/promises';\nnew Date(ms);", []],
  ])('notices an effect in a stage: %j', (text, found) => {
    expect(findEffects([{ path: 'plan/a.ts', text }])).toEqual(found);
  });

  it.each([
    ["import { existsSync, readFileSync } from 'node:fs';", ['cli/a.ts']],
    ["import { readFile as read } from 'node:fs/promises';", ['cli/a.ts']],
    ["import {\n  createReadStream,\n} from 'node:fs';", ['cli/a.ts']],
    ["import fs from 'node:fs';", ['cli/a.ts']],
    ["const fs = await import('node:fs/promises');", ['cli/a.ts']],
    ["import { existsSync, readdirSync } from 'node:fs';\nimport { readFileIn } from './b.ts';", []],
    ["import type { FileHandle } from 'node:fs/promises';", []],
  ])('notices a file that opens files by itself: %j', (text, found) => {
    expect(findReaders([{ path: 'cli/a.ts', text }])).toEqual(found);
  });

  it('notices two types of one name, exported or private', () => {
    const planted = [
      { path: 'plan/a.ts', text: 'export interface Page {}\ninterface Row {}\n/** A class Page. */' },
      { path: 'site/b.ts', text: "type Row = string;\nclass Page {}\nexport type { Row } from './c.ts';" },
    ];
    expect(findSharedTypes(planted)).toEqual([
      'Page is declared in plan/a.ts and site/b.ts',
      'Row is declared in plan/a.ts and site/b.ts',
    ]);
  });

  it('notices a type that is exported for nobody', () => {
    const planted = [
      {
        path: 'plan/a.ts',
        text: 'export interface Page {}\nexport type Row = string;\nexport class Cell {}',
      },
      {
        path: 'site/b.ts',
        text: "import type { Page } from '../plan/a.ts';\nimport type { Cell } from './a.ts';",
      },
    ];
    const test = { path: 'plan/c.test.ts', text: "import { type Row } from '../../src/plan/a.ts';" };
    expect(findUnusedTypes(planted, [])).toEqual([
      'plan/a.ts exports the type Row, which no other file imports',
      'plan/a.ts exports the type Cell, which no other file imports',
    ]);
    expect(findUnusedTypes(planted, [test])).toEqual([
      'plan/a.ts exports the type Cell, which no other file imports',
    ]);
  });

  it('notices a folder that exports many types', () => {
    const planted = [
      { path: 'plan/a.ts', text: 'export interface A {}\nexport type B = A;\ninterface C {}' },
      { path: 'plan/b.ts', text: 'export class D {}' },
      { path: 'plan/parts/c.ts', text: 'export type E = string;' },
    ];
    expect(findFullFolders(planted, 2)).toEqual(['plan']);
    expect(findFullFolders(planted, 3)).toEqual([]);
  });

  it('notices main exports that have nothing to do with each other', () => {
    const long = 'work();\n'.repeat(mainLines);
    const text = (first: string) =>
      `const limit = 1;\nexport function a() {\n${first}${long}}\n/** See a. */\nexport function b() {\nlimit;\n${long}}`;
    const user = { path: 'plan/c.ts', text: "import { a, b } from './a.ts';" };
    const apart = { path: 'plan/a.ts', text: text('') };
    expect(findUnrelatedExports([apart])).toEqual(['plan/a.ts']);
    expect(findUnrelatedExports([apart, user])).toEqual([]);
    expect(findUnrelatedExports([{ path: 'plan/a.ts', text: text('limit;\n') }])).toEqual([]);
    expect(findUnrelatedExports([{ path: 'plan/a.ts', text: text('').replace(long, '') }])).toEqual([]);
  });

  it('notices two functions of one name', () => {
    const planted = [
      { path: 'plan/a.ts', text: 'export function slugify() {}\nexport function one() {}' },
      { path: 'site/b.ts', text: 'export const slugify = (text: string) => text;' },
    ];
    expect(findSharedNames(planted)).toEqual(['slugify']);
  });
});

describe('the page about the architecture', () => {
  const sources = readSources(new URL('../src/', import.meta.url));
  const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');

  it('names only files, folders, functions and types that exist, as does CONTRIBUTING.md', () => {
    const contributing = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
    const section = /^## To add X, change Y\n[\s\S]*?(?=^## )/m.exec(contributing)?.[0] ?? '';
    expect(section).toContain('core/config/');
    expect(findUnknownNames(page + section, sources)).toEqual([]);
  });

  it('notices a name that does not exist', () => {
    const planted = [
      'See `pipeline/nowhere.ts`, `nowhere.ts`, `site/nowhere/`, `planNowhere`, `Nowhere` and `nowhere`.',
      'See `pipeline/build.ts`, `build.ts`, `site/plan/`, `test/source/conformance.test.ts`, `planSite`, `Plan`, `transform`.',
    ];
    expect(findUnknownNames(planted.join('\n'), sources)).toEqual([
      'pipeline/nowhere.ts',
      'nowhere.ts',
      'site/nowhere/',
      'planNowhere',
      'Nowhere',
      'nowhere',
    ]);
  });

  it('lists every room, and the rooms that may import it', () => {
    const rooms = Object.keys(mayImport).filter((room) => !room.endsWith('.ts'));
    const rows = [...page.matchAll(/^\| `([a-z]+)` \| .+ \| (.+) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, room = '', importers = '']) => [room, importers]))).toEqual(
      Object.fromEntries(rooms.map((room) => [room, describeImporters(room, rooms)])),
    );
  });
});

function readSources(folder: URL): Source[] {
  const root = fileURLToPath(folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(join(root, path), 'utf8'),
    }));
}

/** Every module a file names in `import … from`, `export … from` and `import(…)`. */
function importsOf({ text }: Source): string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)['"]([^'"]+)['"]/g)].map(
    ([, name = '']) => name,
  );
}

function internalImports(source: Source): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(source.path), name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('..'));
}

/** `site/plan/a.ts` → `site`, `bin.ts` → `bin.ts`. */
function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** `site/plan/parts/a.ts` → `site/plan`, `core/a.ts` → `core`. */
function folderOf(path: string): string {
  return dirname(path).split('/').slice(0, 2).join('/');
}

/** Tests of the quick suite that need a program, a registry or the corpora, which a plain clone does not have. */
function findDemandingTests(tests: readonly Source[]): string[] {
  return tests
    .filter(({ path }) => path.endsWith('.test.ts') && !/\.(?:full|nightly)\.test\.ts$/.test(path))
    .filter(
      ({ path, text }) => path !== 'architecture.test.ts' && /\bdescribe(?:With\w*|Online)\b/.test(text),
    )
    .map(({ path }) => path);
}

/** Files that leave it to Node, which may try for ever, to make the folders above one. */
function findFolderMakers(sources: readonly Source[]): string[] {
  return sources
    .filter(({ text }) => /\bmkdir(?:Sync)?\([^;]*recursive: true|\bensureDir\b/.test(text))
    .map(({ path }) => path)
    .filter((path) => path !== 'core/file-system.ts');
}

function findCanParse(sources: readonly Source[]): string[] {
  return sources.filter(({ text }) => text.includes('URL.canParse(')).map(({ path }) => path);
}

/** Properties that a run with another seed, or a hunt for failures, would not reach. */
function findLooseProperties(tests: readonly Source[]): string[] {
  return tests.flatMap(({ path, text }) => {
    if (path === 'support/properties.ts' || path === 'architecture.test.ts') return [];
    const faults: string[] = [];
    if (text.includes("from 'fast-check'"))
      faults.push(`${path} imports fast-check (front door: support/properties.ts)`);
    // The text between the start of the last test and the assertion.
    if (
      text
        .split('fc.assert(')
        .slice(0, -1)
        .some((before) => !/tags: 'property'/.test(before.split(/\n *(?:it|test)\(/).at(-1) ?? ''))
    )
      faults.push(`${path} asserts a property in a test that is not tagged 'property'`);
    if (/\bseed: \d|numRuns: \d/.test(text) && text.includes('fc.assert('))
      faults.push(`${path} fixes a seed or a number of runs of its own`);
    return faults;
  });
}

function findEffects(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    Object.entries(effects)
      .filter(([, { pattern, places }]) => {
        const isAllowed = places.some((place) => path === place || path.startsWith(`${place}/`));
        return !isAllowed && pattern.test(text);
      })
      .map(([effect]) => `${path} touches ${effect}`),
  );
}

/** Files of the rooms that publish which import more of `node:path` than `posix`. */
function findDiskPaths(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => publishedRooms.includes(roomOf(path)))
    .filter(({ text }) => /^import (?!type |\{ posix \})[^;]*'node:path'/m.test(text))
    .map(({ path }) => path)
    .sort();
}

/** Files that import a function of Node that opens files for reading, or all of its functions. */
function findReaders(sources: readonly Source[]): string[] {
  const opening =
    /^(?:type )?(?:readFile|open|createReadStream|copyFile|cp|openAsBlob)(?:Sync)?(?: as \w+)?$/;
  return sources
    .filter(({ text }) => {
      const named = [...text.matchAll(/^import \{([^}]*)\} from 'node:fs(?:\/promises)?'/gm)];
      const names = named.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
      const isWhole = /^import (?!type )[^{;]*'node:fs(?:\/promises)?'|import\('node:fs/m.test(text);
      return isWhole || names.some((name) => opening.test(name));
    })
    .map(({ path }) => path)
    .sort();
}

function findSharedNames(sources: readonly Source[]): string[] {
  const declaration = /^export (?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?\()/gm;
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(declaration)].map(([, name, constant]) => name ?? constant ?? ''),
  );
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))].sort();
}

interface Declaration {
  readonly name: string;
  readonly isExported: boolean;
  readonly isType: boolean;
  /** Without comments. */
  readonly text: string;
}

/** The declarations at the top level of a file. */
function declarationsOf({ text }: Source): Declaration[] {
  const code = text.replaceAll(/^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)$\n?/gm, '');
  const start =
    /^(export )?(?:declare |abstract |async )*(function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  const found = [...code.matchAll(start)];
  return found.map(({ index, 1: exported, 2: kind = '', 3: name = '' }, at) => ({
    name,
    isExported: exported !== undefined,
    isType: /^(?:class|interface|type|enum)$/.test(kind),
    text: code.slice(index, found[at + 1]?.index),
  }));
}

/** The names that a file imports from, or exports of, each file of src. */
function importedNames({ path, text }: Source): { readonly from: string; readonly names: string[] }[] {
  return [...text.matchAll(/\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/g)].map(
    ([, list = '', from = '']) => ({
      from: join(dirname(path), from)
        .replaceAll('\\', '/')
        .replace(/^(?:\.\.\/)*src\//, ''),
      names: list.split(',').map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      ),
    }),
  );
}

function findSharedTypes(sources: readonly Source[]): string[] {
  const places = new Map<string, string[]>();
  for (const source of sources) {
    for (const { name, isType } of declarationsOf(source)) {
      if (isType) places.set(name, [...(places.get(name) ?? []), source.path]);
    }
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared in ${paths.join(' and ')}`)
    .sort();
}

function findUnusedTypes(sources: readonly Source[], others: readonly Source[]): string[] {
  const used = new Set(
    [...sources, ...others]
      .flatMap(importedNames)
      .flatMap(({ from, names }) => names.map((name) => `${from} ${name}`)),
  );
  return sources.flatMap((source) =>
    declarationsOf(source)
      .filter(({ name, isType, isExported }) => isType && isExported && !used.has(`${source.path} ${name}`))
      .map(({ name }) => `${source.path} exports the type ${name}, which no other file imports`),
  );
}

/** Folders, each without its subfolders, that export more types than `most`. */
function findFullFolders(sources: readonly Source[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const types = declarationsOf(source).filter(({ isType, isExported }) => isType && isExported);
    const folder = dirname(source.path);
    counts.set(folder, (counts.get(folder) ?? 0) + types.length);
  }
  return [...counts].flatMap(([folder, count]) => (count > most ? [folder] : [])).sort();
}

/**
 * Files with two or more long exports that use nothing of the file in common, directly or through others, and that no other file imports
 * together.
 */
function findUnrelatedExports(sources: readonly Source[]): string[] {
  const together = sources.flatMap(importedNames);
  return sources
    .filter((source) => {
      const declarations = declarationsOf(source);
      const groups = new Map(declarations.map(({ name }) => [name, new Set([name])]));
      const join = (one: string, other: string): void => {
        const [a, b] = [groups.get(one), groups.get(other)];
        if (a === undefined || b === undefined || a === b) return;
        for (const name of b) groups.set(name, a.add(name));
      };
      for (const { name, text } of declarations) {
        for (const word of text.match(/\w+/g) ?? []) join(name, word);
      }
      for (const { from, names } of together) {
        const [first = '', ...rest] = from === source.path ? names.filter((name) => groups.has(name)) : [];
        for (const name of rest) join(first, name);
      }
      const main = [...new Set(groups.values())].filter((group) => {
        const own = declarations.filter(({ name }) => group.has(name));
        const lines = own.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
        return own.some(({ isExported }) => isExported) && lines.length >= mainLines;
      });
      return main.length > 1;
    })
    .map(({ path }) => path)
    .sort();
}

function findForbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const room = roomOf(source.path);
    const allowed = mayImport[room];
    if (allowed === undefined) return [`${source.path} lies in a room the table does not name`];
    const inside = mayImportInside[folderOf(source.path)];
    return internalImports(source)
      .filter((target) => {
        const to = roomOf(target);
        if (to === room) {
          const folder = folderOf(target);
          return inside !== undefined && folder !== folderOf(source.path) && !inside.includes(folder);
        }
        if (room === 'consumers' && to === 'feed') {
          return !feedForConsumers.includes(folderOf(target));
        }
        return !allowed.includes('*') && !allowed.includes(to);
      })
      .map((target) => `${source.path} imports ${target}`);
  });
}

/** Rooms on a circle of allowed imports, in any order. */
function findCircle(allowed: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const left = new Map(Object.entries(allowed));
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const [room, others] of left) {
      if (!others.some((other) => left.has(other))) isSmaller = left.delete(room);
    }
  }
  return [...left.keys()];
}

function findCycle(sources: readonly Source[]): string[] | null {
  const graph = new Map(sources.map((source) => [source.path, internalImports(source)]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle !== null) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** Packages that are loaded with a file. */
function findLoadedPackages(sources: readonly Source[], entry: string): string[] {
  const files = new Map(
    sources.map(({ path, text }) => [path, { path, text: text.replaceAll(/\bimport type [^;]*;/g, '') }]),
  );
  const loaded = new Set([entry]);
  const packages = new Set<string>();
  for (const path of loaded) {
    const file = files.get(path);
    if (file === undefined) continue;
    for (const name of importsOf(file)) if (!/^(?:\.|node:)/.test(name)) packages.add(name);
    for (const next of internalImports(file)) loaded.add(next);
  }
  return [...packages].sort();
}

/** Rooms besides `cli` that may import a room, as docs/architecture.md lists them. */
function describeImporters(room: string, rooms: readonly string[]): string {
  const importers = rooms.filter((other) => other !== 'cli' && mayImport[other]?.includes(room));
  const others = rooms.filter((other) => other !== 'cli' && other !== room);
  if (importers.length === 0) return '–';
  return importers.length === others.length ? 'all' : importers.join(', ');
}

/** Code spans of a page that look like a file, a folder or a name of src, but are none. */
function findUnknownNames(page: string, sources: readonly Source[]): string[] {
  const repository = fileURLToPath(new URL('..', import.meta.url));
  const files = new Set(sources.map(({ path }) => path.split('/').at(-1)));
  const code = sources.map(({ text }) => text).join('\n');
  const isDeclared = (name: string) =>
    new RegExp(
      `\\b(?:function\\*?|const|class|interface|type|readonly) ${name}\\b|^ +'?${name}'?(?:: |,$)`,
      'm',
    ).test(code);
  const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...new Set(spans)].filter((span) => {
    if (/^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(span) && span.includes('/')) {
      const isFile = existsSync(join(repository, 'src', span)) || existsSync(join(repository, span));
      return !span.startsWith('.') && !isFile;
    }
    if (/^[\w.-]+\.ts$/.test(span)) return !files.has(span) && !span.startsWith('x.');
    return /^\w+$/.test(span) && mayImport[span] === undefined && !isDeclared(span);
  });
}

/** Packages that no file of their front door loads directly below a comment that begins with their name. */
function findUnexplained(sources: readonly Source[], packages: readonly string[]): string[] {
  return packages.filter((name) => {
    // `// NAME says why.`, directly above the statement that loads it.
    const explained = new RegExp(`^ *// ${name} .{20,}\\.\\n[^;/]*['"]${name}(?:/[^'"]*)?['"]`, 'm');
    const doors = [frontDoors[name] ?? []].flat();
    return !sources.some(
      ({ path, text }) =>
        doors.some((door) => door === path || path.startsWith(`${door}/`)) && explained.test(text),
    );
  });
}

function findBackDoors(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => {
        const doors = [frontDoors[name] ?? []].flat();
        return !doors.some((door) => door === source.path || !relative(door, source.path).startsWith('..'));
      })
      .map(
        (name) =>
          `${source.path} imports ${name} (front door: ${[frontDoors[name] ?? 'none'].flat().join(', ')})`,
      ),
  );
}
