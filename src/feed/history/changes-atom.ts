import { escapeHtml } from '../../core/html.ts';
import type { Output } from '../../output/output.ts';
import { fileAddress } from '../../site/plan/page-url.ts';
import type { Plan } from '../../site/plan/plan.ts';
import { plainLine } from '../llms/llms-sections.ts';
import { manifestPath, type ReadFeedFile } from '../read/feed-reader.ts';
import { findListed, listFiles, type Manifest, recordState } from '../read/manifest.ts';
import { isDocumentOf } from '../records/record-schemas.ts';
import { readListed } from './read-previous-feed.ts';
import type { FeedChanges } from './track-changes.ts';
import { changesPath, type FinishedHistory } from './write-history.ts';

export const atomPath = 'feed/changes.atom';

/** Feed readers ask often enough for so many; a program that needs every change follows the feed. */
const mostEntries = 100;

/** What an Atom entry says. */
interface AtomEntry {
  /** Permanent and unique among all feeds of the site. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly language: string | null;
  readonly kind: 'upsert' | 'delete' | 'all';
  readonly summary: string;
}

/**
 * Writes `feed/changes.atom` (RFC 4287): the last change of each document, newest runs first, at most 100. A run without a file of changes
 * has one entry for all documents. An entry is dropped when its document changes again, so that a title that was withdrawn does not stay.
 * Times are those of the content and not of the build, so that the same content makes the same file. Writes nothing if the site has no URL or
 * no article has a date.
 * @param read reads the feed that this one continues
 * @throws FEED_PREVIOUS_INVALID if the file of that feed is damaged
 */
export async function writeChangesAtom(
  plan: Plan,
  output: Output,
  { upserted, removed, forget }: FeedChanges & { readonly forget: readonly string[] },
  history: FinishedHistory,
  { previous, read }: { readonly previous: Manifest | null; readonly read: ReadFeedFile },
): Promise<void> {
  const newest = newestDate(plan);
  if (plan.siteUrl === null || newest === '') return;
  const isContinued = previous !== null && previous.run.feed_id === history.feedId;
  const listed = isContinued ? findListed(previous, atomPath) : null;
  const bytes = isContinued && listed !== null ? await readListed(read, previous, atomPath) : Buffer.of();
  const isForgotten = (id: string): boolean => forget.some((articleId) => isDocumentOf(id, articleId));
  const text = Buffer.from(bytes)
    .toString()
    .replace(/<entry>[\s\S]*?<\/entry>\n/g, (entry) => (isForgotten(documentOf(entry)) ? '' : entry));
  if (listed !== null && previous?.run.seq === history.seq) {
    await output.write(atomPath, text);
    return;
  }
  const earlier = text.match(/<entry>[\s\S]*?<\/entry>\n/g) ?? [];
  const before = /<updated>([^<]*)/.exec(text)?.[1] ?? '';
  // A run that only deletes has no date of its own.
  const [, time = newest] = [newest, before].sort();

  const manifestUrl = fileAddress(plan, manifestPath).url;
  const run = `${history.seq}-${recordState(listFiles(output.files(), history.bases)).slice(0, 12)}`;
  const isListed = history.bases.has(changesPath(history.seq));
  const changed: readonly AtomEntry[] = [
    ...upserted.map(({ id, url, language, articleId }) => ({
      ...{ id, url, language, kind: 'upsert' as const },
      title: plan.articles.get(articleId)?.pages.get(language)?.title ?? id,
      summary: 'New or changed.',
    })),
    ...removed.map(({ id, reason }) => ({
      ...{ id, url: '', language: null, kind: 'delete' as const, title: `Removed: ${id}` },
      summary: `Not published any more: ${reason}.`,
    })),
  ];
  const all: AtomEntry = {
    ...{ id: 'all', url: manifestUrl, language: null, kind: 'all' },
    title: `${plan.siteTitle}: read all documents`,
    summary: `Run ${history.seq} changed ${changed.length} documents and has no file of changes.`,
  };
  const entries = (isListed ? changed : [all]).map((entry) =>
    formatEntry({ ...entry, id: `${manifestUrl}#${run}-${entry.id}` }, time),
  );
  const ids = new Set(changed.map(({ id }) => id));
  const kept = isListed ? earlier.filter((entry) => !ids.has(documentOf(entry))) : [];
  const self = escapeHtml(fileAddress(plan, atomPath).url);
  const title = xmlText(plan.siteTitle);
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${self}</id>`,
    `<title>${title}</title>`,
    `<updated>${time}</updated>`,
    `<author><name>${title}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${self}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeHtml(fileAddress(plan, 'index.html').url)}"/>`,
  ].join('\n');
  const shown = [...entries, ...kept].slice(0, mostEntries).join('');
  await output.write(atomPath, `${head}\n${shown}</feed>\n`);
}

/** The newest date of a page; empty if none has one. */
function newestDate({ articles }: Plan): string {
  let newest = '';
  for (const article of articles.values())
    for (const { updatedAt } of article.pages.values()) {
      const date = updatedAt ?? article.updatedAt ?? '';
      if (date > newest) newest = date;
    }
  return newest;
}

function formatEntry({ id, title, url, language, kind, summary }: AtomEntry, time: string): string {
  const tag = language === null ? '' : ` hreflang="${escapeHtml(language)}"`;
  // A removed page has no page to lead to, and an entry without a link needs a content.
  const what =
    kind === 'delete'
      ? `<content type="text">${escapeHtml(summary)}</content>`
      : `<link rel="alternate"${tag} href="${escapeHtml(url)}"/>\n<summary>${escapeHtml(summary)}</summary>`;
  return [
    '<entry>',
    `<id>${escapeHtml(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<updated>${time}</updated>`,
    `<category term="${kind}"/>`,
    what,
    '</entry>\n',
  ].join('\n');
}

/** A text on one line, without characters that XML 1.0 forbids even escaped. */
function xmlText(text: string): string {
  return escapeHtml(
    plainLine(text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')),
  );
}

/** Id of the document of an entry that {@link formatEntry} wrote. */
function documentOf(entry: string): string {
  return /<id>[^<]*#\d+-[0-9a-f]{12}-([^<]*)<\/id>/.exec(entry)?.[1] ?? '';
}
