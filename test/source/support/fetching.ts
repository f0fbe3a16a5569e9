import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openApiAdapter } from '../../../src/source/api/api-adapter.ts';
import { readKnowledgeBase } from '../../../src/source/read-knowledge-base.ts';
import type { SnapshotSettings, Source } from '../../../src/source/source.ts';
import { type ApiSettings, type FetchOptions, fetchSettings } from './fetch-settings.ts';
import { type ServedKnowledgeBase, type ServerQuirks, serveKnowledgeBase } from './knowledge-base-server.ts';
import { type Handler, startServer, type TestServer } from './test-server.ts';

/** Reads a knowledge base through its API. */
export async function fetchKnowledgeBase(settings: ApiSettings): Promise<Source> {
  const adapter = openApiAdapter(settings);
  try {
    return await readKnowledgeBase(adapter, { ...settings, maxDropPercent: 20 });
  } finally {
    await adapter.close();
  }
}

export interface Fetching {
  readonly server: TestServer;
  readonly settings: ApiSettings & SnapshotSettings;
  /** Reads the current knowledge base, with changed settings if given. */
  fetch(options?: FetchOptions): Promise<Source>;
  /** Content of the server, which a test may change. */
  readonly served: ServedKnowledgeBase;
  /** Makes another handler respond from now on; `null` restores the knowledge base. */
  answerWith(handler: Handler | null): void;
}

/** A server with a knowledge base and settings to read it with, for one test. */
export async function startFetching(
  served: ServedKnowledgeBase,
  quirks: ServerQuirks = {},
  options: FetchOptions = {},
): Promise<Fetching> {
  const serve = serveKnowledgeBase(served, quirks);
  let handler: Handler | null = null;
  const server = await startServer((request, response) => (handler ?? serve)(request, response));
  onTestFinished(server.close);
  const settings = await fetchSettings(server, options);
  return {
    server,
    settings,
    served,
    answerWith: (next) => {
      handler = next;
    },
    async fetch(changes = {}) {
      const network = { ...settings.network, ...changes.network };
      const source = await fetchKnowledgeBase({ ...settings, ...changes, network });
      onTestFinished(() => source.close());
      return source;
    },
  };
}

/**
 * Every file of a folder with its text, to detect changes; but not the empty log and the shared memory of a database, which go when its last reader
 * ends.
 */
export async function readFolder(folder: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    if (name.endsWith('-shm')) continue;
    const text = await readFile(join(folder, name), 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && name.endsWith('-wal')) return '';
      throw error;
    });
    if (text !== '' || !name.endsWith('-wal')) files[name] = text;
  }
  return files;
}
