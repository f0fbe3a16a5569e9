import { relative, resolve } from 'node:path';
import { attachmentEndings } from '../core/addresses.ts';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { isLocal, maxDropPercent, networkOf, type SourceSettings } from '../core/config/source-settings.ts';
import { LecternError } from '../core/errors.ts';
import type { Problem } from '../core/problems.ts';
import { quoteForShell } from '../core/quote-for-shell.ts';
import type { ProblemPlace, Progress } from '../core/report.ts';
import { readFileIn, resolveUserFolder } from '../core/user-folder.ts';
import { zendeskIdOf } from '../core/zendesk-id.ts';
import {
  apiIdentity,
  folderIdentity,
  type SourceAdapter,
  siteIdentity,
  zendeskIdentity,
} from '../source/adapter.ts';
import type { FolderLocation, FolderPlace } from '../source/folder/folder-read.ts';
import type { FolderListing } from '../source/folder/list-folder.ts';
import { createPlaces } from '../source/problem-places.ts';
import type { Source } from '../source/source.ts';

/** Options for reading a run's knowledge base. */
export interface SourceOptions {
  /** `LECTERN_API_KEY`; not needed offline. */
  readonly apiKey: string | null;
  /** Base of relative paths in the configuration. */
  readonly folder: string;
  /** Use the last snapshot, without the network. */
  readonly offline: boolean;
  /** Accept an empty or much smaller listing. */
  readonly allowMassDelete: boolean;
  /** Largest accepted loss since the last snapshot; absent: that of the kind of source. */
  readonly maxDropPercent?: number;
  /** Allow plain http to localhost. */
  readonly insecureLoopback: boolean;
  /** Name and version of the program. Records that another version read are read again. */
  readonly generator?: string;
  /** Reading ends with its reason when it is aborted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Called with all problems so far, whenever there are new ones, so that a failed run can report them. `placeOf` finds their places; it is
   * absent while the source is being read.
   */
  readonly onProblems?: (problems: readonly Problem[], placeOf?: (problem: Problem) => ProblemPlace) => void;
}

/**
 * Reads the source of the configuration, or the last snapshot.
 * @throws SOURCE_MISSING, KEY_UNUSABLE (exit 2), and what the adapter, `readKnowledgeBase` and `openSnapshot` throw
 */
export async function openSource(config: ResolvedConfig, options: SourceOptions): Promise<Source> {
  const { signal, onProgress, onProblems } = options;
  const common = {
    cache: resolve(options.folder, config.cache),
    defaultLanguage: config.defaultLanguage,
    languages: config.languages ?? null,
    allowMassDelete: options.allowMassDelete,
    generator: options.generator ?? '',
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(onProblems === undefined ? {} : { onProblems }),
  };
  if (options.offline) {
    const { openSnapshot } = await import('../source/snapshot/open-snapshot.ts');
    return openSnapshot({ ...common, identity: sourceIdentity(config, options.folder) });
  }
  const { readKnowledgeBase } = await import('../source/read-knowledge-base.ts');
  const adapter = await kindOf(config.source).open(config, config.source, options);
  try {
    return await readKnowledgeBase(adapter, {
      ...common,
      maxDropPercent: options.maxDropPercent ?? maxDropPercent(config.source),
    });
  } finally {
    await adapter.close();
  }
}

/** A kind of source, as a run needs it before it has read anything. */
interface SourceKind<Settings> {
  /** Identifies the source in snapshots; `null` if the configuration does not say where it is. */
  identity(config: ResolvedConfig, settings: Settings, base: string): string | null;
  /** Loads the adapter only now: an offline run would need 40 MB more memory, and 0.2 s. */
  open(config: ResolvedConfig, settings: Settings, options: SourceOptions): Promise<SourceAdapter>;
  /** Lists its files, for a source that is a folder, without loading the adapter. */
  list?(config: ResolvedConfig, settings: Settings, base: string): Promise<FolderListing>;
  /** Address of an article for its authors; `null` if it has a file instead. */
  addressOf(config: ResolvedConfig, articleId: string): string | null;
}

type SettingsOf<Kind extends SourceSettings['kind']> = Extract<SourceSettings, { readonly kind: Kind }>;

