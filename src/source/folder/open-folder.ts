import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import type { ArticlesRead } from '../adapter.ts';
import type { FolderRead, FolderSettings } from './folder-read.ts';
import { isLocale } from './locales.ts';
import { withDollars } from './markup/math.ts';
import type { PageCache } from './plain/load-pages.ts';
import { readPlain } from './plain/read-plain.ts';
import { hashProjectConfig } from './project/config.ts';
import { findPages } from './project/find-pages.ts';
import { findProjectAbove } from './project/project-above.ts';
import { syncStateFile } from './read-folder.ts';
import { type PulledCache, readPulled } from './read-pulled.ts';
import { type RenderMarkdown, renderMarkdown } from './render-markdown.ts';
import { scanFiles } from './safe-files.ts';
import { countUnread } from './unread-files.ts';
import { aboutFile } from './write-record.ts';

/** Reads one folder repeatedly; unchanged files are not read again. */
export interface FolderReader {
  /**
   * Reads the files that {@link FolderReader.stamp} listed, if it was called since the last read; otherwise lists them.
   * @param nowMs milliseconds since 1970, for dates of publication
   * @throws FOLDER_MISSING, FOLDER_INVALID, FOLDER_UNREADABLE
   */
  read(nowMs: number): FolderRead & Required<Pick<ArticlesRead, 'unread'>>;
  /** Absolute paths of the folders it reads. @throws FOLDER_MISSING */
  folders(): readonly string[];
  /** Absolute paths of the files that configure the site generator. @throws FOLDER_MISSING */
  configFiles(): readonly string[];
  /** Hash of the path, size and time of every file, of the configuration of the site generator, and of what it hides. @throws FOLDER_MISSING, FOLDER_UNREADABLE */
  stamp(): string;
}

/** @param render converts Markdown to HTML */
export function createContentReader(
  settings: Omit<FolderSettings, 'nowMs'>,
  render: RenderMarkdown = renderMarkdown,
): FolderReader {
  const { root, base, ignored } = settings;
  const cache: PageCache = new Map();
  const pulled: PulledCache = new Map();
  const find = () => {
    refuseMissing(root);
    const found = findPages(root);
    const own = (settings.static ?? []).map((folder) => posix.normalize(folder).replace(/\/$/, ''));
    for (const folder of own) refuseMissing(join(root, folder), 'source.static');
    const markup = settings.math === true ? withDollars(found.markup) : found.markup;
    const project = { ...found, markup, assets: [...own, ...found.assets] };
    const all = [...new Set([...project.trees.map(({ folder }) => folder), ...project.assets])];
    // A folder inside another one is listed with that.
    const folders = all.filter(
      (one) => !all.some((other) => one !== other && (other === '' || one.startsWith(`${other}/`))),
    );
    return { project, folders };
  };
  const list = () => {
    const { project, folders } = find();
    return { project, scanned: scanFiles(root, folders, (folder) => ignored.includes(folder)) };
  };
  let listed: ReturnType<typeof list> | null = null;
  return {
    read(nowMs) {
      const { project, scanned } = listed ?? list();
      listed = null;
      const isPulled =
        settings.layout === 'pulled' ||
        (settings.layout === 'auto' &&
          (existsSync(join(root, syncStateFile)) || looksPulled([...scanned.stamps.keys()], settings)));
      const read = isPulled
        ? readPulled({ ...settings, nowMs }, scanned, pulled, render)
        : readPlain({ ...settings, nowMs }, project, scanned, cache, render);
      const unread = countUnread(scanned.stamps.keys(), read);
      if (isPulled || project.config !== null || base === undefined) return { ...read, unread };
      const above = findProjectAbove(root, base);
      if (above === null) return { ...read, unread };
      return { ...read, unread, problems: [...read.problems, above] };
    },
    folders: () => find().folders.map((folder) => join(root, folder)),
    configFiles() {
      const { config } = find().project;
      const files = config?.layers.map(({ file }) => file) ?? [];
      return (config === null || files.length > 0 ? files : [config.file]).map((file) => join(root, file));
    },
    stamp() {
      listed = null;
      listed = list();
      const { scanned, project } = listed;
      const hidden = [...scanned.stamps.keys()].map((path) => project.hiddenAs(path));
      const config = project.config === null ? '' : hashProjectConfig(project.config);
      return hash('sha256', JSON.stringify([[...scanned.stamps], hidden, config]));
    },
  };
}

function refuseMissing(root: string, setting = '--source folder:DIR or source.path'): void {
  try {
    if (statSync(root).isDirectory()) return;
  } catch {
    // Reported below.
  }
  throw new LecternError('FOLDER_MISSING', `the folder ${root} does not exist`, {
    hint: `check the path in ${setting}`,
    exitCode: 2,
  });
}

/** Whether all pages are in subfolders of `articles/` and `categories/` and have languages as names. */
function looksPulled(
  paths: readonly string[],
  settings: Pick<FolderSettings, 'locales' | 'defaultLanguage'>,
): boolean {
  const pages = paths.filter((path) => /\.(?:md|html)$/.test(path) && !aboutFile.test(posix.basename(path)));
  return (
    pages.some((path) => path.startsWith('articles/')) &&
    pages.every((path) => {
      const [, language = ''] =
        /^(?:articles|categories)\/[^/]+\/([A-Za-z-]+)\.(?:md|html)$/.exec(path) ?? [];
      return isLocale(language, settings);
    })
  );
}
