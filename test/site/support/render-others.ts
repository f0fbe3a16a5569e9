import type { RenderedFile } from '../../../src/site/pages/assets.ts';
import type { Site } from '../../../src/site/pages/site.ts';

/** All files of a site except article pages and the search index. */
export async function* renderOthers(
  site: Pick<Site, 'paintPictures' | 'renderListings' | 'renderRecent'>,
): AsyncGenerator<RenderedFile> {
  yield* site.paintPictures();
  yield* site.renderListings();
  for (const { render } of site.renderRecent()) yield* render();
}