/** All kinds of sources. */
const sourceKinds: { readonly [Kind in SourceSettings['kind']]: SourceKind<SettingsOf<Kind>> } = {
  api: {
    identity: ({ baseUrl }) => (baseUrl === undefined ? null : apiIdentity(baseUrl)),
    async open(config, settings, options) {
      const { openApiAdapter } = await import('../source/api/api-adapter.ts');
      return openApiAdapter(await remoteSettings(config, settings, options));
    },
    // The API itself has no page that an author could open.
    addressOf({ content }, articleId) {
      const [host] = content.hosts;
      return host === undefined ? null : `${host}/article/${articleId}`;
    },
  },
  folder: {
    identity: (config, settings, base) => folderIdentity(folderLocation(config, settings, base)),
    async open(config, settings, options) {
      const { createFolderAdapter } = await import('../source/folder/folder-adapter.ts');
      return createFolderAdapter(folderLocation(config, settings, options.folder));
    },
    async list(config, settings, base) {
      const { listMarkdown, refuseProject } = await import('../source/folder/list-folder.ts');
      const location = folderLocation(config, settings, base);
      const listing = listMarkdown(location);
      refuseProject(location, listing);
      return listing;
    },
    addressOf: () => null,
  },
  site: {
    identity: (_config, { path }, base) => siteIdentity({ base, root: resolveUserFolder(base, path) }),
    async open(config, { path, content, ignore }, { folder }) {
      const { createSiteAdapter } = await import('../source/built-site/site-adapter.ts');
      return createSiteAdapter({
        ...placeOf(config, path, folder),
        siteUrl: config.siteUrl ?? null,
        content: content ?? null,
        ignore: ignore ?? null,
        defaultLanguage: config.defaultLanguage,
        attachments: attachmentEndings(config.media.attachments),
      });
    },
    async list(config, { path }, base) {
      const { listSite } = await import('../source/folder/list-folder.ts');
      return listSite(placeOf(config, path, base));
    },
    addressOf: () => null,
  },
  zendesk: {
    identity: ({ baseUrl }) => (baseUrl === undefined ? null : zendeskIdentity(baseUrl)),
    async open(config, settings, options) {
      const { openZendeskAdapter } = await import('../source/zendesk/zendesk-adapter.ts');
      const { hosts } = config.content;
      return openZendeskAdapter({ ...(await remoteSettings(config, settings, options)), hosts });
    },
    addressOf({ baseUrl, content }, articleId) {
      const [host] = content.hosts;
      return baseUrl === undefined
        ? null
        : `${host ?? new URL(baseUrl).origin}/hc/articles/${zendeskIdOf(articleId)}`;
    },
  },
};

/** Path of a source that is a folder, and the paths inside it that are not part of it. */
function placeOf(config: ResolvedConfig, path: string, base: string): FolderPlace {
  const ignored = [config.out, config.cache].map((one) => resolve(base, one));
  return { base, root: resolveUserFolder(base, path), ignored };
}

function kindOf(source: SourceSettings): SourceKind<SourceSettings> {
  return sourceKinds[source.kind];
}

async function remoteSettings(
  { baseUrl, defaultLanguage, tls }: ResolvedConfig,
  source: SourceSettings,
  { apiKey, folder, insecureLoopback, signal }: SourceOptions,
) {
  const { trustedCertificates } = await import('../core/net/trusted-certificates.ts');
  return {
    baseUrl: baseUrl ?? (await refuseMissing(folder)),
    apiKey: apiKey ?? '',
    ca: await trustedCertificates(tls, folder),
    network: networkOf(source),
    ...{ defaultLanguage, insecureLoopback },
    ...(signal === undefined ? {} : { signal }),
  };
}

/**
 * Lists the files of a source that is a folder, without opening them; `null` for other sources.
 * @throws PATH_UNUSABLE, GENERATOR_PROJECT
 */
export async function listSource(config: ResolvedConfig, base: string): Promise<FolderListing | null> {
  return (await kindOf(config.source).list?.(config, config.source, base)) ?? null;
}

/** Identifies the source of a configuration by its URL or relative path; `null` without `baseUrl`. */
export function sourceIdentity(config: ResolvedConfig, base: string): string | null {
  return kindOf(config.source).identity(config, config.source, base);
}

/** Largest file in which the line of a problem is looked for, in bytes. */
const maxLineBytes = 16 * 1024 * 1024;

/** Finds the places of problems in a source that was read. */
export function problemPlaces(
  config: ResolvedConfig,
  source: Source,
  folder: string,
): (problem: Problem) => ProblemPlace {
  // Files of a folder are in it; those that other problems name are in the project.
  const root = isLocal(config.source) ? resolveUserFolder(folder, config.source.path) : folder;
  const readFile = (file: string): string =>
    readFileIn(root, relative(root, resolve(folder, file)), maxLineBytes).toString();
  return createPlaces(source, readFile, (articleId) => kindOf(config.source).addressOf(config, articleId));
}

/** A folder source, and how it is read. */
export function folderLocation(
  config: ResolvedConfig,
  source: SettingsOf<'folder'>,
  base: string,
): FolderLocation {
  return {
    ...placeOf(config, source.path, base),
    layout: source.layout,
    locales: source.locales ?? null,
    math: source.math,
    defaultLanguage: config.defaultLanguage,
  };
}

/** Nothing says where the articles are. */
async function refuseMissing(folder: string): Promise<never> {
  const found = await offerSources('build', folder);
  throw new LecternError('SOURCE_MISSING', 'no source is set: a folder, a built site, or the URL of an API', {
    hint:
      found === null
        ? 'run lectern demo to see a sample, lectern build DIR for a folder of Markdown or a built site, or lectern init to set up a project; for an API, set --base-url (LECTERN_BASE_URL, baseUrl)'
        : `run ${found}; lectern build --help shows how to name another source`,
  });
}

/** Names the folders beside that could be meant, as `lectern build docs (12 Markdown files)`; `null`: there are none. */
export async function offerSources(command: 'build' | 'preview', folder: string): Promise<string | null> {
  const { findSources } = await import('../core/config/find-source.ts');
  const found = findSources(folder)
    .slice(0, maxOffered)
    .map(({ path, content }) => `lectern ${command} ${quoteForShell(path)} (${content})`);
  return found.length === 0 ? null : found.join(', or ');
}

/** Largest number of folders that are offered as a source. */
const maxOffered = 3;
