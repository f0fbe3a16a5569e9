import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import type { RunningService } from '../../src/service/start-service.ts';
import { type Answer, type Call, callService, makeDataIn, startOn } from '../service/support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The service under test and the way to call it. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly call: (path: string, call?: Call) => Promise<Answer>;
  /** Creates an article that is deleted when the tests are done; gives its record. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of a record
  readonly createArticle: (fields?: Readonly<Record<string, unknown>>) => Promise<any>;
}

/**
 * Takes the service named by LECTERN_CONTRACT_BASE_URL and LECTERN_CONTRACT_API_KEY (LECTERN_CONTRACT_CA: PEM file to
 * trust), else starts the embedded one on an empty database. The tests leave a few categories behind: the interface
 * cannot delete them.
 */
export function useTarget(): Target {
  const created: string[] = [];
  let service: Pick<RunningService, 'baseUrl' | 'ca' | 'apiKey'>;
  let stop = async () => {};
  beforeAll(async () => {
    const { LECTERN_CONTRACT_BASE_URL, LECTERN_CONTRACT_API_KEY, LECTERN_CONTRACT_CA } = process.env;
    if (LECTERN_CONTRACT_BASE_URL) {
      service = {
        baseUrl: LECTERN_CONTRACT_BASE_URL.replace(/\/+$/, ''),
        apiKey: LECTERN_CONTRACT_API_KEY ?? '',
        ca: LECTERN_CONTRACT_CA ? readFileSync(LECTERN_CONTRACT_CA, 'utf8') : null,
      };
      return;
    }
    const folder = temporaryFolder();
    const running = await startOn(folder, { data: await makeDataIn(folder) });
    service = running;
    stop = running.close;
  });
  const call = (path: string, options?: Call) => callService(service, path, options);
  afterAll(async () => {
    for (const id of created) await call(`/article/${id}`, { method: 'DELETE' });
    await stop();
  });
  return {
    get baseUrl() {
      return service.baseUrl;
    },
    get apiKey() {
      return service.apiKey;
    },
    call,
    createArticle: async (fields) => {
      const body = { title: 'Contract test', ...fields };
      const { article } = (await call('/article', { method: 'POST', body })).json;
      created.push(article.article_id);
      return article;
    },
  };
}
