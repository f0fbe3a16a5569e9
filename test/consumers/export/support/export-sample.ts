import { join } from 'node:path';
import { joinEntries } from '../../../../src/consumers/export/batches.ts';
import {
  type ExportReport,
  type ExportSettings,
  exportFeed,
} from '../../../../src/consumers/export/export-feed.ts';
import {
  type PushReport,
  type PushSettings,
  pushFeed,
} from '../../../../src/consumers/export/push/push-feed.ts';
import type { PushVendor } from '../../../../src/consumers/export/push/vendor.ts';
import type { TargetName } from '../../../../src/consumers/export/target.ts';
import { targets } from '../../../../src/consumers/export/targets.ts';
import type { PublishedSite } from '../../../../src/feed/read/feed-reader.ts';
import { type MemoryOutput, readerOf } from '../../../feed/support/memory-output.ts';
import { readTree } from '../../../support/read-tree.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { ExportFiles } from './platforms.ts';

/** A site built in memory, as if it were published. */
export function siteOf(output: MemoryOutput): PublishedSite {
  return { read: readerOf(output), close: async () => {} };
}

/** A folder for exports, until the test ends, or the tests of the file. */
export function openExports() {
  const folder = temporaryFolder();
  const settingsFor = (target: TargetName): ExportSettings => ({
    target,
    out: join(folder, target),
    collection: 'help',
    languages: [],
    strict: false,
  });
  return {
    folder,
    /** Exports the site. */
    async run(
      target: TargetName,
      output: MemoryOutput,
      changes: Partial<ExportSettings> = {},
    ): Promise<{ readonly report: ExportReport; readonly files: ExportFiles }> {
      const settings = { ...settingsFor(target), ...changes };
      const report = await exportFeed(siteOf(output), settings);
      const tree = await readTree(settings.out);
      return { report, files: new Map([...tree].map(([path, bytes]) => [path, bytes.toString()])) };
    },
    /** Pushes the site to a platform that takes everything. @returns what it got, by path: updates and the ids of deletes are lines */
    async push(
      target: TargetName,
      output: MemoryOutput,
      changes: Partial<PushSettings> & Pick<PushSettings, 'cursor'>,
    ): Promise<{ readonly report: PushReport; readonly files: ExportFiles }> {
      const files = new Map<string, string>();
      const format = targets[target].format('help');
      const note = (kind: string, text: string) => {
        // A push sends several batches.
        const number = [...files.keys()].filter((path) => path.startsWith(kind)).length + 1;
        files.set(`${kind}/${String(number).padStart(5, '0')}.${format.extension}`, text);
        return [];
      };
      const vendor: PushVendor = {
        variables: [],
        open: () => ({
          destination: 'a test',
          async prepare() {
            for (const [path, content] of targets[target].definitions?.('help') ?? [])
              files.set(path, content);
          },
          async upsert(items) {
            for (const [path, content] of items.flatMap((item) => item.files ?? [])) files.set(path, content);
            return note('upserts', joinEntries(format, items));
          },
          update: async (items) => note('updates', items.map(({ entry }) => `${entry.trim()}\n`).join('')),
          delete: async (items) => note('deletes', items.map(({ id }) => `${id}\n`).join('')),
          close: async () => {},
        }),
      };
      const { out: _, ...settings } = settingsFor(target);
      const report = await pushFeed(siteOf(output), {
        ...{ ...settings, vendor, generator: 'lectern test', allowMassDelete: false, dryRun: false },
        environment: {},
        connect: () => {
          throw new Error('not used');
        },
        sleep: async () => {},
        ...changes,
      });
      return { report, files };
    },
  };
}
