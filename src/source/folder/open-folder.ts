import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import type { ArticlesRead } from '../adapter.ts';
import type { FolderRead, FolderSettings } from './folder-read.ts';
import { refuseGenerators } from './generators.ts';
import { isLocale } from './locales.ts';
import { isPartial, type PageCache } from './plain/load-pages.ts';
import { readPlain } from './plain/read-plain.ts';
import { syncStateFile } from './read-folder.ts';
import { type PulledCache, readPulled } from './read-pulled.ts';
import { type RenderMarkdown, renderMarkdown } from './render-markdown.ts';
import { type ScannedFiles, scanFiles } from './safe-files.ts';
import { countUnread } from './unread-files.ts';
import { aboutFile } from './write-record.ts';

/** Reads one folder repeatedly; unchanged files are not read again. */
export interface FolderReader {
  /**
   * Reads the files that {@link FolderReader.stamp} listed, if it was called since the last read; otherwise lists them.
   * @param nowMs milliseconds since 1970, for dates of publication
   * @throws FOLDER_MISSING, FOLDER_INVALID, FOLDER_UNREADABLE, GENERATOR_PROJECT
   */
  read(nowMs: number): FolderRead & Required<Pick<ArticlesRead, 'unread'>>;
  /** Hash of the path, size and time of every file. @throws FOLDER_MISSING, FOLDER_UNREADABLE */
  stamp(): string;
}

/** @param render converts Markdown to HTML */
export function createContentReader(
  settings: Omit<FolderSettings, 'nowMs'>,
  render: RenderMarkdown = renderMarkdown,
): FolderReader {
  const { root, base, ignored, layout } = settings;
  const cache: PageCache = new Map();
  const pulled: PulledCache = new Map();
  const list = (): ScannedFiles => {
    refuseMissing(root);
    for (const folder of settings.static ?? []) refuseMissing(join(root, folder), 'source.static');
    return scanFiles(root, [''], (folder) => ignored.includes(folder));
  };
  let listed: ScannedFiles | null = null;
  return {
    read(nowMs) {
      const scanned = listed ?? list();
      listed = null;
      const isPulled =
        layout === 'pulled' ||
        (layout === 'auto' &&
          (existsSync(join(root, syncStateFile)) || looksPulled([...scanned.stamps.keys()], settings)));
      const { stamps, markers } = scanned;
      if (!isPulled) {
        const isPage = (path: string): boolean => /\.(?:mdx?|markdown)$/i.test(path) && !isPartial(path);
        refuseGenerators(
          root,
          base,
          { pages: [...stamps.keys()].filter(isPage), markers },
          layout === 'plain',
        );
      }
      const read = isPulled
        ? readPulled({ ...settings, nowMs }, scanned, pulled, render)
        : readPlain({ ...settings, nowMs }, scanned, cache, render);
      return { ...read, unread: countUnread(stamps.keys(), read) };
    },
    stamp() {
      listed = null;
      listed = list();
      return hash('sha256', JSON.stringify([[...listed.stamps], listed.markers]));
    },
  };
}

function refuseMissing(root: string, setting = 'of the source; other sources are zendesk and api'): void {
  try {
    if (statSync(root).isDirectory()) return;
  } catch {
    // Reported below.
  }
  throw new LecternError('FOLDER_MISSING', `the folder ${root} does not exist`, {
    hint: `check the path ${setting}`,
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
