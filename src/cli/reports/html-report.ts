import { existsSync } from 'node:fs';
import { join } from 'node:path';
// eta fills the templates of the site, of jobs, and of this page.
import { Eta } from 'eta/core';
import { readTextFile } from '../../core/file-system.ts';
import { getOrMake, groupBy } from '../../core/group-by.ts';
import type { ReportedProblem, RunReport } from '../../core/report.ts';
import { readFileIn } from '../../core/user-folder.ts';
import { changesPath, type Manifest } from '../../feed/read/manifest.ts';
import { parseManifest } from '../../feed/read/read-feed.ts';
import { linesOf } from '../../feed/records/json-lines.ts';
import type { DocumentRecord } from '../../feed/records/record-schemas.ts';
import { builtInTemplates } from '../../site/pages/template-files.ts';
import { describePlace } from '../describe-place.ts';
import { changedPages, formatSize, groupByCode, skippedByBuild } from '../format-report.ts';

/** What readers did, as far as the source counts it, most frequent first. */
export interface ReaderNumbers {
  readonly articles: readonly { readonly title: string; readonly count: number }[];
  readonly searches: readonly { readonly query: string; readonly language: string; readonly count: number }[];
}

type ListedDocument = Pick<
  DocumentRecord,
  'article_id' | 'language' | 'title' | 'url' | 'category' | 'body_hash' | 'translation' | 'updated_at'
>;

/** A page of a list, with a link. */
interface PageLink {
  readonly title: string;
  readonly url: string;
}

/** The translations of a category into a language: how many there are, and which need work. */
interface MatrixCell {
  readonly translated: number;
  /** Translations whose original was edited since. */
  readonly outdated: readonly PageLink[];
  /** Articles without the language; the links lead to the original. */
  readonly missing: readonly PageLink[];
}

interface MatrixRow {
  readonly category: string;
  readonly total: number;
  readonly cells: readonly MatrixCell[];
}

/**
 * The report of a run as one page for people: translations, problems by kind, changes, sizes, and what readers did. It loads nothing and runs
 * no script.
 * @param published whether `report.out` has the site of this run, from whose feed the page takes titles and languages
 */
export function formatHtmlReport(
  report: RunReport,
  published: boolean,
  numbers: ReaderNumbers | null = null,
): string {
  const out = report.out ?? '';
  const isThere = published && existsSync(join(out, 'feed/manifest.json'));
  const manifest = isThere ? parseManifest(readFileIn(out, 'feed/manifest.json')) : null;
  const languages = manifest?.languages.map(({ language }) => language) ?? [];
  const documents = languages
    .flatMap((language) => readLines(out, `feed/${language}/documents.jsonl`))
    .map(listDocument);
  const eta = new Eta({ autoEscape: true });
  return eta.renderString(readTextFile(join(builtInTemplates, 'ci', 'report.eta')), {
    title: manifest?.site.title ?? 'Build report',
    url: manifest?.site.url ?? null,
    builtAt: manifest?.run.built_at?.replace(/T(.{5}).*/, ' $1 UTC') ?? null,
    error: report.error,
    languages,
    rows: manifest === null || languages.length < 2 ? [] : makeMatrix(documents, manifest),
    kinds: groupProblems(report.problems, documents, manifest),
    skipped: report.error === null ? skippedByBuild(report) : [],
    changed: report.error === null ? changedPages(report) : null,
    changes: manifest === null ? [] : readChanges(out, manifest, report),
    sizes: report.error === null ? describeSizes(report, manifest) : [],
    numbers,
    shown: maxListed,
  });
}

/** Entries of a list on the page. Longer ones make it heavy, and the JSON report has all. */
const maxListed = 100;

