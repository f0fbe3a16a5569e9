import { createHash, type Hash } from 'node:crypto';
import type { ResolvedConfig } from '../config/schema.ts';
import type { SharedTexts } from '../feed/records/shared-texts.ts';
import { describeFolder } from '../output/describe-folder.ts';
import { isPublishedSite } from '../site/public-files.ts';
import { popularCount } from '../site/site-base.ts';
import { builtInTemplates } from '../site/template-files.ts';
import type { Source } from '../source/source.ts';

/** What a run's output depends on besides configuration and knowledge base. */
export interface RunTools {
  /** Name and version of the program, as the output gives it. */
  readonly generator: string;
  /** What `describeProgram` says. */
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
 * @param inputs what {@link fingerprintInputs} says
 */
export function fingerprintRun(inputs: string, source: Source): string {
  const hash = createHash('sha256');
  addValue(hash, inputs);
  addKnowledgeBase(hash, source);
  return hash.digest('hex');
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

/** One hash over everything a source tells. */
export function hashSource(source: Source): string {
  const hash = createHash('sha256');
  addKnowledgeBase(hash, source);
  return hash.digest('hex');
}

function addKnowledgeBase(hash: Hash, { knowledgeBase, topArticles, problems }: Source): void {
  addValue(hash, knowledgeBase.defaultLanguage);
  for (const article of knowledgeBase.articles) addValue(hash, article);
  addValue(hash, knowledgeBase.categories);
  addValue(hash, [...knowledgeBase.excluded]);
  addValue(hash, popularArticles(knowledgeBase, topArticles));
  addValue(hash, problems);
}

/** What is shown of the statistics: which articles are viewed most, and not how often. */
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
