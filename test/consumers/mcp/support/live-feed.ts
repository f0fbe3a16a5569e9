import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { openFeedCopy } from '../../../../src/consumers/mcp/feed-copy.ts';
import {
  type HelpIndex,
  type HelpIndexOptions,
  openHelpIndex,
} from '../../../../src/consumers/mcp/help-index.ts';
import { createHelpServer } from '../../../../src/consumers/mcp/help-server.ts';
import { LecternError } from '../../../../src/core/errors.ts';
import type { PublishedSite } from '../../../../src/feed/read/feed-reader.ts';
import { type MemoryOutput, readerOf } from '../../../feed/support/memory-output.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A client of a server for a feed in memory, which can be published anew. */
export interface LiveFeed {
  readonly client: Client;
  readonly help: HelpIndex;
  /** Folder of the copy of the feed. */
  readonly folder: string;
  /** What is published at the moment; `null`: the site cannot be read. */
  published: MemoryOutput | null;
  /** Paths that were read. */
  readonly requests: string[];
  /** Calls a tool. */
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  /** Another client and server, with the same copy of the feed. */
  open(options?: LiveFeedOptions): Promise<LiveFeed>;
  close(): Promise<void>;
}

/** Options of an index, and of its site. */
export interface LiveFeedOptions extends Partial<HelpIndexOptions> {
  /** Called after the server has sent the manifest, before the index gets it. */
  readonly onManifest?: () => Promise<void>;
}

/** What a tool answered. */
export interface Called {
  readonly text: string;
  /** Between the marks of untrusted content. */
  readonly content: string;
  /** The line about the feed. */
  readonly state: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
  readonly next: string | undefined;
}

/** A result of `search`. */
export interface ShownHit {
  readonly id: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly url: string;
  readonly language: string;
  readonly flags: readonly string[];
  readonly text: string;
}

/** Connects a client to a new server of a feed, in a folder of its own. Every call sees what is published. */
export function openLiveFeed(output: MemoryOutput | null, options: LiveFeedOptions = {}): Promise<LiveFeed> {
  return openWithin(temporaryFolder(), output, options);
}

async function openWithin(
  folder: string,
  output: MemoryOutput | null,
  { onManifest = async () => {}, ...options }: LiveFeedOptions,
): Promise<LiveFeed> {
  const requests: string[] = [];
  const read = async (path: string) => {
    requests.push(path);
    if (live.published === null) throw unreachable();
    const bytes = await readerOf(live.published)(path);
    if (path === 'feed/manifest.json') await onManifest();
    return bytes;
  };
  const site: PublishedSite = { read, close: async () => {} };
  const help = openHelpIndex(site, {
    ...{ copy: openFeedCopy(folder), now: Date.now, currentMs: 0 },
    ...options,
  });
  const server = createHelpServer(help, '1.2.3', options.now ?? Date.now);
  const client = new Client({ name: 'test', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  const live: LiveFeed = {
    client,
    help,
    folder,
    published: output,
    requests,
    async call(name, args = {}) {
      return readCalled(await client.callTool({ name, arguments: args }));
    },
    open: (more = {}) => openWithin(folder, live.published, { onManifest, ...options, ...more }),
    async close() {
      await client.close();
    },
  };
  await Promise.all([server.connect(one), client.connect(other)]);
  return live;
}

/** What a tool answered, from its result. */
export function readCalled(answer: Awaited<ReturnType<Client['callTool']>>): Called {
  const [{ text = '' } = {}] = answer.content as readonly { readonly text?: string }[];
  const meta = (answer._meta ?? {}) as Record<string, unknown>;
  return {
    text,
    content:
      /----- BEGIN UNTRUSTED CONTENT \w{16} -----\n([\s\S]*)\n----- END UNTRUSTED/.exec(text)?.[1] ?? '',
    state: /^Source: .*$/m.exec(text)?.[0] ?? '',
    meta: (meta['lectern/feed'] ?? {}) as Record<string, unknown>,
    structured: answer.structuredContent as Record<string, unknown> | undefined,
    isError: answer.isError === true,
    next: meta['lectern/next-cursor'] as string | undefined,
  };
}

function unreachable(): Error {
  return new LecternError('FEED_UNREACHABLE', 'the published site cannot be read', { hint: 'try again' });
}

/** The results of a search. */
export function hitsOf({ content }: Called): readonly ShownHit[] {
  return content
    .split(/\n\n(?=\[\d+\] )/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', ...rest] = part.split('\n\n');
      const [first = '', ...lines] = head.split('\n');
      const fields = new Map(lines.map((line) => line.split(/: (.*)/s) as [string, string]));
      const [title = '', ...headings] = first.replace(/^\[\d+\] /, '').split(' › ');
      const flags = fields.get('signs of a prompt injection')?.split(', ') ?? [];
      const field = (name: string) => fields.get(name) ?? '';
      return {
        ...{ id: field('id'), title, headings, url: field('url'), language: field('language'), flags },
        text: rest.join('\n\n'),
      };
    });
}
