import type { Source } from '../../../src/source/source.ts';

/** Which file an article was read from. */
export interface FileIds {
  /** Takes over the articles of a source. */
  note(source: Source): void;
  /** The id of the article of a file, relative to the folder of the source; empty if it is none. */
  idOf(file: string): string;
  /** The file of an article in the default language, or of a pulled record its folder; the id itself if it is unknown. */
  fileOf(id: string): string;
}

/** @param folder name of the folder of the source */
export function createFileIds(folder: string): FileIds {
  const ids = new Map<string, string>();
  const files = new Map<string, string>();
  return {
    note({ knowledgeBase, fileOf }) {
      for (const id of [...knowledgeBase.articles.map((one) => one.id), ...knowledgeBase.excluded.keys()]) {
        const file = fileOf(id, null)?.slice(`${folder}/`.length) ?? id;
        const path = file.replace(/^(articles\/[^/]+)\/[^/]+$/, '$1');
        ids.set(path, id);
        files.set(id, path);
      }
    },
    idOf: (file) => ids.get(file) ?? '',
    fileOf: (id) => files.get(id) ?? id,
  };
}
