import type { AdapterReading, SourceAdapter } from './adapter.ts';
import { readArticles } from './articles/read-articles.ts';
import { parseBaseUrl } from './base-url.ts';
import { createHttp } from './http.ts';
import { isArticleId } from './normalise/article.ts';
import { readCategories } from './read-categories.ts';
import { readKnowledgeBase } from './read-knowledge-base.ts';
import { readTopArticles } from './read-top-articles.ts';
import type { FetchSettings, Source } from './source.ts';
import { trustedCertificates } from './trusted-certificates.ts';

/**
 * Reads a knowledge base through its API into a new snapshot.
 * @throws what `Http.request` and `readKnowledgeBase` throw; LISTING_MAY_BE_CAPPED, LISTING_UNSTABLE; and for wrong settings
 *   (exit 2) BASE_URL_INVALID, INSECURE_URL, API_KEY_MISSING, API_KEY_INVALID, CA_UNREADABLE, LANGUAGE_UNUSABLE
 */
export async function fetchKnowledgeBase(settings: FetchSettings): Promise<Source> {
  const adapter = await openApiAdapter(settings);
  try {
    const { maxDropPercent } = settings.network;
    return await readKnowledgeBase(adapter, { ...settings, maxDropPercent });
  } finally {
    await adapter.close();
  }
}

/**
 * The adapter of the HTTP API in docs/service.md, whose ids are ours.
 * @throws as {@link fetchKnowledgeBase} does for wrong settings
 */
export async function openApiAdapter(settings: FetchSettings): Promise<SourceAdapter> {
  const { apiKey, insecureLoopback, network, ports, defaultLanguage } = settings;
  const { concurrency } = network;
  const baseUrl = parseBaseUrl(settings.baseUrl, insecureLoopback).href;
  const ca = await trustedCertificates(settings.caFile);
  const http = createHttp({ ...network, baseUrl, apiKey, ca, insecureLoopback, ...(ports ? { ports } : {}) });
  const toOwnId = (id: string): string | null => (isArticleId(id) ? id : null);
  return {
    identity: baseUrl,
    readArticles: (reading: AdapterReading) =>
      readArticles({ ...reading, http, settings: { ...reading.settings, network } }),
    readCategories: (used) => readCategories(http, { defaultLanguage, used, concurrency }),
    readTopArticles: (languages, isPublic) => readTopArticles(http, languages, isPublic, concurrency),
    toArticleId: toOwnId,
    toSourceId: toOwnId,
    close: () => http.close(),
  };
}
