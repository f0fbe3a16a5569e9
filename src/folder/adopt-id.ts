import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFile } from './write-record.ts';

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
