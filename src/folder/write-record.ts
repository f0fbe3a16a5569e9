import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../foundation/atomic-write.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import type { RecordFiles } from './format-record.ts';

/** An image that was in a body, named by its content. */
const imageFile = /^image-[0-9a-f]{12}\.[a-z]+$/;
const languageFile = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\.(?:md|html)$/;

/**
 * Makes a record's sub-folder hold exactly these language files and their images; other files in it stay. A file is replaced whole, and
 * only when its content differs. Throws LANGUAGE_UNUSABLE for a language that cannot be a file name.
 */
export function writeRecord(root: string, folder: string, files: RecordFiles): void {
  const path = join(root, folder);
  for (const [name, content] of files) if (typeof content === 'string') checkLanguageFile(folder, name);
  makeFolder(path);
  for (const name of readdirSync(path)) {
    const isStale = languageFile.test(name) || (imageFile.test(name) && !isNamed(name, files));
    if (isStale && !files.has(name)) rmSync(join(path, name));
  }
  // Images first: a language file that is there names nothing that is missing.
  for (const [name, content] of files) if (typeof content !== 'string') writeFile(join(path, name), content);
  for (const [name, content] of files) if (typeof content === 'string') writeFile(join(path, name), content);
}

/** Whether a language file speaks of a file: an author may show an image in several languages. */
function isNamed(name: string, files: RecordFiles): boolean {
  return [...files.values()].some((content) => typeof content === 'string' && content.includes(name));
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
export function writeFile(path: string, content: string | Uint8Array): void {
  if (readOrNull(path)?.equals(Buffer.from(content as string)) === true) return;
  writeFileAtomically(path, [content]);
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
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
