import type { ResolvedConfig } from '../config/schema.ts';
import { legacyFormats } from '../config/source-settings.ts';
import type { Workspace } from '../output/staging.ts';
import type { Plan } from '../plan/plan.ts';
import type { Site } from '../site/site.ts';
import type { Source } from '../source/source.ts';
import { linkTargetsOf } from './link-targets.ts';
import type { DocumentSettings } from './make-documents.ts';
import type { RenderSettings } from './render-article.ts';

/** Settings of every thread that renders articles. */
export function renderSettings(
  config: ResolvedConfig,
  plan: Plan,
  site: Pick<Site, 'theme'>,
  documents: Omit<DocumentSettings, 'links'>,
  workspace: Workspace,
): RenderSettings {
  const { chunks } = config.feed;
  return {
    ...documents,
    links: linkTargetsOf(plan),
    chunks,
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
    siteUrl: config.siteUrl ?? null,
    apiUrl: config.baseUrl ?? null,
    excluded: source.knowledgeBase.excluded,
    hasZendeskUrls: legacyFormats(config.source).includes('zendesk'),
    policy: { iframeHosts, classes, callouts },
    allowSecrets: config.feed.allowSecrets,
  };
}