function groupProblems(
  problems: readonly ReportedProblem[],
  documents: readonly ListedDocument[],
  manifest: Manifest | null,
) {
  const urls = new Map(documents.map(({ article_id, language, url }) => [`${article_id} ${language}`, url]));
  const pageOf = ({ articleId, language }: ReportedProblem): string | null =>
    urls.get(`${articleId} ${language ?? manifest?.site.default_language}`) ?? null;
  return groupByCode(problems).map(([code, all]) => ({
    code,
    severity: all[0]?.severity ?? 'info',
    hint: all[0]?.hint ?? '',
    count: all.length,
    places: all.slice(0, maxListed).map((problem) => ({
      place: describePlace({ ...problem, address: null }),
      address: problem.address ?? pageOf(problem),
      language: problem.language,
      message: problem.message,
    })),
  }));
}

/** What the page needs of a line of `documents.jsonl`, without the text. */
function listDocument(line: unknown): ListedDocument {
  const { markdown: _, ...listed } = line as DocumentRecord;
  return listed;
}

function readLines(out: string, path: string): readonly unknown[] {
  return Array.from(linesOf(readFileIn(out, path)), (line) => JSON.parse(line));
}

/** Categories × languages. */
function makeMatrix(documents: readonly ListedDocument[], manifest: Manifest): readonly MatrixRow[] {
  const languages = manifest.languages.map(({ language }) => language);
  const articles = new Map<string, Map<string, ListedDocument>>();
  // A category may have a title in some languages only.
  const names = new Map<string, string>();
  for (const document of documents) {
    getOrMake(articles, document.article_id, () => new Map()).set(document.language, document);
    const { id, path } = document.category ?? { id: '', path: [] };
    if (path.length > 0 && !names.has(id)) names.set(id, path.join(' › '));
  }
  const groups = groupBy(articles.values(), (article) => {
    const id = originalOf(article, manifest)?.category?.id;
    return (id === undefined ? undefined : names.get(id)) ?? id ?? 'No category';
  });
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, all]) => ({
      category,
      total: all.length,
      cells: languages.map((language) => makeCell(all, language, manifest)),
    }));
}

function originalOf(
  article: ReadonlyMap<string, ListedDocument>,
  { site }: Manifest,
): ListedDocument | undefined {
  return article.get(site.default_language) ?? [...article.values()][0];
}

function makeCell(
  articles: readonly ReadonlyMap<string, ListedDocument>[],
  language: string,
  manifest: Manifest,
): MatrixCell {
  const outdated: PageLink[] = [];
  const missing: PageLink[] = [];
  for (const article of articles) {
    const original = originalOf(article, manifest);
    const document = article.get(language);
    if (document === undefined) missing.push({ title: original?.title ?? '', url: original?.url ?? '' });
    else {
      const { title, url } = document;
      if (original !== undefined && isOutdated(document, original)) outdated.push({ title, url });
    }
  }
  return { translated: articles.length - missing.length, outdated, missing };
}

/** Whether the original was edited after its translation, by what the feed saw, or else by the dates of both. */
function isOutdated(document: ListedDocument, original: ListedDocument): boolean {
  const seen = document.translation?.source_body_hash;
  if (seen !== undefined) return seen !== original.body_hash;
  const [then, now] = [document.updated_at, original.updated_at];
  return then !== undefined && now !== undefined && then < now;
}

/** Pages that this run added or changed, and ids of those that it removed; none if nothing changed, or this is the first run. */
function readChanges(out: string, manifest: Manifest, report: RunReport) {
  const path = changesPath(manifest.run.seq);
  if (report.error !== null || report.changes === 0 || !existsSync(join(out, path))) return [];
  return readLines(out, path).map((line) => {
    const change = line as
      | { readonly op: 'upsert'; readonly document: ListedDocument }
      | { readonly op: 'delete'; readonly id: string; readonly reason: string };
    return change.op === 'upsert'
      ? { title: `${change.document.title} (${change.document.language})`, url: change.document.url }
      : { title: `${change.id}: ${change.reason}`, url: null };
  });
}

function describeSizes(report: Extract<RunReport, { readonly error: null }>, manifest: Manifest | null) {
  const feed = manifest?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  return [
    ['Articles', report.articles.toLocaleString('en')],
    ['Pages', report.pages.toLocaleString('en')],
    ['Files', report.files.toLocaleString('en')],
    ['Site and feed', formatSize(report.bytes)],
    ['Feed alone', formatSize(feed)],
  ];
}
