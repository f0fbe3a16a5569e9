import { resolve } from 'node:path';
import type { ResolvedConfig } from '../config/schema.ts';
import { LecternError } from '../foundation/errors.ts';
import type { Problem } from '../foundation/problems.ts';
import type { Progress } from '../foundation/progress.ts';
import { fetchKnowledgeBase } from '../source/fetch-knowledge-base.ts';
import { openSnapshot } from '../source/open-snapshot.ts';
import type { Source } from '../source/source.ts';

/** Where a run's knowledge base comes from. */
export interface SourceOptions {
  /** `LECTERN_API_KEY`; not needed offline. */
  readonly apiKey: string | null;
  /** Folder relative paths of the configuration belong to. */
  readonly folder: string;
  /** Take the last snapshot, without the network. */
  readonly offline: boolean;
  /** Believe an empty or much smaller listing. */
  readonly allowMassDelete: boolean;
  /** Allow plain http to this machine. */
  readonly insecureLoopback: boolean;
  /** Name and version of the program: what another version read is read again. */
  readonly generator?: string;
  readonly onProgress?: (progress: Progress) => void;
  /** Told all problems known so far, whenever there are more: what a run that fails can still report. */
  readonly onProblems?: (problems: readonly Problem[]) => void;
}

/**
 * Reads the knowledge base over the network, or takes the last snapshot.
 * @throws BASE_URL_MISSING, API_KEY_MISSING (exit 2), and what `fetchKnowledgeBase` and `openSnapshot` throw
 */
export async function openSource(config: ResolvedConfig, options: SourceOptions): Promise<Source> {
  const snapshot = {
    cache: resolve(options.folder, config.cache),
    defaultLanguage: config.defaultLanguage,
    languages: config.languages ?? null,
  };
  if (options.offline) return openSnapshot({ ...snapshot, baseUrl: config.baseUrl ?? null });
  if (config.baseUrl === undefined) {
    throw new LecternError('BASE_URL_MISSING', 'the URL of the knowledge-base API is not set', {
      hint: 'pass --base-url, set LECTERN_BASE_URL, or write baseUrl into lectern.config.json',
      exitCode: 2,
    });
  }
  return fetchKnowledgeBase({
    ...snapshot,
    baseUrl: config.baseUrl,
    apiKey: options.apiKey ?? '',
    caFile: config.tls.ca === undefined ? null : resolve(options.folder, config.tls.ca),
    insecureLoopback: options.insecureLoopback,
    allowMassDelete: options.allowMassDelete,
    network: config.source,
    generator: options.generator ?? '',
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...(options.onProblems === undefined ? {} : { onProblems: options.onProblems }),
  });
}
