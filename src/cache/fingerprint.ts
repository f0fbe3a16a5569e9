import { createHash, type Hash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResolvedConfig } from '../config/schema.ts';
import type { SharedTexts } from '../feed/records/document-meta.ts';
import { openFile, walkFolder } from '../foundation/file-system.ts';
import { isPublishedSite } from '../site/public-files.ts';
import { popularCount } from '../site/site-base.ts';
import { builtInTemplates } from '../site/template-files.ts';
import type { Source } from '../source/source.ts';

/** Inputs of a run besides configuration and knowledge base. */
interface RunTools {
  /** Name and version of the program, as the output gives it. */
  readonly generator: string;
  /** Result of `describeProgram`. */
  readonly program: string;
  /** Absolute path of the site's own templates; it need not exist. */
  readonly templatesFolder: string;
  /** Absolute path of the files that are published as they are; it need not exist. */
  readonly publicFolder: string;
}

/** One hash over what a run's output is made of besides the knowledge base: program, templates, public files and configuration. */
export function fingerprintInputs(config: ResolvedConfig, tools: RunTools): string {
  const hash = createHash('sha256');
  // Where the output and the cache are does not change what is published.
  const { out: _out, cache: _cache, ...settings } = config;
  addValue(hash, [tools.generator, tools.program, settings]);
  for (const folder of [builtInTemplates, tools.templatesFolder]) addValue(hash, describeFolder(folder));
  addValue(hash, isPublishedSite(tools.publicFolder) ? null : describeFolder(tools.publicFolder));
  return hash.digest('hex');
}

/**
 * One hash over everything a run's output is made of. Two runs with the same fingerprint and the same copied files
 * publish the same, but for the time in the manifest.
 * @param inputs result of {@link fingerprintInputs}
 * @param knowledgeBase result of {@link hashSource}
 */
export function fingerprintRun(inputs: string, knowledgeBase: string): string {
  return hash('sha256', `${inputs} ${knowledgeBase}`);
}

/**
 * One hash over what pages and records of articles may show of other articles: everything but their bodies, when they were edited,
 * and how often they were viewed. That an article has such a date counts, since a language with one has a list of what is new.
 * @param callouts what many bodies share, by language
 */
export function hashSharedMetadata({ knowledgeBase }: Source, { callouts }: SharedTexts): string {
  const hash = createHash('sha256');
  const { defaultLanguage, articles, categories, excluded } = knowledgeBase;
  const shared = [...callouts].map(([language, prints]) => [language, ...prints]);
  addValue(hash, [defaultLanguage, categories, [...excluded], shared]);
  for (const article of articles) {
    const translations = article.translations.map((translation) => ({
      ...translation,
      bodyHash: null,
      callouts: null,
      updatedAt: translation.updatedAt === null,
    }));
    addValue(hash, { ...article, updatedAt: article.updatedAt === null, translations });
  }
  return hash.digest('hex');
}

/** Hash of everything read from a source. */
export function hashSource(source: Source): string {
  const hash = createHash('sha256');
  addKnowledgeBase(hash, source);
  return hash.digest('hex');
}

function addKnowledgeBase(hash: Hash, { knowledgeBase, topArticles, problems, stats }: Source): void {
  addValue(hash, [knowledgeBase.defaultLanguage, stats.hiddenTranslations]);
  for (const article of knowledgeBase.articles) addValue(hash, article);
  addValue(hash, knowledgeBase.categories);
  addValue(hash, [...knowledgeBase.excluded]);
  addValue(hash, popularArticles(knowledgeBase, topArticles));
  addValue(hash, problems);
}

/** The visible part of the statistics: which articles are viewed most, but not how often. */
function popularArticles({ articles }: Source['knowledgeBase'], topArticles: Source['topArticles']): unknown {
  const languages = new Map(
    articles.map(({ id, translations }) => [id, translations.map(({ language }) => language)]),
  );
  return [...topArticles].map(([language, top]) => [
    language,
    top
      .map(({ articleId }) => articleId)
      .filter((id) => languages.get(id)?.includes(language))
      .slice(0, popularCount),
  ]);
}

function addValue(hash: Hash, value: unknown): void {
  hash.update(`${JSON.stringify(value)}\n`);
}

const program = fileURLToPath(new URL('..', import.meta.url));

/** Folder of the search's tokenizer, on which the index depends. */
const builtInAssets = fileURLToPath(new URL('../../templates/assets', import.meta.url));

/**
 * Hash of everything that makes an output besides its inputs: the program's own files, the packages it uses, and what of
 * Node its output depends on. The output of another program is not reused.
 */
export function describeProgram(): string {
  return describeParts(describeFolder);
}

/**
 * The same without reading the files. With the same stamp the program is the same: the time of the
 * last change of an inode cannot be set, so not even a package manager that gives every file one date hides a change.
 */
export function stampProgram(): string {
  return describeParts(stampFolder);
}

type DescribeFolder = (folder: string) => string | null;

function describeParts(describe: DescribeFolder): string {
  const { v8, icu, unicode, zlib, brotli } = process.versions;
  const parts = [...describeLoaded(describe), describe(builtInAssets), v8, icu, unicode, zlib, brotli];
  return hash('sha256', JSON.stringify(parts));
}

/** A process runs the code loaded at its start, so it is described once per process. */
const loaded = new Map<DescribeFolder, readonly unknown[]>();

function describeLoaded(describe: DescribeFolder): readonly unknown[] {
  const known = loaded.get(describe);
  if (known !== undefined) return known;
  const parts = [describe(program), packageVersions()];
  loaded.set(describe, parts);
  return parts;
}

function stampFolder(folder: string): string {
  const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(join(folder, name));
      return [name, ino, size, mtimeMs, ctimeMs].join('\t');
    });
  return hash('sha256', lines.join('\n'));
}

function packageVersions(): readonly (readonly [name: string, version: string | null])[] {
  const { dependencies } = readManifest(join(program, '../package.json'));
  const require = createRequire(import.meta.url);
  return Object.keys(dependencies ?? {}).map((name) => {
    const manifest = (require.resolve.paths(name) ?? [])
      .map((folder) => join(folder, name, 'package.json'))
      .find((path) => existsSync(path));
    return [name, manifest === undefined ? null : (readManifest(manifest).version ?? null)];
  });
}

interface PackageManifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): PackageManifest {
  return JSON.parse(readFileSync(path, 'utf8')) as PackageManifest;
}

/**
 * One hash over a folder's files with their paths and contents: two equal hashes mean that nothing was added, removed or changed.
 * A link that leads nowhere (an editor's lock file) or back to a folder around it is described by its target. `null` when the
 * folder does not exist.
 */
export function describeFolder(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const digest = createHash('sha256');
  for (const { path, kind } of walkFolder(folder)) {
    const content = kind === 'file' ? hashFile(join(folder, path)) : kind;
    digest.update(`${path}\t${kind === 'link' ? readlinkSync(join(folder, path)) : content}\n`);
  }
  return digest.digest('hex');
}

/** Of a file of any size, block by block; `null` where it is gone, such as a file that an editor makes for a moment. */
function hashFile(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const digest = createHash('sha256');
    const block = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size + 1, blockBytes));
    for (let bytes = readSync(descriptor, block); bytes > 0; bytes = readSync(descriptor, block)) {
      digest.update(block.subarray(0, bytes));
    }
    return digest.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}

const blockBytes = 1024 * 1024;
