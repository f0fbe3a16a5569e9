import type { RenderedFile } from '../../../src/site/pages/assets.ts';
import type { Site } from '../../../src/site/pages/site.ts';

/** All files of a site except article pages and the search index. */
export async function* renderOthers(
  site: Pick<Site, 'paintPictures' | 'renderListings'>,
): AsyncGenerator<RenderedFile> {
  yield* site.paintPictures();
  for (const { render } of site.renderListings()) yield* render();
}
