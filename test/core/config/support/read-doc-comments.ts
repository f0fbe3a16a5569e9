import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../src/core/config/', import.meta.url));

/** The doc comment of every setting, by its path in the configuration (`site.theme.accent`). */
export function readDocComments(): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    // `site-settings.ts` describes the section `site`, `schema.ts` the top level and, as `mediaSettings`, the section `media`.
    const section = /^(\w+)-settings\.ts$/.exec(name)?.[1];
    if (section === undefined && name !== 'schema.ts') continue;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [path, comment] of scan(text, section === undefined ? [] : [section])) {
      comments.set(path, comment);
    }
  }
  return comments;
}

/** Follows comments, field names and braces; other text gets a path that is never looked up. */
function* scan(text: string, section: readonly string[]): Generator<readonly [string, string]> {
  const token =
    /\/\*\*([\s\S]*?)\*\/|\/\/.*|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/(?![/*\s])(?:\\.|\[[^\]]*\]|[^/\\\n])+\/|\bconst (\w+)Settings\b|(\w+):|([{}])/g;
  const open: (string | null)[] = [];
  let comment: string | null = null;
  let field: string | null = null;
  for (const [, doc, constant, name, brace] of text.matchAll(token)) {
    if (doc !== undefined)
      comment = doc
        .replace(/^\s*\*\s?/gm, '')
        .replace(/\s+/g, ' ')
        .trim();
    else if (constant !== undefined) field = section.length === 0 ? constant : null;
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
