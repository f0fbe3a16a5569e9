import { inParallel } from '../../core/concurrency.ts';
import { parseBaseUrl } from '../../core/net/base-url.ts';
import { createHttp, type Http } from '../../core/net/http.ts';
import { type Problem, problem } from '../../core/problems.ts';
import type { z } from '../../core/schema.ts';
import { idOfZendesk } from '../../core/zendesk-id.ts';
import { type AdapterReading, type ArticlesRead, type SourceAdapter, zendeskIdentity } from '../adapter.ts';
import {
  describeGone,
  excludeUnread,
  type ReadEntry,
  sortEntries,
  storeArticle,
} from '../articles/collect-articles.ts';
import { normaliseArticle } from '../normalise/article.ts';
import { type CategoryForest, readForest } from '../normalise/category.ts';
import type { FetchSettings } from '../source.ts';
import { readZendeskList } from './read-zendesk-list.ts';
import {
  readSegments,
  toArticleRecord,
  type ZendeskArticle,
  zendeskArticle,
  zendeskAttachment,
  zendeskCategory,
  zendeskSection,
  zendeskSlug,
  zendeskTranslation,
} from './to-record.ts';

const root = '/api/v2/help_center';

interface ZendeskSettings extends FetchSettings {
  /** Other origins of the help centre. */
  readonly hosts: readonly string[];
}

/**
 * The adapter of Zendesk Guide, written from its documentation. The key is `email/token:TOKEN`, or an OAuth token.
 * @throws CONFIG_INVALID, KEY_UNUSABLE (exit 2)
 */
export function openZendeskAdapter(settings: ZendeskSettings): SourceAdapter {
  const { network, defaultLanguage } = settings;
  const { origin } = parseBaseUrl(settings.baseUrl, settings.insecureLoopback);
  const http = createHttp({
    ...network,
    ...settings,
    baseUrl: origin,
    keyHeaders: (key) => ({
      authorization: key.includes('/token:')
        ? `Basic ${Buffer.from(key).toString('base64')}`
        : `Bearer ${key}`,
    }),
  });
  const list: ReadList = (path, key, isOfRecord = false) =>
    readZendeskList(http, root + path, key, network.maxArticles, isOfRecord);
  const origins = [origin, ...settings.hosts.map((host) => new URL(host).origin)];
  return {
    identity: zendeskIdentity(origin),
    readArticles: (reading) => readArticles(reading, { http, list, origins, network }),
    readCategories: () => readCategories(list, defaultLanguage, network.concurrency),
    close: () => http.close(),
  };
}

/** @param isOfRecord the list belongs to a record that may no longer exist */
type ReadList = (path: string, key: string, isOfRecord?: boolean) => Promise<readonly unknown[] | null>;

interface ZendeskAccess {
  readonly http: Http;
  readonly list: ReadList;
  readonly origins: readonly string[];
  readonly network: FetchSettings['network'];
}

