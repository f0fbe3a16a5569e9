import { type ReadMarkup, readMarkup } from '../../src/source/folder/markup/markup.ts';
import type { Markup } from '../../src/source/folder/markup/rules.ts';

/** Reads the text of a page with the syntax of a generator. `files` are the other files of its project, by path. */
export function readPage(
  markup: Markup,
  text: string,
  files: Readonly<Record<string, string>> = {},
  path = 'docs/page.md',
  data: Readonly<Record<string, unknown>> = {},
): ReadMarkup {
  const read = (part: string): string => {
    const found = files[part];
    if (found === undefined) throw new Error(`${part} does not exist`);
    return found;
  };
  return readMarkup(markup, { text, path, tree: 'docs', data, linesBefore: 0, read });
}
