import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import type { RecordFiles } from './format-record.ts';

const languageFile = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\.(?:md|html)$/;

/**
 * Makes a record's sub-folder hold exactly these language files; other files in it stay. A file is replaced whole, and
 * only when its content differs. Throws LANGUAGE_UNUSABLE for a language that cannot be a file name.
 */
export function writeRecord(root: string, folder: string, files: RecordFiles): void {
  const place = join(root, folder);
  for (const name of files.keys()) checkLanguageFile(folder, name);
  makeFolder(place);
  for (const name of readdirSync(place)) {
    if (languageFile.test(name) && !files.has(name)) rmSync(join(place, name));
  }
  for (const [name, content] of files) writeFile(join(place, name), content);
}

/** @throws LANGUAGE_UNUSABLE for a name such as `../de.md`, made from a language code that is none */
export function checkLanguageFile(folder: string, name: string): void {
  if (languageFile.test(name)) return;
  throw new LecternError('LANGUAGE_UNUSABLE', `${folder}: ${name} cannot be the name of a language file`, {
    hint: 'correct the language code in the knowledge base; it must be a tag such as "de" or "pt-BR"',
  });
}

/** Removes a record's sub-folder with all it holds. */
export function removeRecord(root: string, folder: string): void {
  rmSync(join(root, folder), { recursive: true, force: true });
}

/** Writes a file atomically; a file that already has the content is not touched. */
export function writeFile(path: string, content: string): void {
  if (readOrNull(path) === content) return;
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Puts the id a record was given into its file, and leaves every other character of the file as it is.
 * @param field `article_id` or `category_id`
 */
export function adoptId(root: string, folder: string, fileName: string, field: string, id: string): void {
  const path = join(root, folder, fileName);
  const text = readFileSync(path, 'utf8');
  const line = `${field}: ${JSON.stringify(id)}`;
  const existing = new RegExp(`^${field}:.*$`, 'm');
  const end = text.indexOf('\n---', 3);
  const frontMatter = text.slice(0, end);
  const changed = existing.test(frontMatter)
    ? frontMatter.replace(existing, line)
    : frontMatter.replace(/^(\uFEFF?---\r?\n)/, `$1${line}\n`);
  writeFile(path, changed + text.slice(end));
}
