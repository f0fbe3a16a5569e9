import { join } from 'node:path';
import { folderPath } from '../../core/addresses.ts';
import { createLimiter } from '../../core/concurrency.ts';
import { getOrMake } from '../../core/group-by.ts';
import { type Problem, type ProblemLocation, problem } from '../../core/problems.ts';
import type { Output } from '../../output/output.ts';
import { fileAddress, type SiteRoot } from '../plan/page-url.ts';
import { cleanSvg } from './clean-svg.ts';
import { type DescribedFile, describeAttachment, describeImage, isSvg } from './describe-file.ts';
import { createMediaStore, type DownloadSettings, openDownloads } from './downloads.ts';
import { createHostTally, type HostTally } from './image-hosts.ts';
import {
  type MediaRequest,
  type MediaRules,
  type MediaTable,
  mediaKey,
  type PublishedMedia,
  requestMedia,
} from './media-table.ts';

/** Copies the images and files of the help centre to the help site. */
export interface Media {
  /**
   * Downloads what the bodies of an article may show or link to; the content stage uses the table. `null`: they need no files as long as
   * bodies and settings do not change.
   */
  prepare(bodies: Iterable<string>): Promise<PreparedMedia | null>;
  /** Downloads the same files as when the article was prepared. */
  repeat(request: MediaRequest): Promise<MediaTable>;
  /** Writes the files that a published page uses (of its {@link mediaAddresses}), each once. */
  publish(addresses: readonly string[], output: Pick<Output, 'write'>): Promise<UsedMedia>;
  /** Reuses copies of the previous output; `false`, and reuses none, if one has changed. */
  reuse(paths: readonly string[], output: Pick<Output, 'reuseAll'>): Promise<boolean>;
  /** Records the image hosts of published pages; call it once per article. */
  readonly notePages: HostTally['notePages'];
  /** Reports that a page uses a file that could not be copied. */
  reportFailed(address: string, location: ProblemLocation): void;
  /** Requests all files of the last run; `false` if one has changed. */
  isUnchanged(): Promise<boolean>;
  /** Saves the index of downloads for the next run, and deletes copies that no page uses. */
  finish(): Promise<MediaSummary>;
}

/** Copied media of one article. */
interface PreparedMedia {
  readonly table: MediaTable;
  /** Its media on other servers; only a request shows whether they changed. */
  readonly request: MediaRequest;
}

/** Media used by a page. */
interface UsedMedia {
  /** Paths of copies. */
  readonly files: readonly string[];
  /** URLs that could not be copied. */
  readonly failed: readonly string[];
}

/** Summary of the copied media. */
interface MediaSummary {
  /** Media that could not be copied, and hosts that should be in `media.hosts`. */
  readonly problems: readonly Problem[];
  /** Whether files came from other servers: then only requests show whether they changed. */
  readonly hasDownloads: boolean;
}

interface MediaOptions extends Pick<DownloadSettings, 'fetcher' | 'concurrency' | 'maxFiles'> {
  readonly root: SiteRoot;
  readonly rules: MediaRules;
  /** Whether hosts that images stay on are reported. */
  readonly reportsHosts: boolean;
  /** Folder of the copies and their index. */
  readonly cache: string;
}

type Describe = (bytes: Uint8Array, sha256: string, address: string) => DescribedFile;

/** A copy that waits for a page to use it. */
interface ReadyFile {
  readonly path: string;
  readonly sha256: string;
}

