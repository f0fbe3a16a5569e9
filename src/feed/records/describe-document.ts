import { type ChunkCut, chunkDocument } from '../chunks/chunk-document.ts';
import type { ChunkSettings } from '../chunks/chunk-settings.ts';
import { findSecrets, type Secret } from '../guard/find-secrets.ts';
import { flagInjections, type InjectionFlag } from '../guard/flag-injections.ts';
import type { FeedDocument } from '../guard/scrub-document.ts';
import type { CountTokens } from '../tokens/tokens.ts';
import { sha256 } from './record-ids.ts';

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
