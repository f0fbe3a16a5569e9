import type { FileHandle } from 'node:fs/promises';
import { LecternError } from '../foundation/errors.ts';
import type { ArticleBodies, ExclusionReason, LanguageTag } from '../foundation/model.ts';
import { assembleKnowledgeBase } from './assemble.ts';
import { countLanguages } from './count-languages.ts';
import { findText } from './find-text.ts';
import type { SnapshotContent, SnapshotHeader } from './snapshot/format.ts';
import { readStoredBodies } from './snapshot/read-bodies.ts';
import type { ReadMode, Source } from './source.ts';

export interface SourceInput {
  readonly header: SnapshotHeader;
  readonly content: SnapshotContent;
  /** Closed with the source. */
  readonly bodies: FileHandle;
  readonly languages: readonly LanguageTag[] | null;
  readonly mode: ReadMode;
  readonly singleReads: number;
  /** Checksum of the snapshot, `null` while it is not written. */
  readonly sha256: string | null;
}

/** Makes a source of a snapshot, whether it was just written or is an older one. */
export function createSource(input: SourceInput): Source {
  const { header, content, bodies, languages, mode, singleReads, sha256 } = input;
  const { knowledgeBase, stored, spell, topArticles, problems } = assembleKnowledgeBase(
    content,
    header.defaultLanguage,
    languages,
  );
  const excluded: Partial<Record<ExclusionReason, number>> = {};
  for (const reason of knowledgeBase.excluded.values()) excluded[reason] = (excluded[reason] ?? 0) + 1;

  async function readBodies(articleId: string): Promise<ArticleBodies> {
    const article = stored.get(articleId);
    if (article === undefined) {
      throw new LecternError('ARTICLE_UNKNOWN', `the snapshot holds no public article ${articleId}`, {
        hint: 'ask only for articles of the knowledge base',
      });
    }
    const read = await readStoredBodies(bodies, article);
    return new Map([...read].map(([language, body]) => [spell(language), body]));
  }

  return {
    knowledgeBase,
    readBodies,
    findText: (text) => findText(text, knowledgeBase, bodies, readBodies),
    topArticles,
    problems,
    stats: {
      mode,
      listed: header.listed,
      published: knowledgeBase.articles.length,
      excluded,
      categories: knowledgeBase.categories.length,
      languages: Object.fromEntries(countLanguages(knowledgeBase.articles)),
      bodyBytes: header.bodiesBytes,
      singleReads,
    },
    snapshot: sha256,
    close: () => bodies.close(),
  };
}
