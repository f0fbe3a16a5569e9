import { onTestFinished } from 'vitest';
import type { Document } from '../../../src/content/document.ts';
import { transform } from '../../../src/content/transform.ts';
import { createFileFetcher } from '../../../src/core/net/fetch-file.ts';
import type { Problem } from '../../../src/core/problems.ts';
import { createMedia, type Media } from '../../../src/site/media/media.ts';
import {
  type MediaTable,
  mediaAddresses,
  resolveFile,
  resolveImage,
} from '../../../src/site/media/media-table.ts';
import { siteRoot } from '../../../src/site/plan/page-url.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { FileServer } from './file-server.ts';

export interface RunOptions {
  readonly server?: FileServer;
  readonly cache?: string;
  readonly offline?: boolean;
  readonly maxFiles?: number;
}

export interface Run {
  readonly documents: readonly Document[];
  /** Published files by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly problems: readonly Problem[];
}

/** Sends bodies through media and content as a build does. */
export async function publish(bodies: readonly string[], options: RunOptions = {}): Promise<Run> {
  const hosts = new Set(options.server === undefined ? [] : [options.server.host]);
  const baseUrl = options.server?.origin ?? 'https://help.example.com';
  const fetcher = createFileFetcher({
    hosts,
    privateHosts: [],
    allowLoopback: true,
    maxBytes: 100_000,
    timeoutMs: 60_000,
    ca: null,
  });
  onTestFinished(() => fetcher.close());
  const media = await createMedia({
    root: siteRoot('https://docs.example.com/help'),
    rules: { baseUrl, hosts, attachments: new Set(['pdf', 'zip', 'mp4']) },
    reportsHosts: true,
    cache: options.cache ?? temporaryFolder(),
    fetcher: options.offline ? null : fetcher,
    concurrency: 4,
    maxFiles: options.maxFiles ?? 100,
  });
  const files = new Map<string, Uint8Array>();
  const documents: Document[] = [];
  for (const body of bodies) {
    const document = render(body, (await media.prepare([body]))?.table ?? new Map(), baseUrl);
    await publishDocument(media, document, files);
    documents.push(document);
  }
  return { documents, files, problems: (await media.finish()).problems };
}

function render(body: string, table: MediaTable, baseUrl: string | null): Document {
  return transform(body, {
    baseUrl,
    language: 'en',
    resolveLink: (href) => resolveFile(table, href, baseUrl) ?? { kind: 'external' },
    resolveImage: (src) => resolveImage(table, src),
    sourceHeadingIds: null,
    policy: { iframeHosts: [], classes: [], callouts: {} },
  });
}

async function publishDocument(
  media: Media,
  document: Document,
  files: Map<string, Uint8Array>,
): Promise<void> {
  const { failed } = await media.publish(mediaAddresses(document), {
    async write(path, content) {
      if (files.has(path)) throw new Error(`${path} was written twice`);
      files.set(path, Buffer.from(content));
      return { path, sha256: '', bytes: content.length };
    },
  });
  for (const address of failed) media.reportFailed(address, { articleId: 'a234567890', language: 'en' });
}

export const image = (src: string): string => `<p><img src="${src}" alt="A chart"></p>`;