/** Opens the copies of earlier runs; downloads new files on demand. */
export function createMedia(options: MediaOptions): Media {
  const { root, rules } = options;
  const store = createMediaStore(join(options.cache, 'files'));
  const indexFile = join(options.cache, 'index.json');
  /** A body may contain more images than a process may open files. */
  const inTurn = createLimiter(options.concurrency);
  const downloads = openDownloads({ ...options, indexFile, store });
  /** Downloads by URL, so that an image of many articles is read once. */
  const downloaded = new Map<string, Promise<PublishedMedia | null>>();
  /** Copied files by their URL in pages. */
  const ready = new Map<string, ReadyFile>();
  /** Why a file is not copied, by URL in pages. */
  const failures = new Map<string, string>();
  const written = new Set<string>();
  const kept = new Set<string>();
  const problems: Problem[] = [];
  const ownHost = root.siteUrl === null ? null : new URL(root.siteUrl).host;
  const tally = createHostTally(rules.hosts, options.reportsHosts, ownHost);

  async function publishedImage(address: string): Promise<PublishedMedia | null> {
    if (!address.startsWith('data:')) return publishedDownload(address, describeImage);
    const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
    const sha256 = await inTurn(() => store.put(bytes));
    const described = describeImage(bytes, sha256);
    return described.kind === 'unfit' ? { kind: 'refused', why: described.why } : offer(described, sha256);
  }

  function publishedDownload(address: string, describe: Describe): Promise<PublishedMedia | null> {
    const key = mediaKey(address);
    return getOrMake(downloaded, key, () => describeDownload(key, describe));
  }

  async function describeDownload(address: string, describe: Describe): Promise<PublishedMedia | null> {
    const result = await downloads.get(address);
    if (result.kind === 'failed') {
      const message = `${folderPath(address) ?? address} was not copied: ${result.why}`;
      if (result.code !== undefined) problems.push(problem(result.code, message));
      return fail(address, result.why);
    }
    const bytes = await store.read(result.sha256);
    const clean = describe === describeImage && isSvg(bytes) ? cleanSvg(bytes) : bytes;
    if (clean === null) return fail(address, 'the SVG image is not well-formed, or defines entities');
    const sha256 = clean === bytes ? result.sha256 : await inTurn(() => store.put(clean));
    const described = describe(clean, sha256, address);
    return described.kind === 'unfit' ? fail(address, described.why) : offer(described, sha256);
  }

  function offer(described: Exclude<DescribedFile, { kind: 'unfit' }>, sha256: string): PublishedMedia {
    const { kind, path, width, height } = described;
    const { href, url } = fileAddress(root, path);
    ready.set(href, { path, sha256 });
    return kind === 'image' ? { kind, href, url, width, height } : { kind, href, url };
  }

  function fail(address: string, why: string): null {
    failures.set(address, why);
    return null;
  }

  function reportFailed(address: string, location: ProblemLocation): void {
    const why = failures.get(address) ?? 'it could not be copied';
    const message = `${JSON.stringify(address.slice(0, 200))} was not copied: ${why}`;
    problems.push(problem('MEDIA_NOT_COPIED', message, location));
  }

  async function copy({ path, sha256 }: ReadyFile, output: Pick<Output, 'write'>): Promise<void> {
    if (written.has(path)) return;
    written.add(path);
    kept.add(sha256);
    await output.write(path, await store.read(sha256));
  }

  async function get({ images, files }: MediaRequest): Promise<MediaTable> {
    const wanted = new Map<string, Promise<PublishedMedia | null>>();
    for (const address of images) wanted.set(mediaKey(address), publishedImage(address));
    for (const address of files) {
      wanted.set(mediaKey(address), publishedDownload(address, describeAttachment));
    }
    const table = new Map<string, PublishedMedia>();
    // In the order of the requests, not of the responses, so that the same article gives the same table.
    const entries = Array.from(wanted, async ([key, media]) => [key, await media] as const);
    for (const [key, media] of await Promise.all(entries)) {
      if (media !== null) table.set(key, media);
      // A page cannot link to the original file.
      else if (folderPath(key) !== null) {
        table.set(key, { kind: 'refused', why: failures.get(key) ?? 'it could not be copied' });
      }
    }
    return table;
  }

  return {
    async prepare(bodies) {
      const request = await requestMedia(bodies, rules);
      if (request.images.length + request.files.length === 0) return null;
      const remote = request.images.filter((address) => !address.startsWith('data:'));
      return { table: await get(request), request: { ...request, images: remote } };
    },
    repeat: get,
    async publish(addresses, output) {
      const keys = addresses.map(mediaKey);
      const used = keys.flatMap((key) => ready.get(key) ?? []);
      for (const file of used) await copy(file, output);
      return { files: used.map(({ path }) => path), failed: keys.filter((key) => failures.has(key)) };
    },
    async reuse(paths, output) {
      const reused = await output.reuseAll(paths.filter((path) => !written.has(path)));
      for (const { path, sha256 } of reused ?? []) {
        written.add(path);
        kept.add(sha256);
      }
      return reused !== null;
    },
    notePages: tally.notePages,
    reportFailed,
    isUnchanged: downloads.isUnchanged,
    async finish() {
      const remembered = await downloads.finish();
      await store.keepOnly(new Set([...remembered, ...kept]));
      return { problems: [...problems, ...tally.problems()], hasDownloads: downloaded.size > 0 };
    },
  };
}
