import type { Document } from '../../../src/content/document.ts';
import { transform } from '../../../src/content/transform.ts';
import type { Problem } from '../../../src/core/problems.ts';
import type { FeedOptions } from '../../../src/feed/finish-feed.ts';
import { feedUrl } from '../../../src/feed/guard/feed-url.ts';
import { renderMarkdown } from '../../../src/source/folder/render-markdown.ts';
import { settings as contentSettings } from '../../content/settings.ts';
import { buildFeed } from './add-document.ts';
import { type FeedOverrides, limitedSettings } from './feed-settings.ts';
import { createMemoryOutput, type MemoryOutput } from './memory-output.ts';
import { type SampleSite, samplePlan } from './sample-plan.ts';

const options: FeedOptions = {
  excluded: new Map(),
  generator: 'lectern test',
  builtAt: null,
  newFeedId: '0'.repeat(32),
};

/** The document of a body that was written in Markdown. */
export function documentOf(markdown: string): Document {
  return transform(renderMarkdown(markdown), contentSettings({ feedUrl: (url) => feedUrl(url, null) }));
}

/** Options of {@link buildSample}. */
export interface BuildOptions extends Partial<Omit<FeedOptions, 'previous'>> {
  readonly previous?: MemoryOutput | null;
  /** Another source of the previous feed. */
  readonly since?: FeedOptions['previous'];
  readonly settings?: FeedOverrides;
}

/** Builds the feed of a sample knowledge base, on top of an earlier output if there is one. */
export async function buildSample(site: SampleSite, options: BuildOptions = {}): Promise<MemoryOutput> {
  const output = createMemoryOutput(options.previous);
  await buildSampleInto(output, site, options);
  return output;
}

/** Builds the feed into an output; returns its problems. */
export async function buildSampleInto(
  output: MemoryOutput,
  site: SampleSite,
  { previous: _previous, since, settings = {}, ...more }: BuildOptions,
): Promise<readonly Problem[]> {
  const markdownOf = new Map(site.articles.map((article) => [article.id, article.pages]));
  return buildFeed({
    plan: samplePlan(site),
    settings: limitedSettings(settings),
    output,
    options: { ...options, ...more, ...(since === undefined ? {} : { previous: since }) },
    documentOf: (id, language) => documentOf(markdownOf.get(id)?.[language]?.markdown ?? ''),
  });
}
