import { hash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintBlocks } from '../../src/core/block-fingerprints.ts';
import { configSchema, type UserConfig } from '../../src/core/config/schema.ts';
import type { Article, Category } from '../../src/core/model.ts';
import type { BuildReport } from '../../src/core/report.ts';
import { build } from '../../src/pipeline/build.ts';
import type { BuildOptions } from '../../src/pipeline/build-options.ts';
import type { SnapshotContent, SnapshotHeader, StoredArticle } from '../../src/source/snapshot/format.ts';
import { beginSnapshot } from '../../src/source/snapshot/snapshot-file.ts';
import { article, translation } from './knowledge-base.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** One language of an article as a test writes it. */
export interface WrittenText {
  readonly title: string;
  readonly slug?: string | null;
  readonly description?: string | null;
  /** As that of a page of a folder. */
  readonly sourcePath?: string;
  readonly aliases?: readonly string[];
  readonly body: string;
}

/** One article as a test writes it: the default language first, then by tag. */
export interface WrittenArticle
  extends Partial<Pick<Article, 'tags' | 'updatedAt' | 'isFeatured' | 'sortOrder' | 'showToc'>> {
  readonly id: string;
  readonly categoryId: string | null;
  readonly texts: Readonly<Record<string, WrittenText>>;
}

/** Content of a snapshot besides articles and categories, and when it was read. */
export type WrittenRest = Partial<
  Pick<SnapshotContent, 'excluded' | 'topArticles'> & Pick<SnapshotHeader, 'listed' | 'listedAtMs'>
>;

/** A folder with a snapshot that `build` turns into a site without the network. */
export interface OfflineProject {
  readonly folder: string;
  readonly out: string;
  readonly cache: string;
  /** Replaces the snapshot. */
  write(
    articles: readonly WrittenArticle[],
    categories: readonly Category[],
    rest?: WrittenRest,
  ): Promise<void>;
  build(config?: Partial<UserConfig>, options?: Partial<BuildOptions>): Promise<BuildReport>;
  /** Options of `build`. */
  options(options: Partial<BuildOptions>): BuildOptions;
  /** Removes everything from the cache except the snapshot. */
  forget(): Promise<void>;
}

/** A project, until the test ends, or outside of a test until the tests of the file end. */
export function createOfflineProject(): OfflineProject {
  const folder = temporaryFolder();
  const cache = join(folder, '.lectern');
  const withDefaults = (options: Partial<BuildOptions>): BuildOptions => ({
    apiKey: null,
    folder,
    offline: true,
    allowMassDelete: true,
    insecureLoopback: false,
    strict: false,
    generator: 'lectern test',
    now: '2026-01-02T03:04:05.000Z',
    newFeedId: '0'.repeat(32),
    threads: 0,
    ...options,
  });
  return {
    folder,
    cache,
    out: join(folder, 'dist'),
    write: (articles, categories, rest = {}) => writeSnapshot(cache, articles, categories, rest),
    build: (config = {}, options = {}) =>
      build(configSchema.parse({ siteUrl: 'https://help.example.com', ...config }), withDefaults(options)),
    options: withDefaults,
    async forget() {
      const names = (await readdir(cache)).filter((name) => !name.startsWith('snapshot'));
      for (const name of names) await rm(join(cache, name), { recursive: true });
    },
  };
}

async function writeSnapshot(
  cache: string,
  articles: readonly WrittenArticle[],
  categories: readonly Category[],
  { excluded = new Map(), topArticles = new Map(), listed = articles.length, listedAtMs = 0 }: WrittenRest,
): Promise<void> {
  const { store, commit } = await beginSnapshot(cache);
  const stored: StoredArticle[] = [];
  for (const written of [...articles].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const article = toArticle(written);
    const bodies = new Map(Object.entries(written.texts).map(([language, { body }]) => [language, body]));
    stored.push({
      article,
      bodyBytes: store.put(article, bodies),
      hidden: [],
      fingerprint: '',
      problems: [],
    });
  }
  const header = {
    identity: 'https://kb.example.com/v1',
    defaultLanguage: 'en',
    listed,
    listedAtMs,
    fullReadAtMs: 0,
    etag: null,
    isListWithBodies: true,
    generator: 'test',
  };
  const problems = {
    excludedFiles: new Map(),
    hiddenNames: new Map(),
    listingProblems: [],
    otherProblems: [],
  };
  commit(header, { articles: stored, categories, excluded, topArticles, ...problems }).bodies.close();
}

function toArticle({ id, texts, ...rest }: WrittenArticle): Article {
  const translations = Object.entries(texts).map(([language, { title, body, ...others }]) =>
    translation(language, title, {
      ...others,
      bodyHash: hash('sha256', body),
      blockFingerprints: fingerprintBlocks(body),
    }),
  );
  return article(id, translations, { updatedAt: '2026-01-01T00:00:00.000Z', ...rest });
}
