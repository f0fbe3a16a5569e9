import type { Document } from '../../content/document.ts';
import { listsHost, parseUrl } from '../../core/addresses.ts';
import { countOf } from '../../core/count-of.ts';
import { countEach, getOrMake } from '../../core/group-by.ts';
import { type Problem, problem } from '../../core/problems.ts';

/** Other hosts from which a page loads images, with the number of images. */
export type ImageHosts = readonly (readonly [host: string, images: number])[];

/** Counts the images of a page that are on other hosts. Pure. */
export function countImageHosts({ images }: Pick<Document, 'images'>): ImageHosts {
  const hosts = images.flatMap(({ src }) => (/^https?:/i.test(src) ? (parseUrl(src)?.host ?? []) : []));
  return [...countEach(hosts)];
}

/** Counts the image hosts of all pages. */
export interface HostTally {
  /** Records the pages of articles; each article only once. */
  notePages(pages: Iterable<{ readonly articleId: string; readonly imageHosts: ImageHosts }>): void;
  /** One problem per host that images are loaded from. */
  problems(): readonly Problem[];
}

/**
 * @param hosts hosts that files are copied from; files that could not be copied are reported elsewhere
 * @param isReported `false`: nothing is copied on purpose
 * @param ownHost of the site, or `null`
 */
export function createHostTally(
  hosts: ReadonlySet<string>,
  isReported: boolean,
  ownHost: string | null,
): HostTally {
  const left = new Map<string, { images: number; articles: number }>();
  return {
    notePages(pages) {
      let noted = new Set<string>();
      let article = '';
      for (const { articleId, imageHosts } of pages) {
        if (articleId !== article) noted = new Set();
        article = articleId;
        for (const [host, images] of imageHosts) {
          if (host === ownHost || listsHost(hosts, new URL(`https://${host}`))) continue;
          const counts = getOrMake(left, host, () => ({ images: 0, articles: 0 }));
          counts.images += images;
          if (!noted.has(host)) counts.articles += 1;
          noted.add(host);
        }
      }
    },
    problems() {
      if (!isReported) return [];
      return [...left].map(([host, { images, articles }]) =>
        problem(
          'IMAGES_ELSEWHERE',
          `${countOf(images, 'image')} in ${countOf(articles, 'article')} ${images === 1 ? 'stays' : 'stay'} on ${host}: "media": { "hosts": ["${host}"] } copies ${images === 1 ? 'it' : 'them'}`,
        ),
      );
    },
  };
}
