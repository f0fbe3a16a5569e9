import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Problem } from '../../../src/core/problems.ts';
import { createFolderAdapter, type FolderAdapter } from '../../../src/source/folder/folder-adapter.ts';
import type { FolderLocation } from '../../../src/source/folder/folder-read.ts';
import { readKnowledgeBase } from '../../../src/source/read-knowledge-base.ts';
import type { ReadSettings, Source } from '../../../src/source/source.ts';
import { type Tree, writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createFileIds, type FileIds } from './file-ids.ts';

/** A folder source of one test. */
export interface FolderProject extends Omit<FileIds, 'note'> {
  /** Parent folder of the source; files outside of the source may be written here. */
  readonly base: string;
  readonly root: string;
  readonly adapter: FolderAdapter;
  write(files: Tree): void;
  /** Reads the current folder. */
  read(settings?: Partial<ReadSettings>): Promise<Source>;
}

/** Writes files to a separate folder and opens it as a source. */
export function openFolderProject(files: Tree, location: Partial<FolderLocation> = {}): FolderProject {
  const base = temporaryFolder();
  const root = join(base, 'kb');
  writeTree(root, files);
  const ids = createFileIds('kb');
  const adapter = createFolderAdapter({
    base,
    root,
    layout: 'auto',
    locales: null,
    math: false,
    defaultLanguage: 'en',
    ignored: [],
    ...location,
  });
  return {
    base,
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

/** The published articles of a source by path, in a short form that can be compared as a whole. */
export function outline(
  { fileOf }: FolderProject,
  { knowledgeBase }: Source,
): Readonly<Record<string, unknown>> {
  const titles = new Map(
    knowledgeBase.categories.map(({ id, translations }) => [id, translations[0]?.title ?? '']),
  );
  const parents = new Map(knowledgeBase.categories.map(({ id, parentId }) => [id, parentId]));
  const trail = (id: string | null): string =>
    id === null ? '' : `${trail(parents.get(id) ?? null)}/${titles.get(id)}`;
  const articles = knowledgeBase.articles.map(({ id, categoryId, translations }) => [
    fileOf(id),
    `${trail(categoryId)} ${translations.map(({ language, title, slug }) => `${language}: ${title} (${slug})`).join(', ')}`.trim(),
  ]);
  const hidden = [...knowledgeBase.excluded].map(([id, reason]) => [fileOf(id), reason]);
  return Object.fromEntries([...articles, ...hidden].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

/** Codes and messages of problems, sorted. */
export function messages(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ code, message }) => `${code}: ${message}`).sort();
}

/** The body of an article in a language, with paths instead of ids. */
export async function bodyOf(project: FolderProject, source: Source, path: string, language = 'en') {
  const bodies = await source.readBodies(project.idOf(path));
  // Ids made of paths say nothing in a snapshot.
  return (bodies.get(language) ?? '').replaceAll(
    /\/article\/(\w{10})/g,
    (_all, target: string) => `/article/<${project.fileOf(target)}>`,
  );
}
