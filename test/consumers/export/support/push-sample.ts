import { type PushSettings, pushFeed } from '../../../../src/consumers/export/push/push-feed.ts';
import { pushVendors } from '../../../../src/consumers/export/push/vendors.ts';
import { networkOf } from '../../../../src/core/config/source-settings.ts';
import { createHttp } from '../../../../src/core/net/http.ts';
import type { MemoryOutput } from '../../../feed/support/memory-output.ts';
import { siteOf } from './export-sample.ts';
import type { PushedTarget, VendorServer } from './vendor-servers.ts';

/** A run of `lectern export --push`: everything that it knows is in its cursor. Nothing waits; `waits` is how long it would. */
export async function pushSample(
  target: PushedTarget,
  server: VendorServer,
  build: MemoryOutput,
  changes: Partial<PushSettings> & { readonly cursor: string },
) {
  const vendor = pushVendors[target];
  if (vendor === undefined) throw new Error(`${target} has no API`);
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const report = await pushFeed(siteOf(build), {
    ...{ target, vendor, collection: 'help', languages: [] },
    ...{ generator: 'lectern test', allowMassDelete: true, strict: false, dryRun: false },
    environment: server.environment,
    connect: (settings) =>
      createHttp({
        ...networkOf(),
        ...{ ca: null, insecureLoopback: true, environment: {} },
        ports: { now: () => 0, sleep, random: () => 0 },
        ...settings,
      }),
    sleep,
    ...changes,
  });
  return { report, waits };
}
