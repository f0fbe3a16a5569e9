import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { describeFolder, type FolderWatcher, fileLine, sizeAndTime } from './describe-folder.ts';

/**
 * What a folder holds, so that the next look need not list it: a folder's time changes when something is added to it,
 * removed from it or renamed in it, and a file's when it is edited.
 */
export interface FolderStamp {
  /** One line per folder: its path, then the names of its files, between tabs. */
  readonly names: string;
  /** Hash over the times of all folders, and sizes and times of all files. */
  readonly sha256: string;
}

/** Whether a folder is as it was when stamped. What cannot be looked at has changed. */
export function isAsStamped(folder: string, { names, sha256 }: FolderStamp): boolean {
  const digest = createHash('sha256');
  let block = '';
  try {
    for (const line of names.split('\n')) {
      const [path = '', ...files] = line.split('\t');
      const place = path === '' ? folder : `${folder}/${path}`;
      block += folderLine(path, place);
      for (const name of files) block += fileLine(name, sizeAndTime(statSync(`${place}/${name}`)));
      if (block.length < blockLength) continue;
      digest.update(block);
      block = '';
    }
  } catch {
    return false;
  }
  return digest.update(block).digest('hex') === sha256;
}

/**
 * Describes a folder by size and time, and stamps it on the way.
 * @returns `stamp` is `null` where a name cannot stand in it
 */
export function describeAndStamp(
  folder: string,
  onStats: NonNullable<FolderWatcher['onStats']>,
  isIgnored: NonNullable<FolderWatcher['isIgnored']>,
): { readonly description: string | null; readonly stamp: FolderStamp | null } {
  const digest = createHash('sha256');
  const lines: string[] = [];
  let current = '';
  let isPlain = true;
  const description = describeFolder(folder, 'size and time', {
    onStats,
    isIgnored,
    onFolder(path) {
      current = path;
      digest.update(folderLine(path, path === '' ? folder : `${folder}/${path}`));
    },
    onFiles(names, described) {
      digest.update(described);
      isPlain &&= ![current, ...names].some((name) => /[\t\n]/.test(name));
      lines.push([current, ...names].join('\t'));
    },
  });
  const isStamped = description !== null && isPlain;
  return {
    description,
    stamp: isStamped ? { names: lines.join('\n'), sha256: digest.digest('hex') } : null,
  };
}

const blockLength = 1024 * 1024;

function folderLine(path: string, place: string): string {
  return `${path}\t${statSync(place).mtimeMs}\n`;
}
