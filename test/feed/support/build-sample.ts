import { feedSettings } from '../../../src/config/feed-settings.ts';
import type { Document } from '../../../src/content/document.ts';
import { transform } from '../../../src/content/transform.ts';
import { createFeed, type FeedOptions } from '../../../src/feed/feed.ts';
import type { FeedEntry, FeedEntryBytes } from '../../../src/feed/feed-entry.ts';
import { renderMarkdown } from '../../../src/folder/render-markdown.ts';
import type { z } from '../../../src/schema.ts';
import { settings as contentSettings } from '../../content/settings.ts';
import { addDocument, entryMaker } from './add-document.ts';
import { createMemoryOutput, type MemoryOutput } from './memory-output.ts';
import { type SampleSite, samplePlan } from './sample-plan.ts';

const options: FeedOptions = { excluded: new Map(), generator: 'lectern test', builtAt: null };

/** The document of a body that was written in Markdown to begin with. */
export function documentOf(markdown: string): Document {
  return transform(renderMarkdown(markdown), contentSettings());
}

/** How {@link buildSample} runs. */
export interface BuildOptions extends Partial<Omit<FeedOptions, 'previous'>> {
  readonly previous?: MemoryOutput | null;
  /** Where the previous feed is read from instead. */
  readonly since?: FeedOptions['previous'];
  readonly settings?: z.input<typeof feedSettings>;
  /** What happens to entries on their way into the feed. */
  readonly carry?: (entry: FeedEntry) => FeedEntryBytes;
}

/** Builds the feed of a made-up knowledge base, on top of an earlier output where there is one. */
export async function buildSample(
  site: SampleSite,
  { previous = null, since, settings = {}, carry, ...more }: BuildOptions = {},
): Promise<MemoryOutput> {
  const plan = samplePlan(site);
  const output = createMemoryOutput(previous);
  const resolved = feedSettings.parse(settings);
  const makeEntry = await entryMaker(plan, resolved);
  const feed = createFeed(plan, resolved, output, {
    ...options,
    ...more,
    ...(since === undefined ? {} : { previous: since }),
  });
  const markdownOf = new Map(site.articles.map((article) => [article.id, article.pages]));
  for (const article of plan.articles.values()) {
    for (const language of article.pages.keys()) {
      const markdown = markdownOf.get(article.id)?.[language]?.markdown ?? '';
      await addDocument(
        { feed, makeEntry, plan, output },
        { articleId: article.id, language },
        documentOf(markdown),
        carry,
      );
    }
  }
  await feed.finish();
  return output;
}
