import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SourceAdapter } from '../../../src/source/adapter.ts';
import { createSiteAdapter, type SiteLocation } from '../../../src/source/built-site/site-adapter.ts';
import { readKnowledgeBase } from '../../../src/source/read-knowledge-base.ts';
import type { ReadSettings, Source } from '../../../src/source/source.ts';
import { type Tree, writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createFileIds, type FileIds } from './file-ids.ts';

/** A built site of one test. */
export interface SiteProject extends Omit<FileIds, 'note'> {
  readonly root: string;
  readonly adapter: SourceAdapter;
  write(files: Tree): void;
  /** Reads the current files. */
  read(settings?: Partial<ReadSettings>): Promise<Source>;
}

/** Writes the files of a site to a separate folder and opens it as a source. */
export function openSiteProject(files: Tree, location: Partial<SiteLocation> = {}): SiteProject {
  const base = temporaryFolder();
  const root = join(base, 'build');
  writeTree(root, files);
  const ids = createFileIds('build');
  const adapter = createSiteAdapter({
    ...{
      base,
      root,
      siteUrl: null,
      defaultLanguage: 'en',
      content: null,
      ignore: null,
      ignored: [],
      attachments: new Set(['pdf']),
    },
    ...location,
  });
  return {
    root,
    adapter,
    idOf: ids.idOf,
    fileOf: ids.fileOf,
    write: (more) => writeTree(root, more),
    async read(settings = {}) {
      const source = await readKnowledgeBase(adapter, {
        cache: join(base, 'cache'),
        defaultLanguage: location.defaultLanguage ?? 'en',
        languages: null,
        allowMassDelete: false,
        maxDropPercent: 20,
        generator: 'lectern test',
        ports: { now: () => Date.parse('2026-06-01T00:00:00Z'), sleep: async () => {}, random: () => 0 },
        ...settings,
      });
      onTestFinished(() => source.close());
      ids.note(source);
      return source;
    },
  };
}

/** What a generator writes of a page. */
interface PageText {
  readonly title: string;
  readonly body: string;
  readonly language?: string;
  readonly updated?: string;
  readonly isHidden?: boolean;
  /** Titles of the categories that it is in. */
  readonly breadcrumbs?: readonly string[];
  /** Further elements of the head. */
  readonly head?: string;
}

/** A page with navigation around its text, of no known theme. */
export function sitePage({
  title,
  body,
  language = 'en',
  updated,
  isHidden = false,
  breadcrumbs = [],
  head = '',
}: PageText): string {
  const date = updated === undefined ? '' : `<meta property="article:modified_time" content="${updated}">`;
  const robots = isHidden ? '<meta name="robots" content="noindex">' : '';
  return `<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title} | Bikes</title>${date}${robots}${head}</head>
<body><ol class="breadcrumb">${breadcrumbs.map((one) => `<li>${one}</li>`).join('')}</ol><nav><a href="/">Start</a></nav><main><h1>${title}</h1>${body}</main><footer>Imprint</footer></body></html>
`;
}
