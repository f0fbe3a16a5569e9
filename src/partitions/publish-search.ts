import { hash } from 'node:crypto';
import type { BuildRecord, FileGroup } from '../cache/records.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Output } from '../output/output.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { SearchPartition } from '../site/search/search-index.ts';
import type { Site } from '../site/site.ts';
import { reuseGroup } from './reuse.ts';

/**
 * Publishes the search index of every language; one whose runs are all the same is reused.
 * @param inputs hash of program, settings and templates
 * @returns what the next build may reuse
 */
export async function publishSearch(
  site: Pick<Site, 'renderSearchIndex'>,
  { bits }: Partitions,
  runs: ReadonlyMap<LanguageTag, readonly SearchPartition[]>,
  inputs: string,
  last: BuildRecord | null,
  output: Pick<Output, 'reuseAll' | 'write'>,
): Promise<Record<string, FileGroup>> {
  const groups: Record<string, FileGroup> = {};
  for (const [language, ofLanguage] of runs) {
    const described = ofLanguage.map(({ partition, hash: run }) => [partition, run]);
    const key = hash('sha256', JSON.stringify([inputs, bits, described]));
    const name = `search ${language}`;
    const { group } = await reuseGroup(last, name, key, output, async () => {
      const files = new Set<string>();
      for (const { path, content } of site.renderSearchIndex(language, ofLanguage, bits)) {
        if (!files.has(path)) await output.write(path, content);
        files.add(path);
      }
      return { files: [...files].map((path) => ({ path })), problems: [] };
    });
    if (group !== null) groups[name] = group;
  }
  return groups;
}