/** Reads the list, and the languages and attachments of each article that is for everybody. */
async function readArticles(
  { store, settings }: AdapterReading,
  { http, list, origins, network }: ZendeskAccess,
): Promise<ArticlesRead> {
  const startMs = (settings.ports?.now ?? Date.now)();
  const records = (await list('/articles', 'articles')) ?? [];
  const problems: Problem[] = [];
  const listed = new Map<string, ZendeskArticle>();
  for (const record of records) {
    const parsed = zendeskArticle.safeParse(record);
    if (parsed.success) listed.set(idOfZendesk(parsed.data.id), parsed.data);
    else
      problems.push(
        problem('ID_INVALID', 'an article of the list has no valid id, or fields of the wrong type'),
      );
  }
  const read = new Map<string, ReadEntry>();
  let done = 0;
  // All of them in every run: a translation that becomes a draft may not show in the list.
  await inParallel(listed, network.concurrency, async ([id, article]) => {
    read.set(id, await readOne(article, id));
    done += 1;
    settings.onProgress?.({ kind: 'bodies', done, total: listed.size });
  });

  async function readOne(article: ZendeskArticle, id: string): Promise<ReadEntry> {
    const reason = readSegments(article);
    if (reason !== 'public') {
      const message = `user_segment_id of ${article.id} cannot be read`;
      const unknown =
        reason === 'restricted' ? [] : [problem('VISIBILITY_UNKNOWN', message, { articleId: id })];
      return excludeUnread(reason, ...unknown);
    }
    const texts = await list(`/articles/${article.id}/translations`, 'translations', true);
    if (texts === null) return excludeUnread('gone', describeGone(id, article.id));
    const attachments =
      (await list(`/articles/${article.id}/attachments/block`, 'article_attachments', true)) ?? [];
    const found: Problem[] = [];
    const report = (): void => {
      const message = `a translation or attachment of ${article.id} does not have the documented fields and was skipped`;
      found.push(problem('FIELD_INVALID', message, { articleId: id }));
    };
    const record = toArticleRecord(
      article,
      valid(zendeskTranslation, texts, report),
      valid(zendeskAttachment, attachments, report),
      origins,
    );
    const normalised = normaliseArticle(record, settings.defaultLanguage);
    const problems = [...found, ...normalised.problems];
    if (normalised.kind === 'public')
      return { kind: 'public', stored: storeArticle(store, { ...normalised, problems }, '') };
    return { ...normalised, problems };
  }

  return {
    listed: records.length,
    ...sortEntries(read, problems),
    mode: 'full',
    listedAtMs: startMs + http.clockOffsetMs(),
    fullReadAtMs: startMs,
    isListWithBodies: false,
    etag: null,
    singleReads: listed.size,
  };
}

/** Categories contain sections, and sections may contain sections. */
async function readCategories(
  list: ReadList,
  defaultLanguage: string,
  concurrency: number,
): Promise<CategoryForest> {
  const problems: Problem[] = [];
  const report = (): void => {
    problems.push(
      problem('ID_INVALID', 'a category, section or translation of one does not have the documented fields'),
    );
  };
  const nodes = [
    ...valid(zendeskCategory, (await list('/categories', 'categories')) ?? [], report).map((one) => ({
      ...one,
      id: `c${one.id}`,
      parent: null,
      path: `/categories/${one.id}/translations`,
    })),
    ...valid(zendeskSection, (await list('/sections', 'sections')) ?? [], report).map((one) => ({
      ...one,
      id: `s${one.id}`,
      parent: one.parent_section_id
        ? `s${one.parent_section_id}`
        : one.category_id
          ? `c${one.category_id}`
          : null,
      path: `/sections/${one.id}/translations`,
    })),
  ];
  const found = new Map<string, readonly unknown[]>();
  await inParallel(nodes, concurrency, async ({ id, path }) => {
    found.set(id, (await list(path, 'translations', true)) ?? []);
  });
  const records = nodes.map(({ id, parent, position, updated_at }) => ({
    category_id: id,
    parent_category_id: parent,
    sort_order: position ?? null,
    updated_at,
    multilingual: valid(zendeskTranslation, found.get(id) ?? [], report).map(
      ({ locale, title, body, draft, html_url }) => ({
        language_code: locale,
        title,
        slug: zendeskSlug(html_url ?? ''),
        description: body,
        // Only articles have drafts; sections have no such field.
        is_live: draft !== true,
      }),
    ),
  }));
  const forest = readForest(records, defaultLanguage);
  return { ...forest, problems: [...problems, ...forest.problems] };
}

/** Keeps records that match the documented schema; others are reported. */
function valid<T extends object>(
  schema: z.ZodType<T>,
  values: readonly unknown[],
  report: () => void,
): readonly T[] {
  return values.flatMap((value) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) report();
    return parsed.success ? [parsed.data] : [];
  });
}
