import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../src/config/', import.meta.url));

/** The doc comment of every setting, by its path in the configuration (`site.theme.accent`). */
export function readDocComments(): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    // `media-settings.ts` describes the section `media`, `schema.ts` the top level.
    const section = /^(\w+)-settings\.ts$/.exec(name)?.[1];
    if (section === undefined && name !== 'schema.ts') continue;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [path, comment] of scan(text, section === undefined ? [] : [section])) {
      comments.set(path, comment);
    }
  }
  return comments;
}

/** Follows comments, field names and braces; what is no field of the schema gets a path that nobody asks for. */
function* scan(text: string, section: readonly string[]): Generator<readonly [string, string]> {
  const token =
    /\/\*\*([\s\S]*?)\*\/|\/\/.*|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/(?![/*\s])(?:\\.|\[[^\]]*\]|[^/\\\n])+\/|(\w+):|([{}])/g;
  const open: (string | null)[] = [];
  let comment: string | null = null;
  let field: string | null = null;
  for (const [, doc, name, brace] of text.matchAll(token)) {
    if (doc !== undefined)
      comment = doc
        .replace(/^\s*\*\s?/gm, '')
        .replace(/\s+/g, ' ')
        .trim();
    else if (name !== undefined) {
      field = name;
      if (comment !== null)
        yield [[...section, ...open.filter((part) => part !== null), name].join('.'), comment];
      comment = null;
    } else if (brace === '{') {
      open.push(field);
      field = null;
      comment = null;
    } else if (brace === '}') {
      open.pop();
      field = null;
    }
  }
}
