import { type ChunkCut, chunkDocument } from './chunk-document.ts';
import type { ChunkSettings } from './chunk-settings.ts';
import { findSecrets, type Secret } from './find-secrets.ts';
import { flagInjections, type InjectionFlag } from './flag-injections.ts';
import { sha256 } from './record-ids.ts';
import type { FeedDocument } from './scrub-document.ts';
import type { CountTokens } from './tokens.ts';

/** What costs time to find out about a document. */
export interface DocumentDescription {
  /** SHA-256 of the title, a line feed and the Markdown: changes when, and only when, the content does. */
  readonly hash: string;
  /** Tokens of the Markdown. */
  readonly tokens: number;
  readonly chunks: readonly ChunkCut[];
  readonly flags: readonly InjectionFlag[];
  readonly secrets: readonly Secret[];
}

/** Describes one document. Pure. */
export function describeDocument(
  title: string,
  document: FeedDocument,
  settings: ChunkSettings,
  countTokens: CountTokens,
): DocumentDescription {
  const { markdown, text } = document;
  return {
    hash: contentHash(title, markdown),
    ...chunkDocument(document, settings, countTokens),
    flags: flagInjections(`${title}\n${text}`),
    secrets: findSecrets(`${title}\n${text}\n${markdown}`),
  };
}

/** The `hash` of a document record. */
export function contentHash(title: string, markdown: string): string {
  return sha256(`${title}\n${markdown}`);
}
