import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResolvedConfig } from '../config/schema.ts';
import type { SharedTexts } from '../feed/records/document-meta.ts';
import { once } from '../foundation/concurrency.ts';
import { readWholeFile } from '../foundation/file-system.ts';
import type { Article, ArticleTranslation, LanguageTag } from '../foundation/model.ts';
import { createSecretScan, type RunSecret } from '../foundation/run-secrets.ts';
import { isPublishedSite, openInside, walkFolder } from '../foundation/user-folder.ts';
import { popularCount } from '../site/site-base.ts';
import { builtInTemplates } from '../site/template-files.ts';
import type { Source } from '../source/source.ts';

/** Inputs of a run besides configuration and knowledge base. */
interface RunTools {
  /** Name and version of the program, as written to the output. */
  readonly generator: string;
  /** Result of `describeProgram`. */
  readonly program: string;
  /** Absolute path of the user's templates; it need not exist. */
  readonly templatesFolder: string;
  /** Absolute path of the files that are published unchanged; it need not exist. */
  readonly publicFolder: string;
  /** Values that no published file may contain; absent: none. They count only if a file contains one. */
  readonly secrets?: readonly RunSecret[];
}

/** Hash of all inputs of a run except the knowledge base: program, templates, public files and configuration. */
export function fingerprintInputs(config: ResolvedConfig, tools: RunTools): string {
  const hash = createHash('sha256');
  // The locations of output and cache do not affect the published files.
  const { out: _out, cache: _cache, ...settings } = config;
  addValue(hash, [tools.generator, tools.program, settings]);
  const { templatesFolder, publicFolder, secrets = [] } = tools;
  addValue(hash, describeFolder(builtInTemplates));
  addValue(hash, describeFolder(templatesFolder, secrets));
  addValue(hash, isPublishedSite(publicFolder) ? null : describeFolder(publicFolder, secrets));
  return hash.digest('hex');
}

/**
 * Hash of all inputs of a run. Runs with the same fingerprint and the same copied files publish the same output, except for the time in the
 * manifest.
 * @param inputs result of {@link fingerprintInputs}
 * @param knowledgeBase result of {@link hashSource}
 */
export function fingerprintRun(inputs: string, knowledgeBase: string): string {
  return hash('sha256', `${inputs} ${knowledgeBase}`);
}

/**
 * Hash of everything that pages and records may show of other articles: all metadata except bodies, edit dates and numbers of views.
 * Whether an article has a date counts, because a language with dates has a list of new articles.
 * @param blocks texts of blocks that many bodies share, by language
 */
export function hashSharedMetadata({ knowledgeBase }: Source, { blocks }: SharedTexts): string {
  const hash = createHash('sha256');
  const { defaultLanguage, articles, categories, excluded } = knowledgeBase;
  const shared = [...blocks].map(([language, prints]) => [language, ...prints]);
  addValue(hash, [defaultLanguage, categories, [...excluded], shared]);
  for (const article of articles) {
    const translations = article.translations.map((translation) =>
      pickShared(translation, translationFields),
    );
    addValue(hash, { ...pickShared(article, articleFields), translations });
  }
  return hash.digest('hex');
}

/** How much of a field pages and records show of other articles: its value, only whether it is `null`, or nothing. */
type Shown = 'value' | 'presence' | 'nothing';

const articleFields: Readonly<Record<Exclude<keyof Article, 'translations'>, Shown>> = {
  id: 'value',
  categoryId: 'value',
  tags: 'value',
  createdAt: 'value',
  updatedAt: 'presence',
  isFeatured: 'value',
  sortOrder: 'value',
  showToc: 'value',
  isListed: 'value',
  replaces: 'nothing',
};

const translationFields: Readonly<Record<keyof ArticleTranslation, Shown>> = {
  language: 'value',
  title: 'value',
  slug: 'value',
  description: 'value',
  updatedAt: 'presence',
  bodyHash: 'nothing',
  // Only those that many bodies share.
  blockPrints: 'nothing',
  listTitle: 'value',
  path: 'value',
  aliases: 'nothing',
  fallbacks: 'nothing',
  file: 'nothing',
};

function pickShared<Name extends string>(
  record: Readonly<Record<Name, unknown>>,
  fields: Readonly<Record<Name, Shown>>,
): Readonly<Record<string, unknown>> {
  const picked: Record<string, unknown> = {};
  for (const name in fields) {
    const shown = fields[name];
    if (shown !== 'nothing') picked[name] = shown === 'value' ? record[name] : record[name] === null;
  }
  return picked;
}

