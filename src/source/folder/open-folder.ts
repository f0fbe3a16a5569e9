import type { ArticlesRead } from '../adapter.ts';
import type { OpenFileMemory } from '../snapshot/snapshot-file.ts';
import type { FolderRead, FolderSettings } from './folder-read.ts';
import { listMarkdown, type MarkdownListing, refuseProject } from './list-folder.ts';
import { readPlain } from './plain/read-plain.ts';
import { readPulled } from './read-pulled.ts';
import { type RenderMarkdown, renderMarkdown } from './render-markdown.ts';
import { countUnread } from './unread-files.ts';

/** Reads one folder repeatedly; unchanged files are not read again. */
export interface FolderReader {
  /**
   * Reads the files that {@link FolderReader.stamp} listed, if it was called since the last read; otherwise lists them.
   * @param nowMs milliseconds since 1970, for dates of publication
   * @param openFiles what the last reading made of the files
   * @throws FOLDER_MISSING, FOLDER_INVALID, FOLDER_UNREADABLE, GENERATOR_PROJECT
   */
  read(
    nowMs: number,
    openFiles: OpenFileMemory,
  ): FolderRead & Required<Pick<ArticlesRead, 'unread'>> & Pick<MarkdownListing, 'etag'>;
  /** Hash of the path, size and time of every file. @throws FOLDER_MISSING, FOLDER_UNREADABLE */
  stamp(): string;
}

/** @param render converts Markdown to HTML */
export function createContentReader(
  settings: Omit<FolderSettings, 'nowMs'>,
  render: RenderMarkdown = renderMarkdown,
): FolderReader {
  let listed: MarkdownListing | null = null;
  return {
    read(nowMs, openFiles) {
      const listing = listed ?? listMarkdown(settings);
      listed = null;
      refuseProject(settings, listing);
      const { files, isPulled, etag } = listing;
      const readLayout = isPulled ? readPulled : readPlain;
      const read = readLayout({ ...settings, nowMs }, files, openFiles, render);
      return { ...read, unread: countUnread(files.stamps.keys(), read), etag };
    },
    stamp() {
      listed = null;
      listed = listMarkdown(settings);
      return listed.etag;
    },
  };
}
