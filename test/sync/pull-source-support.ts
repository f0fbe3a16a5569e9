import { join } from 'node:path';
import type { ArticleRecord } from '../../src/core/api/article.ts';
import type { CategoryRecord } from '../../src/core/api/category.ts';
import { LecternError } from '../../src/core/errors.ts';
import {
  type PublicContentSettings,
  readPublicContent,
} from '../../src/pipeline/pull-source/public-content.ts';
import type { PublicContent } from '../../src/pipeline/pull-source/public-records.ts';
import {
  applySourcePull,
  guardSourceRemovals,
  planSourcePull,
} from '../../src/pipeline/pull-source/pull-source.ts';
import {
  applyArticleUpdate,
  applyCategoryUpdate,
  newArticle,
  newCategory,
} from '../../src/service/records.ts';
import type { Client } from '../../src/source/api/client-types.ts';
import type { Source } from '../../src/source/source.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toForm } from './support.ts';

/** What happens to the write of a number, counted from 1: it is not made, or made and not answered. */
export type Fault = { readonly at: number; readonly kind: 'unmade' | 'unanswered' };

/** A target in memory, with the record rules of the service. */
export function createTarget({ givesIds = false, givesDates = false } = {}) {
  const articles = new Map<string, ArticleRecord>();
  const categories = new Map<string, CategoryRecord>();
  let writes = 0;
  let fault: Fault | null = null;
  let refuses: (title: string) => boolean = () => false;
  const origin = (wanted: string | undefined, count: number) => ({
    id: givesIds || wanted === undefined ? `made${String(count).padStart(6, '0')}` : wanted,
    accountId: 'target',
    now: '2026-10-01T00:00:00.000Z',
  });
  const write = <T>(act: () => T): T => {
    writes += 1;
    const isFaulty = fault?.at === writes;
    const lost = () => new LecternError('CONNECTION_FAILED', `write ${writes}`, { hint: 'again' });
    if (isFaulty && fault?.kind === 'unmade') throw lost();
    const done = act();
    if (isFaulty) throw lost();
    return structuredClone(done);
  };
  const refuse = (title: string): void => {
    if (refuses(title)) throw new LecternError('REQUEST_REFUSED', `no ${title}`, { hint: '' });
  };
  const client = {
    listCategories: async () => structuredClone([...categories.values()]),
    readEveryArticle: async (sink: Parameters<Client['readEveryArticle']>[0]) => {
      for (const article of articles.values()) sink.take(structuredClone(article));
    },
    readArticle: async (id: string) => structuredClone(articles.get(id)),
    readCategory: async (id: string) => structuredClone(categories.get(id)),
    createArticle: async (input: Parameters<Client['createArticle']>[0]) =>
      write(() => {
        refuse(input.title);
        const { created_at: _created, updated_at: _updated, ...undated } = input;
        const article = newArticle(givesDates ? undated : input, origin(input.article_id, articles.size));
        if (articles.has(article.article_id)) throw new Error(`the id ${article.article_id} is taken`);
        const stored = { ...article, url: '', relative_url: '' };
        articles.set(article.article_id, stored);
        return stored;
      }),
    updateArticle: async (id: string, change: Parameters<Client['updateArticle']>[1]) =>
      write(() => {
        const before = articles.get(id) as ArticleRecord & { body: string };
        const after = applyArticleUpdate(before as never, change, '2026-10-02T00:00:00.000Z');
        articles.set(id, { ...after, url: '', relative_url: '' });
        return articles.get(id);
      }),
    createCategory: async (input: Parameters<Client['createCategory']>[0]) =>
      write(() => {
        const category = newCategory(input, origin(input.category_id, categories.size));
        if (categories.has(category.category_id)) throw new Error('the id is taken');
        categories.set(category.category_id, category);
        return category;
      }),
    updateCategory: async (id: string, change: Parameters<Client['updateCategory']>[1]) =>
      write(() => {
        categories.set(
          id,
          applyCategoryUpdate(categories.get(id) as CategoryRecord, change, '2026-10-02T00:00:00.000Z'),
        );
        return categories.get(id);
      }),
    etagOf: () => null,
  } as unknown as Client;
  return {
    client,
    articles,
    categories,
    writes: () => writes,
    fail(next: Fault | null) {
      fault = next;
      writes = 0;
    },
    refuse(rule: typeof refuses) {
      refuses = rule;
    },
  };
}

/** A folder for one test. */
export function kbFolder(): string {
  const folder = temporaryFolder();
  return join(folder, 'kb');
}

/** Pulls the content of a source into a folder as the command does; returns the outcomes of records that differed. */
export function pullSource(
  root: string,
  content: PublicContent,
  options: { readonly theirs?: boolean } = {},
) {
  const pulled = planSourcePull(root, 'source', content, toForm, options.theirs === true);
  guardSourceRemovals(pulled);
  applySourcePull(pulled);
  return {
    outcomes: pulled.records
      .filter(({ outcome }) => outcome !== 'same')
      .map(({ kind, id, outcome }) => `${kind} ${id} ${outcome}`),
    problems: pulled.problems,
  };
}

/** Everything public of a source, as it is pulled. */
export async function contentOf(source: Source, settings: Partial<PublicContentSettings> = {}) {
  return readPublicContent(source, {
    origins: { hosts: [], siteUrl: null, apiUrl: null },
    embedImages: false,
    files: null,
    concurrency: 2,
    ...settings,
  });
}
