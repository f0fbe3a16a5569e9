import type { ResolvedConfig } from '../config/schema.ts';
import { legacyFormats } from '../config/source-settings.ts';
import { fullTextOptions } from '../feed/feed-files.ts';
import { fullTextRoom } from '../feed/llms/full-text.ts';
import type { Workspace } from '../output/staging.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan } from '../plan/plan.ts';
import type { Site } from '../site/site.ts';
import type { Source } from '../source/source.ts';
import { type LinkTable, makeLinkTable } from './link-table.ts';
import type { DocumentSettings } from './make-documents.ts';
import type { PartitionSettings } from './make-partition.ts';

/** Settings of every thread that renders partitions. */
export function partitionSettings(
  config: ResolvedConfig,
  plan: Plan,
  { sliceBits }: Pick<Partitions, 'sliceBits'>,
  site: Pick<Site, 'theme'>,
  documents: Omit<DocumentSettings, 'links'>,
  workspace: Workspace,
): PartitionSettings {
  const { chunks, llmsFullChars } = config.feed;
  let links: LinkTable | null = null;
  return {
    ...documents,
    // A merge renders nothing, so it needs no table.
    get links() {
      links ??= makeLinkTable(plan);
      return links;
    },
    sliceBits,
    chunks,
    fullTextRooms: new Map(
      plan.languages.map((language) => [
        language.tag,
        fullTextRoom(fullTextOptions(plan, language, llmsFullChars)),
      ]),
    ),
    theme: site.theme,
    workspace,
    compress: config.output.compress,
  };
}

/** Settings for reading the bodies of a run. */
export function documentSettings(config: ResolvedConfig, source: Source): Omit<DocumentSettings, 'links'> {
  const { iframeHosts, classes, callouts, hosts } = config.content;
  return {
    hosts,
    excluded: source.knowledgeBase.excluded,
    hasZendeskUrls: legacyFormats(config.source).includes('zendesk'),
    policy: { iframeHosts, classes, callouts },
  };
}
