import { hash } from 'node:crypto';
import { once } from '../../core/concurrency.ts';
import { LecternError } from '../../core/errors.ts';
import { escapeHtml } from '../../core/html.ts';
import type { ArticleBodies, KnowledgeBase, LanguageTag } from '../../core/model.ts';
import { countReasons } from '../../core/report.ts';
import { countLanguages } from '../guard-listing.ts';
import { assembleKnowledgeBase } from '../make-knowledge-base.ts';
import { fileOfLanguage } from '../problem-places.ts';
import type { ReadMode, SkippedTranslation, SnapshotSettings, Source, TextLocation } from '../source.ts';
import type { BodyReader } from './body-store.ts';
import { type SnapshotContent, sumBodyBytes } from './format.ts';
import { readSnapshot, type Snapshot, whyForeign } from './snapshot-file.ts';

/** A snapshot, whose bodies are closed together with the source. */
interface SourceInput extends Pick<Snapshot, 'header' | 'content' | 'bodies'> {
  readonly languages: readonly LanguageTag[] | null;
  readonly mode: ReadMode;
  readonly singleReads: number;
  /** Hash of the snapshot's content; `null` if the source has problems besides. */
  readonly contentHash: string | null;
  /** The time, in milliseconds since 1970: articles that have stopped being public since the snapshot are removed. */
  readonly nowMs: number;
}

/** Creates a source from a snapshot. */
export function createSource(input: SourceInput): Source {
  const { header, content, bodies, languages, mode, singleReads, contentHash, nowMs } = input;
  const { knowledgeBase, stored, hiddenTranslations, spell, topArticles, hiddenNames, problems } =
    assembleKnowledgeBase(content, header.defaultLanguage, languages, nowMs);
  const storedById = new Map(stored.map((each) => [each.article.id, each]));
  // Includes articles that are excluded because of their languages.
  const filesById = once(() => new Map(content.articles.map(({ article, files }) => [article.id, files])));
  const ended = listEnded(content, nowMs);

  async function readBodies(articleId: string): Promise<ArticleBodies> {
    const article = storedById.get(articleId);
    if (article === undefined) {
      throw new LecternError('ARTICLE_UNKNOWN', `the snapshot has no public article ${articleId}`, {
        hint: 'request public articles only',
      });
    }
    return new Map([...bodies.read(article.article)].map(([language, body]) => [spell(language), body]));
  }

  return {
    knowledgeBase,
    readBodies,
    findText: async (text) => findText(text, knowledgeBase, bodies),
    topArticles,
    hiddenNames,
    fileOf: (articleId, language) => {
      const files = filesById().get(articleId);
      return files === undefined
        ? (content.excludedFiles.get(articleId) ?? null)
        : fileOfLanguage(files, language);
    },
    unpublishAtOf: (articleId) => storedById.get(articleId)?.unpublishAt ?? {},
    listSkippedTranslations: () => listSkippedTranslations(content, knowledgeBase, spell),
    problems,
    stats: {
      mode,
      listed: header.listed,
      unread: header.unread ?? {},
      published: knowledgeBase.articles.length,
      excluded: countReasons(knowledgeBase.excluded),
      hiddenTranslations,
      categories: knowledgeBase.categories.length,
      languages: Object.fromEntries(countLanguages(knowledgeBase.articles)),
      bodyBytes: sumBodyBytes(content.articles),
      singleReads,
    },
    snapshot: ended.length === 0 ? contentHash : hash('sha256', [contentHash, ...ended].join(' ')),
    close: async () => bodies.close(),
  };
}

/** The translations that have stopped being public since the snapshot was read. */
function listEnded({ articles }: SnapshotContent, nowMs: number): readonly string[] {
  return articles.flatMap(({ article: { id }, unpublishAt = {} }) =>
    Object.entries(unpublishAt).flatMap(([language, end]) => (Date.parse(end) > nowMs ? [] : [id, language])),
  );
}

function listSkippedTranslations(
  { articles }: SnapshotContent,
  { articles: published }: KnowledgeBase,
  spell: (tag: LanguageTag) => LanguageTag,
): readonly SkippedTranslation[] {
  // Both lists are sorted by id.
  let next = 0;
  return articles.flatMap(({ article: { id: articleId, translations }, hidden }) => {
    const kept = published[next];
    if (kept?.id !== articleId) return [];
    next += 1;
    const languages = new Set(kept.translations.map(({ language }) => language));
    const others = translations.map(({ language }) => spell(language)).filter((tag) => !languages.has(tag));
    return [
      ...hidden.map((language) => ({ articleId, language: spell(language), reason: 'hidden' as const })),
      ...others.map((language) => ({ articleId, language, reason: 'other-language' as const })),
    ].sort((a, b) => (a.language < b.language ? -1 : 1));
  });
}

/**
 * Opens the last snapshot, without the network.
 * @throws SNAPSHOT_MISSING, SNAPSHOT_UNUSABLE, LOCKED
 */
export async function openSnapshot(settings: SnapshotSettings): Promise<Source> {
  const snapshot = await readSnapshot(settings.cache);
  if ('state' in snapshot) {
    const code = snapshot.state === 'missing' ? 'SNAPSHOT_MISSING' : 'SNAPSHOT_UNUSABLE';
    throw refuse(code, `the snapshot in ${settings.cache} ${snapshot.why}`);
  }
  const why = whyForeign(snapshot.header, settings);
  if (why !== null) {
    snapshot.bodies.close();
    throw refuse('SNAPSHOT_UNUSABLE', `the snapshot in ${settings.cache} ${why}`);
  }
  const { languages } = settings;
  return createSource({ ...snapshot, languages, mode: 'offline', singleReads: 0, nowMs: Date.now() });
}

function refuse(code: string, message: string): LecternError {
  return new LecternError(code, message, {
    hint: 'run lectern build without --offline to create a new snapshot',
  });
}

/** Finds a text in the published content of a knowledge base: in metadata, and in bodies also HTML-escaped. */
function findText(
  text: string,
  { articles, categories }: KnowledgeBase,
  bodies: Pick<BodyReader, 'find'>,
): readonly TextLocation[] {
  const forms = [text, escapeHtml(text)] as const;
  const holds = (candidate: string | null): boolean => forms.some((form) => candidate?.includes(form));
  const inBodies = bodies.find(...forms);
  const found: TextLocation[] = [];
  for (const { id, tags, translations } of articles) {
    for (const { language, title, slug, description, bodyHash } of translations) {
      if (inBodies.has(bodyHash) || [title, slug, description, ...tags].some(holds))
        found.push({ record: id, language });
    }
  }
  for (const { id, translations } of categories) {
    for (const { language, title, slug, description } of translations) {
      if ([title, slug, description].some(holds)) found.push({ record: `category ${id}`, language });
    }
  }
  return found;
}
