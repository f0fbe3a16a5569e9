import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../../core/config/schema.ts';
import { LecternError, messageOf } from '../../core/errors.ts';
import { problemKinds } from '../../core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../core/report.ts';
import { builtInTemplates, ownTemplates } from '../../site/pages/template-files.ts';
import { siteRoot } from '../../site/plan/page-url.ts';
import { createFolderAdapter, type FolderAdapter } from '../../source/folder/folder-adapter.ts';
import { createRepeatedReader, type RepeatedReader } from '../../source/read-knowledge-base.ts';
import { checkSnapshot, snapshotFile } from '../../source/snapshot/snapshot-file.ts';
import type { Source } from '../../source/source.ts';
import { folderLocation, offerSources, openSource, problemPlaces } from '../open-source.ts';
import { openRun } from '../run.ts';
import { type LiveSite, openLiveSite } from './live-site.ts';
import { type PreviewServer, serveFolder } from './serve-folder.ts';
import { watchFiles } from './watch-files.ts';

interface StartPreview {
  /** Reads the configuration; called again when its file changes. */
  readonly loadConfig: () => Promise<ResolvedConfig>;
  /** Absolute paths of configuration files, which need not exist. */
  readonly configFiles: readonly string[];
  /** Base of relative paths in the configuration. */
  readonly folder: string;
  /** `0` picks a free one. */
  readonly port: number;
  /**
   * Builds the whole output (`offline`: from the last snapshot), after pages already show the change. Returns the problems of the build;
   * `null` if it was stopped.
   */
  readonly rebuild: (offline: boolean) => Promise<readonly ReportedProblem[] | null>;
  /** Called with one sentence per event. */
  readonly onNote: (note: string) => void;
  /** Called with the problems that reading the source or building found and the last time did not. */
  readonly onProblems: (problems: readonly ReportedProblem[]) => void;
}

/** Changes that follow each other within this time lead to one build. */
const quietMs = 400;

/**
 * Serves the site while it is being edited. Pages are rendered on request from the last snapshot, or from the current folder, so that a
 * saved template or text shows immediately. A full build follows when no more changes come. Without a snapshot, the published folder is
 * served.
 * @throws NOTHING_TO_PREVIEW, PORT_UNUSABLE, and what reading configuration and snapshot throws
 */
