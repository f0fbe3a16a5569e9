import type { Document } from '../content/document.ts';
import { stripInvisible } from '../content/invisible.ts';
import { type ChunkCut, chunkDocument } from './chunk-document.ts';
import type { ChunkSettings } from './chunk-settings.ts';
import { findSecrets, type Secret } from './find-secrets.ts';
import { flagInjections, type InjectionFlag } from './flag-injections.ts';
import { sha256 } from './record-ids.ts';
import { scrubDocument } from './scrub-document.ts';
import type { CountTokens } from './tokens.ts';

/** What costs time to find out about a document. Plain data, so that a worker can send it and a cache can keep it. */
export interface DocumentDescription {
  /** SHA-256 of the title, a line feed and the Markdown: changes when, and only when, the content does. */
  readonly hash: string;
  /** Tokens of the Markdown. */
  readonly tokens: number;
  readonly chunks: readonly ChunkCut[];
  readonly flags: readonly InjectionFlag[];
  readonly secrets: readonly Secret[];
}

/** Describes one document. Pure: the same arguments give the same description, in whatever run, machine or worker. */
export function describeDocument(
  title: string,
  document: Document,
  settings: ChunkSettings,
  countTokens: CountTokens,
): DocumentDescription {
  const { markdown, text, headings } = scrubDocument(document);
  return {
    hash: contentHash(stripInvisible(title), markdown),
    ...chunkDocument(markdown, headings, settings, countTokens),
    flags: flagInjections(`${title}\n${text}`),
    secrets: findSecrets(`${title}\n${text}\n${markdown}`),
  };
}

/** The `hash` of a document record. */
export function contentHash(title: string, markdown: string): string {
  return sha256(`${title}\n${markdown}`);
}
