import { folderPath, parseUrl } from '../../core/addresses.ts';
import { inParallel } from '../../core/concurrency.ts';
import { countOf } from '../../core/count-of.ts';
import { messageOf } from '../../core/errors.ts';
import type { Article, ArticleBodies, LanguageTag } from '../../core/model.ts';
import type { FileFetcher } from '../../core/net/fetch-file.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { imageKind } from '../../site/media/describe-file.ts';
import { rewriteReferences } from '../../source/folder/references.ts';
import type { Source } from '../../source/source.ts';
import { countSkipped, type PublicContent, reportSkipped } from './public-records.ts';

export interface PublicContentSettings {
  readonly origins: PublicContent['origins'];
  /** Also embeds images of other hosts in the bodies. Images of a folder are always embedded, because no reader could load them. */
  readonly embedImages: boolean;
  /** Reads images; `null` if no images can be read. */
  readonly files: FileFetcher | null;
  readonly concurrency: number;
}

/** Maximum image size in bytes: as a `data:` URL, it is then within the limit of the content stage. */
const maxImageBytes = 1_400_000;
/**
 * Maximum total size of images in one article, because services limit the size of a request (the embedded service: 10 MiB; base64 adds a
 * third).
 */
const maxArticleBytes = 6_000_000;

/**
 * Reads the public content of a source into memory. A push can send no files: images are embedded in the bodies, or keep their URL and are
 * reported. Embedded images become files beside a Markdown text when the record is written.
 * @returns `skipped`: articles and translations that are not public, counted by reason
 * @throws SNAPSHOT_UNUSABLE
 */
export async function readPublicContent(
  source: Source,
  settings: PublicContentSettings,
): Promise<{
  readonly content: PublicContent;
  readonly problems: readonly Problem[];
  readonly skipped: Readonly<Record<string, number>>;
}> {
  const { articles, categories, excluded, defaultLanguage } = source.knowledgeBase;
  const translations = source.listSkippedTranslations();
  const problems: Problem[] = [...source.problems, ...reportSkipped(excluded, translations)];
  const read: PublicContent['articles'][number][] = [];
  for (const article of articles) {
    const bodies = await moveFiles(article, await source.readBodies(article.id), settings, problems);
    read.push({ article, bodies, unpublishAt: source.unpublishAtOf(article.id) });
  }
  return {
    content: { categories, excluded, defaultLanguage, articles: read, origins: settings.origins },
    problems,
    skipped: countSkipped(excluded, translations),
  };
}

async function moveFiles(
  { id }: Article,
  bodies: ArticleBodies,
  settings: PublicContentSettings,
  problems: Problem[],
): Promise<ArticleBodies> {
  const images = await embedAll(bodies, settings);
  const moved = new Map<LanguageTag, string>();
  let room = maxArticleBytes;
  for (const [language, body] of bodies) {
    const report = (message: string): void => {
      problems.push(problem('SYNC_FILE_NOT_COPIED', message, { articleId: id, language }));
    };
    const kept = new Map<string, number>();
    const keep = (address: string): string => {
      const { host } = new URL(address, settings.origins.hosts[0] ?? 'https://unknown.invalid');
      kept.set(host, (kept.get(host) ?? 0) + 1);
      return address;
    };
    const text = rewriteReferences(body, (address, kind) => {
      const path = folderPath(address);
      if (kind === 'link') {
        if (path !== null) report(`the link to the file ${path} was removed`);
        if (path !== null) return null;
        return isFileOf(settings.origins.hosts, address) ? keep(address) : address;
      }
      const image = images.get(address);
      if (image === undefined) return address.startsWith('data:') ? address : keep(address);
      if (typeof image === 'string' && image.length <= room) {
        room -= image.length;
        return image;
      }
      const why =
        typeof image === 'string' ? `the images of one article exceed ${maxArticleBytes} bytes` : image.why;
      if (path === null) return keep(address);
      report(`the image ${path} was removed: ${why}`);
      return null;
    });
    for (const [host, count] of kept) {
      report(`${countOf(count, 'image or file', 'images or files')} keep their URLs on ${host}`);
    }
    moved.set(language, text);
  }
  return moved;
}

/** The images to embed in the bodies, by URL, as `data:` URLs; or the reason why an image cannot be embedded. */
async function embedAll(
  bodies: ArticleBodies,
  { embedImages, files, concurrency }: PublicContentSettings,
): Promise<ReadonlyMap<string, string | { readonly why: string }>> {
  const images = new Map<string, string | { readonly why: string }>();
  for (const body of bodies.values()) {
    rewriteReferences(body, (address, kind) => {
      const isWanted = folderPath(address) !== null || (embedImages && /^https?:/i.test(address));
      if (kind === 'image' && isWanted) images.set(address, { why: 'it cannot be read' });
      return address;
    });
  }
  await inParallel(images.keys(), concurrency, async (address) => {
    try {
      const fetched = await files?.fetch(address, null);
      if (fetched?.kind === 'file') images.set(address, toDataAddress(fetched.bytes));
    } catch (error) {
      images.set(address, { why: messageOf(error) });
    }
  });
  return images;
}

function toDataAddress(bytes: Uint8Array): string | { readonly why: string } {
  const kind = imageKind(bytes);
  if (kind === null) return { why: 'it is not a PNG, JPEG, GIF, WebP or AVIF image' };
  if (bytes.length > maxImageBytes) return { why: `it is larger than ${maxImageBytes} bytes` };
  return `data:image/${kind === 'jpg' ? 'jpeg' : kind};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Whether a link leads to a file of the old help centre: its last path segment has an extension, or it is a Zendesk attachment. */
function isFileOf(hosts: readonly string[], address: string): boolean {
  const [base] = hosts;
  const url = base === undefined ? null : parseUrl(address, base);
  const isOurs = hosts.some((host) => new URL(host).origin === url?.origin);
  return isOurs && /\.[a-z0-9]{2,5}$|\/article_attachments\//i.test(url?.pathname ?? '');
}