export async function startPreview(options: StartPreview): Promise<PreviewServer> {
  const { folder, onNote } = options;
  const config = await options.loadConfig();
  const out = resolve(folder, config.out);
  const templates = resolve(folder, ownTemplates);
  const publicFolder = resolve(folder, config.site.public);

  const isFolder = config.source.kind === 'folder';
  // Every build of a folder writes a new snapshot: if it counted as a change, one build would lead to the next.
  const cache = resolve(folder, config.cache);
  const snapshot = isFolder ? null : snapshotFile(cache);
  /** Checksum of the snapshot that is shown. */
  let shown: string | null = null;
  const source = createPreviewSource(folder);
  const sourceFolders = source.folders(config);
  const open = async (current: ResolvedConfig): Promise<LiveSite | null> => {
    const run = await openRun(current, { ...previewOptions, folder }, source.read);
    try {
      const opened = await readIfThere(run.readSource);
      skipped = [];
      if (opened === null) return null;
      shown = opened.snapshot;
      const problems = reportProblems(opened.problems, null, problemPlaces(current, opened, folder));
      skipped = problems.filter(({ code }) => code === 'FILE_SKIPPED');
      news.ofSource(problems);
      const site = await openLiveSite(run, folder);
      for (const [path, file] of site.files) fileOf.set(path, file);
      return site;
    } catch (error) {
      await run.close();
      throw error;
    }
  };

  const news = createNews(options.onProblems);
  let skipped: readonly ReportedProblem[] = [];
  /** The file of each page that there is, or was since the preview started. */
  const fileOf = new Map<string, string>();
  // A built site is read by a build, which keeps a snapshot of it.
  if (config.source.kind === 'site') news.ofBuild((await options.rebuild(false)) ?? []);
  let live = await open(config);
  let failure: unknown = null;
  let building: NodeJS.Timeout | null = null;
  let isClosed = false;
  if (live === null && !existsSync(join(out, 'index.html'))) {
    throw new LecternError('NOTHING_TO_PREVIEW', `${out} contains no built site, and there is no snapshot`, {
      hint: `run ${(await offerSources('preview', folder)) ?? 'lectern preview DIR for a folder of Markdown'}, or lectern build first`,
    });
  }

  const server = await serveFolder({
    folder: out,
    basePath: siteRoot(config.siteUrl).basePath,
    port: options.port,
    async render(path) {
      if (failure !== null && !path.startsWith('assets/')) throw failure;
      const page = (await live?.render(path)) ?? null;
      if (page !== null || existsSync(join(publicFolder, path))) return page;
      // The published folder has an old state of the page, or a redirect to another language.
      const file = fileOf.get(path);
      const why = skipped.find((one) => one.file !== null && (one.file === file || isPathOf(one.file, path)));
      if (why !== undefined) throw describeSkipped(why);
      return null;
    },
  });

  const reopen = async (): Promise<void> => {
    const old = live;
    try {
      const changed = await options.loadConfig();
      if (watchedPaths(changed) !== watchedPaths(config)) {
        onNote('out, siteUrl, cache, source or site.public changed. Restart lectern preview.');
      }
      live = await open(changed);
      failure = null;
      await old?.close();
    } catch (error) {
      failure = error;
    }
  };
  const buildSoon = (): void => {
    if (building !== null) clearTimeout(building);
    building = setTimeout(() => {
      building = null;
      options.rebuild(!isFolder).then(
        (problems) => {
          if (!isClosed && problems !== null) news.ofBuild(problems);
        },
        (error: unknown) => {
          if (!isClosed) onNote(messageOf(error));
        },
      );
    }, quietMs);
  };
  /** A fetch that found nothing new changes the time of the snapshot, too. */
  const isNewSnapshot = async (): Promise<boolean> => {
    const current = (await checkSnapshot(cache))?.contentHash ?? null;
    return current === null || current !== shown;
  };
  const update = async (changed: ReadonlySet<string>): Promise<void> => {
    // The output may be inside the source folder and change although no source file did.
    const isSource = sourceFolders.some((path) => changed.has(path)) && source.hasChanged();
    const isSnapshot = snapshot !== null && changed.has(snapshot) && (await isNewSnapshot());
    const isOther = [...changed].some(
      (path) => path !== out && path !== snapshot && !sourceFolders.includes(path),
    );
    if (isSource || isSnapshot || isOther) {
      if (isSource || isSnapshot || options.configFiles.some((file) => changed.has(file))) await reopen();
      else live?.reloadTemplates();
      buildSoon();
    } else if (live !== null) return;
    server.reload();
  };
  // Serialised: an older state must not replace a newer one.
  let updating = Promise.resolve();
  const stopWatching = watchFiles({
    folders: [templates, publicFolder, builtInTemplates],
    sources: { folders: sourceFolders, hasChanged: source.hasChanged },
    files: [...options.configFiles, ...(snapshot === null ? [] : [snapshot]), out],
    onChange(changed) {
      updating = updating.then(() => (isClosed ? undefined : update(changed)));
    },
  });
  if (live !== null && !existsSync(join(out, 'index.html'))) buildSoon();

  return {
    ...server,
    async close() {
      isClosed = true;
      stopWatching();
      if (building !== null) clearTimeout(building);
      await server.close();
      await updating;
      await live?.close();
      await source.close();
    },
  };
}

/** Passes on the problems that are new. A build finds those of the source again, and more. */
function createNews(onProblems: StartPreview['onProblems']) {
  let known: ReadonlySet<string> = new Set();
  // An edit above a problem moves its line.
  const keyOf = (problem: ReportedProblem): string => JSON.stringify({ ...problem, line: null });
  const tellNew = (problems: readonly ReportedProblem[]): void => {
    const news = problems.filter((problem) => !known.has(keyOf(problem)));
    if (news.length > 0) onProblems(news);
  };
  return {
    ofSource(problems: readonly ReportedProblem[]): void {
      tellNew(problems);
      known = new Set([...known, ...problems.map(keyOf)]);
    },
    ofBuild(problems: readonly ReportedProblem[]): void {
      tellNew(problems);
      known = new Set(problems.map(keyOf));
    },
  };
}

