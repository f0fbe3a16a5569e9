import { createReadStream } from 'node:fs';
import { type Compression, withCompressedCopies } from './compressed-copies.ts';
import type { RecordedFile } from './last-output.ts';
import type { OutputFile, WrittenFile } from './output.ts';
import { stagedFolderAt } from './staged-folder.ts';
import { createStagedTree } from './staged-tree.ts';

/** Where an output is staged. Plain data: other threads write their files there themselves. */
export interface Workspace {
  /** Absolute path of the staging folder. */
  readonly folder: string;
  /** An earlier output was staged there, and has left files. */
  readonly isUsed: boolean;
  /** Absolute path of the output. */
  readonly out: string;
  /** The same where there is an output to be replaced; else `null`. */
  readonly previous: string | null;
}

/** Files written from one thread. */
export interface WorkspaceOutput {
  /** @param sha256 of the content, hex, where the caller has it already */
  write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile>;
  open(path: string): Promise<OutputFile>;
  /** Publishes a file that is written elsewhere. @param from absolute path */
  link(from: string, file: WrittenFile): void;
  /** What was written, compressed copies too, and how many of it are files of the previous output. */
  finish(): { readonly files: readonly WrittenFile[]; readonly reusedFiles: number };
}

/** @param previousFiles what is known of the previous output's files with the paths to be written */
export function openWorkspace(
  { folder, isUsed, out, previous }: Workspace,
  previousFiles: ReadonlyMap<string, RecordedFile>,
  compress: readonly Compression[],
): WorkspaceOutput {
  const staged = stagedFolderAt(folder, isUsed);
  const known = { find: (path: string) => previousFiles.get(path) ?? null };
  const tree = createStagedTree(
    () => staged,
    out,
    previous,
    () => known,
  );
  const output = withCompressedCopies(
    {
      ...tree,
      write: async (path: string, content: string | Uint8Array, sha256?: string) =>
        tree.write(path, content, sha256),
      open: async (path: string) => tree.open(path),
      reuseAll: async (paths: readonly string[]) => tree.reuseAll(paths),
      readStaged: (path: string) => createReadStream(`${folder}/${path}`),
    },
    compress,
  );
  return {
    write: output.write,
    open: output.open,
    link: tree.link,
    finish: () => ({ files: [...tree.files()], reusedFiles: tree.reused() }),
  };
}
