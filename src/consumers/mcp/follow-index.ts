import { type PublishedSite, synonymsPath } from '../../feed/read/feed-reader.ts';
import { findListed, type Manifest } from '../../feed/read/manifest.ts';
import { readFeedFile, readSynonymLine } from '../../feed/read/read-feed.ts';
import { linesOf } from '../../feed/records/json-lines.ts';
import type { AppliedDocument, AppliedRun, FeedCursor } from '../follow/feed-cursor.ts';
import type { ChangedDocument } from '../follow/feed-follower.ts';
import { followFeed } from '../follow/follow-feed.ts';
import type { IndexChanges, PassageIndex } from './passage-index.ts';

interface FollowIndexOptions {
  /** Largest loss of documents that is applied, in percent; `null`: no limit. */
  readonly maxDropPercent: number | null;
  /** Called after each batch of changed documents. May throw to stop. */
  readonly onProgress: (documents: number) => Promise<void>;
}

/** The run that an index has, with the time of its build; `null` if it is empty. */
export function readRun(index: Pick<PassageIndex, 'readValue'>): AppliedRun | null {
  const stored = index.readValue(runKey);
  return stored === null ? null : (JSON.parse(stored) as AppliedRun);
}

/** The default language of the help centre; `null` if the index is empty. */
export function readDefaultLanguage(index: Pick<PassageIndex, 'readValue'>): string | null {
  return index.readValue(defaultLanguageKey);
}

/** URL of the published site; `''` if the feed names none, `null` if the index is empty. */
export function readSiteUrl(index: Pick<PassageIndex, 'readValue'>): string | null {
  return index.readValue(siteUrlKey);
}

/**
 * Brings an index up to date with a published feed. All changes are one transaction, together with the cursor: what others see is the feed
 * before or after a run.
 * @returns `busy`: the feed is being uploaded, or another process is changing the index
 * @throws FEED_INVALID, FEED_UNREACHABLE, FEED_BEHIND, MASS_DELETE, what `onProgress` throws
 */
export async function followIntoIndex(
  site: PublishedSite,
  index: PassageIndex,
  { maxDropPercent, onProgress }: FollowIndexOptions,
): Promise<'current' | 'busy'> {
  const shown = index.readValue(runKey);
  let changes: IndexChanges | null = null;
  const change = (): IndexChanges => {
    if (changes !== null) return changes;
    changes = index.change();
    // Another process may have applied a run since this one asked for the manifest.
    if (changes === null || changes.readValue(runKey) !== shown) throw new IndexBusy();
    return changes;
  };
  let documents = 0;
  try {
    const follower = {
      async upsert(changed: readonly ChangedDocument[]) {
        for (const document of changed) await putDocument(change(), document);
        documents += changed.length;
        await onProgress(documents);
      },
      delete(gone: readonly { readonly id: string }[]) {
        for (const { id } of gone) change().removeDocument(id);
      },
    };
    const cursor = openCursor(index, change);
    const { status, manifest } = await followFeed(site, cursor, follower, {
      maxDropPercent,
      dropHint:
        'the feed of before still answers; if the loss is intended, start the server once with --allow-mass-delete',
    });
    if (status === 'busy') return 'busy';
    if (manifest !== null) {
      const facts = { [defaultLanguageKey]: manifest.site.default_language, [siteUrlKey]: manifest.site.url };
      for (const [key, value] of Object.entries(facts))
        if (value !== index.readValue(key)) change().writeValue(key, value);
    }
    // Without synonyms, search still finds most of what it finds with them. They are read again with the next manifest.
    if (manifest !== null && !(await followSynonyms(site, manifest, index, change)) && cursor.run !== null)
      cursor.finish({ ...cursor.run, etag: null });
    (changes as IndexChanges | null)?.commit();
    return 'current';
  } catch (error) {
    if (error instanceof IndexBusy) return 'busy';
    throw error;
  } finally {
    (changes as IndexChanges | null)?.rollback();
  }
}

/** Another process is changing the index. */
class IndexBusy extends Error {}

const runKey = 'run';
const defaultLanguageKey = 'default-language';
const siteUrlKey = 'site-url';
const synonymsKey = 'synonyms-file';
/** Prefix of the key of a document: its id follows. */
const appliedKey = 'applied ';

/** A cursor in the index. It starts to change the index, so that no other process does, before it says what documents there are. */
function openCursor(index: PassageIndex, change: () => IndexChanges): FeedCursor {
  let run = readRun(index);
  const find = (key: string): AppliedDocument | undefined => {
    const stored = change().readValue(key);
    return stored === null ? undefined : (JSON.parse(stored) as AppliedDocument);
  };
  return {
    get run() {
      return run;
    },
    find: (id) => find(appliedKey + id),
    *all() {
      for (const key of change().listKeys(appliedKey)) {
        const document = find(key);
        if (document !== undefined) yield document;
      }
    },
    save(documents) {
      for (const document of documents) {
        change().writeValue(appliedKey + document.id, JSON.stringify(document));
      }
    },
    remove(ids) {
      for (const id of ids) change().writeValue(appliedKey + id, null);
    },
    finish(next) {
      change().writeValue(runKey, JSON.stringify(next));
      run = next;
    },
  };
}

async function putDocument(
  changes: IndexChanges,
  { document, chunks, removedChunks }: ChangedDocument,
): Promise<void> {
  const { id, article_id, language, title, url, category, tags, description, markdown } = document;
  await changes.putDocument({
    ...{ id, articleId: article_id, language, title, url, markdown },
    categoryPath: category?.path ?? [],
    updatedAt: document.updated_at ?? '',
    flags: [...new Set((document.flags ?? []).map(({ rule }) => rule))].sort(),
    hints: [description ?? '', ...tags].join('\n'),
  });
  for (const chunk of removedChunks) changes.removePassage(chunk);
  for (const { chunk } of chunks) {
    const headingPath = chunk.heading_path ?? [];
    const lead = (chunk.repeats ?? []).map(([start, end]) => markdown.slice(start, end)).join('');
    await changes.putPassage({
      ...{ id: chunk.id, documentId: id, language, url: chunk.url, headingPath },
      ...{ start: chunk.start, end: chunk.end, lead, flags: chunk.flags ?? [] },
      heading: [title, ...headingPath].join(' '),
      // The words of a URL are not those of the passage.
      text: chunk.text.replaceAll(/\]\([^()\s]*\)/g, ']'),
    });
  }
}

/** Replaces the synonyms if their file changed. @returns `false` if it is damaged, or differs from the manifest */
async function followSynonyms(
  site: PublishedSite,
  manifest: Manifest,
  index: PassageIndex,
  change: () => IndexChanges,
): Promise<boolean> {
  const file = findListed(manifest, synonymsPath);
  const sha256 = file?.sha256 ?? '';
  if ((index.readValue(synonymsKey) ?? '') === sha256) return true;
  const bytes = file === null ? new Uint8Array() : await readFeedFile(site.read, file);
  const groups = bytes === null ? null : readGroups(bytes);
  if (groups === null) return false;
  change().setSynonyms(groups);
  change().writeValue(synonymsKey, sha256);
  return true;
}

/** The groups of a file; `null` if it is damaged. */
function readGroups(bytes: Uint8Array): readonly (readonly string[])[] | null {
  try {
    return [...linesOf(bytes)].map((line) => readSynonymLine(line, synonymsPath).words);
  } catch {
    return null;
  }
}
