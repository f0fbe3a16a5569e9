import { createHiddenFinder } from '../site/links/hidden-records.ts';
import { createLinkResolver } from '../site/links/resolve-links.ts';
import { type RenderedPages, renderArticles } from './render-articles.ts';
import { chooseThreads, type RenderPool } from './render-pool.ts';
import { documentSettings, renderSettings } from './render-settings.ts';
import type { Run } from './run.ts';

/** Makes the article pages of a run, in threads if there are many. @param pool not started yet; it is stopped afterwards */
export async function renderPages(run: Run, pool: RenderPool): Promise<RenderedPages> {
  const { config, options, plan, parts, site, shared, source, media, staging } = run;
  const { settings, database, feed, anchors, shards, last, metadata } = run;
  const links = documentSettings(config, source);
  const hidden = createHiddenFinder(links);
  const rendered = await renderArticles({
    ...{ plan, parts, site, shared, settings, database, feed, media, anchors, pool, shards },
    output: staging,
    known: database,
    useMedia: (addresses) => media.publish(addresses, staging),
    isReusable: last !== null,
    isMetadataSame: last?.metadata === metadata,
    findUnchanged: staging.findUnchanged,
    readBodies: source.readBodies,
    resolverFor: createLinkResolver(plan, links),
    isHidden: (name) => hidden.nameIn(name) !== null,
    onStale(ids) {
      if (shards !== null) return;
      const bytes = (source.stats.bodyBytes * ids.length) / Math.max(1, plan.articles.size);
      const ofThreads = renderSettings(config, plan, site, links, staging.workspace());
      pool.start(ofThreads, options.threads ?? chooseThreads(bytes));
    },
    onArticles: (done) => options.onProgress?.({ kind: 'rendering', done, total: plan.articles.size }),
  });
  // The threads need as much memory as the rest of the build.
  await pool.stop();
  return rendered;
}
