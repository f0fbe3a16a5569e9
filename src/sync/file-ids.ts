import { join } from 'node:path';
import { readWholeFile } from '../core/file-system.ts';
import { getOrMake } from '../core/group-by.ts';
import type { FolderEntry } from '../source/folder/read-folder.ts';
import { listNamedIds, type RecordKind, replaceIds } from '../source/folder/record-ids.ts';
import { adoptId, writeFile } from '../source/folder/write-record.ts';

/** A record of a folder. */
export type RecordOnDisk = Pick<FolderEntry<unknown>, 'folder' | 'files' | 'language'>;

/** Replaces ids in the files of a folder: a service may give its own ids to the records that a push creates. */
export interface FileIds {
  /** Ids that were replaced: `article 4fq8d7s2ka` → id. */
  readonly newIds: ReadonlyMap<string, string>;
  /**
   * Replaces the id of a record in all files that name it, in fields and links. The file of the record itself comes last: until then, a push
   * after a kill finds the record and replaces the rest.
   * @param id `null`: the record has none yet
   */
  replace(kind: RecordKind, own: RecordOnDisk, id: string | null, newId: string): void;
}

/** @param all records of the folder as it is now */
export function createFileIds(root: string, all: readonly RecordOnDisk[]): FileIds {
  const newIds = new Map<string, string>();
  /** Files by the records that they name; made when the first id is replaced. */
  let byRecord: Map<string, string[]> | null = null;
  const index = (): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const { folder, files } of all) {
      for (const { name } of files) {
        const path = join(root, folder, name);
        for (const record of listNamedIds(readText(path))) getOrMake(found, record, () => []).push(path);
      }
    }
    return found;
  };
  return {
    newIds,
    replace(kind, own, id, newId) {
      if (id !== null) {
        const record = `${kind} ${id}`;
        newIds.set(record, newId);
        byRecord ??= index();
        const ownFile = join(root, own.folder, sourceFile(own));
        for (const path of byRecord.get(record) ?? []) {
          if (path !== ownFile) writeFile(path, replaceIds(readText(path), newIds));
        }
        writeFile(ownFile, replaceIds(readText(ownFile), newIds));
      }
      adoptId(root, own.folder, sourceFile(own), `${kind}_id`, newId);
    },
  };
}

/** The file with the ids of a record. */
function sourceFile({ files, language }: RecordOnDisk): string {
  return files.find((file) => file.language === language)?.name ?? '';
}

function readText(path: string): string {
  return readWholeFile(path).toString();
}
