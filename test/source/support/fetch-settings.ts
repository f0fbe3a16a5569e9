import { networkOf } from '../../../src/core/config/source-settings.ts';
import type { FetchSettings, ReadSettings, SnapshotSettings } from '../../../src/source/source.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestServer } from './test-server.ts';

/** Settings of the adapter of the API, and of reading with it. */
export type ApiSettings = FetchSettings & Omit<ReadSettings, 'maxDropPercent'>;

export interface FetchOptions extends Partial<Omit<ApiSettings, 'network'>> {
  readonly network?: Partial<FetchSettings['network']>;
}

/** Settings that read a test server into a temporary cache and do not wait between attempts; they also open the resulting snapshot. */
export async function fetchSettings(
  server: TestServer,
  options: FetchOptions = {},
): Promise<ApiSettings & SnapshotSettings> {
  const cache = options.cache ?? temporaryFolder();
  return {
    baseUrl: server.baseUrl,
    identity: server.baseUrl,
    apiKey: 'secret-key-1',
    ca: [server.ca],
    insecureLoopback: false,
    allowMassDelete: false,
    cache,
    defaultLanguage: 'en',
    languages: null,
    generator: 'lectern 1.0.0',
    ports: { now: Date.now, sleep: async () => {}, random: () => 0 },
    ...options,
    network: { ...networkOf(), ...options.network },
  };
}