/** Whether a file that has not been read yet is probably the one of a page: `docs/guide/install.md` of `guide/install/index.html`. */
function isPathOf(file: string, page: string): boolean {
  const stem = `/${file.replace(/(?:\/(?:index|README))?\.\w+$/, '')}`;
  const name = page.replace(/(?:\/index)?\.html$/, '');
  return stem.toLowerCase().endsWith(`/${name.toLowerCase()}`);
}

function describeSkipped({ message }: ReportedProblem): LecternError {
  return new LecternError('FILE_SKIPPED', message, { hint: problemKinds.FILE_SKIPPED.hint });
}

/** A preview shows what builds and fetches leave: it makes no request and writes nothing. */
const previewOptions = {
  apiKey: null,
  offline: true,
  allowMassDelete: false,
  insecureLoopback: false,
  isReader: true,
} as const;

async function readIfThere(read: () => Promise<Source>): Promise<Source | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LecternError && error.code === 'SNAPSHOT_MISSING') return null;
    throw error;
  }
}

/** Paths to watch; these settings are read only when the preview starts. */
function watchedPaths({ out, siteUrl, cache, source, site }: ResolvedConfig): string {
  const path = source.kind === 'folder' ? source.path : null;
  return JSON.stringify([out, siteUrl, cache, source.kind, path, site.public]);
}

/** Source of a preview: the last snapshot of an API, or the current state of a folder. */
interface PreviewSource {
  /** @throws SNAPSHOT_MISSING and other errors of opening a snapshot or reading a folder */
  readonly read: typeof openSource;
  /** Absolute paths of folders to watch; none for an API. */
  folders(config: ResolvedConfig): readonly string[];
  /** Whether a file of the folder was written, added or removed since it was opened, or the folder became unreadable. */
  hasChanged(): boolean;
  /** Opened sources can no longer be used. */
  close(): Promise<void>;
}

/** A folder that is read again after every change. */
interface OpenFolder {
  readonly key: string;
  readonly adapter: FolderAdapter;
  readonly reader: RepeatedReader;
}

/** @param folder base of relative paths in the configuration */
function createPreviewSource(folder: string): PreviewSource {
  let current: OpenFolder | null = null;
  const replaced: OpenFolder[] = [];
  let stamp = '';
  /** The stamp that `hasChanged` computed, reused by the next `open`, so that a folder is listed once per change. */
  let nextStamp: string | null = null;
  const stampOf = ({ adapter }: OpenFolder): string => {
    try {
      return adapter.stamp();
    } catch (error) {
      // Reading it reports the error.
      return String(error);
    }
  };
  const folderOf = (config: ResolvedConfig): OpenFolder | null => {
    const { source, defaultLanguage, languages = null } = config;
    if (source.kind !== 'folder') return null;
    const location = folderLocation(config, source, folder);
    const cache = resolve(folder, config.cache);
    const key = JSON.stringify([location, cache, defaultLanguage, languages]);
    // Reused, because it caches the files it has read.
    if (current?.key === key) return current;
    if (current !== null) replaced.push(current);
    const adapter = createFolderAdapter(location);
    const settings = { cache, defaultLanguage, languages, generator: 'lectern preview' };
    current = { key, adapter, reader: createRepeatedReader(adapter, settings) };
    return current;
  };
  return {
    async read(config, options) {
      const opened = folderOf(config);
      if (opened === null) return openSource(config, options);
      stamp = nextStamp ?? stampOf(opened);
      nextStamp = null;
      return opened.reader.read();
    },
    folders: ({ source, ...config }) =>
      source.kind === 'folder' ? [folderLocation({ source, ...config }, source, folder).root] : [],
    hasChanged() {
      if (current === null) return false;
      const now = stampOf(current);
      nextStamp = now === stamp ? null : now;
      return nextStamp !== null;
    },
    async close() {
      for (const one of [...replaced, current]) one?.reader.close();
    },
  };
}