/** Hash of the edit dates of all articles, and of the most viewed ones. */
export function hashRecent({ knowledgeBase, topArticles }: Source): string {
  const hash = createHash('sha256');
  addValue(hash, popularArticles(knowledgeBase, topArticles));
  for (const { id, updatedAt, translations } of knowledgeBase.articles) {
    addValue(hash, [id, updatedAt, ...translations.map((translation) => translation.updatedAt)]);
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

/** The visible part of the statistics: the most viewed articles, but not the numbers of views. */
function popularArticles({ articles }: Source['knowledgeBase'], topArticles: Source['topArticles']): unknown {
  const articleById = new Map(articles.map((article) => [article.id, article]));
  const isIn = (id: string, tag: LanguageTag): boolean =>
    articleById.get(id)?.translations.some(({ language }) => language === tag) === true;
  return [...topArticles].map(([language, top]) => [
    language,
    top
      .map(({ articleId }) => articleId)
      .filter((id) => isIn(id, language))
      .slice(0, popularCount),
  ]);
}

function addValue(hash: Hash, value: unknown): void {
  hash.update(`${JSON.stringify(value)}\n`);
}

const program = fileURLToPath(new URL('..', import.meta.url));

/** Folder of the search's tokenizer, which determines the index. */
const builtInAssets = fileURLToPath(new URL('../../templates/assets', import.meta.url));

/** Folder of stop words and synonyms, which are in the index, too. */
const builtInWords = fileURLToPath(new URL('../../templates/words', import.meta.url));

/**
 * Hash of everything besides the inputs that determines an output: the program's files, the packages it uses, and the relevant parts of
 * Node. Output of another program is not reused.
 */
export function describeProgram(): string {
  const { v8, icu, unicode, zlib, brotli } = process.versions;
  const words = [builtInAssets, builtInWords].map((folder) => describeFolder(folder));
  return hash('sha256', JSON.stringify([...loaded(), ...words, v8, icu, unicode, zlib, brotli]));
}

/** A process runs the code that it loaded at the start. */
const loaded = once(() => [describeFolder(program), packageVersions()]);

function packageVersions(): readonly (readonly [name: string, version: string | null])[] {
  const { dependencies, peerDependencies } = readManifest(join(program, '../package.json'));
  const require = createRequire(import.meta.url);
  // Yarn Plug'n'Play has no folders of packages, but one file that names the version of each.
  if (process.versions.pnp !== undefined) {
    return [['pnpapi', hash('sha256', readWholeFile(require.resolve('pnpapi')))]];
  }
  return Object.keys({ ...dependencies, ...peerDependencies }).map((name) => {
    const manifest = (require.resolve.paths(name) ?? [])
      .map((folder) => join(folder, name, 'package.json'))
      .find((path) => existsSync(path));
    return [name, manifest === undefined ? null : (readManifest(manifest).version ?? null)];
  });
}

interface PackageManifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Packages that only some settings need. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): PackageManifest {
  return JSON.parse(readFileSync(path, 'utf8')) as PackageManifest;
}

/**
 * Hash of the paths and contents of a folder's files: equal hashes mean that nothing was added, removed or changed. A broken link (an
 * editor's lock file), or a link to a parent folder or to the outside, is represented by its target. Whether a file contains a secret of
 * the run counts, because the file is then not published. `null` if the folder does not exist.
 */
export function describeFolder(folder: string, secrets: readonly RunSecret[] = []): string | null {
  if (!existsSync(folder)) return null;
  const digest = createHash('sha256');
  for (const { path, kind } of walkFolder(folder)) {
    const isLink = kind === 'link' || kind === 'outside';
    const content = kind === 'file' ? hashFile(folder, path, secrets) : kind;
    digest.update(`${path}\t${isLink ? readlinkSync(join(folder, path)) : content}\n`);
  }
  return digest.digest('hex');
}

/**
 * Hash of a file of any size, read in blocks, and the name of a secret in it; `null` if the file no longer exists, e.g. a temporary file of
 * an editor, or leads outside now.
 */
function hashFile(folder: string, path: string, secrets: readonly RunSecret[]): string | null {
  let descriptor: number;
  try {
    descriptor = openInside(folder, path);
  } catch (error) {
    if (['ENOENT', 'FILE_OUTSIDE'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  try {
    const digest = createHash('sha256');
    const scan = createSecretScan(secrets);
    let secret: RunSecret | null = null;
    const block = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size + 1, blockBytes));
    for (let bytes = readSync(descriptor, block); bytes > 0; bytes = readSync(descriptor, block)) {
      digest.update(block.subarray(0, bytes));
      secret = scan(block.subarray(0, bytes));
    }
    return `${digest.digest('hex')}${secret === null ? '' : ` ${secret.name}`}`;
  } finally {
    closeSync(descriptor);
  }
}

const blockBytes = 1024 * 1024;
