import type { LanguageTag } from '../../foundation/model.ts';
import type { SnapshotHeader } from './format.ts';

export interface SnapshotOwner {
  /** `null` where it is not known. */
  readonly baseUrl: string | null;
  readonly defaultLanguage: LanguageTag;
}

/** Why a snapshot is not one of this knowledge base, in words that follow "the snapshot"; `null` when it is. */
export function whyForeign(
  header: SnapshotHeader,
  { baseUrl, defaultLanguage }: SnapshotOwner,
): string | null {
  if (baseUrl !== null && trim(header.baseUrl) !== trim(baseUrl)) return `is of ${header.baseUrl}`;
  if (header.defaultLanguage !== defaultLanguage) {
    return `was made with the default language ${header.defaultLanguage}`;
  }
  return null;
}

function trim(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, '');
}
