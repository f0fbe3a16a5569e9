import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContentReader } from '../../../src/source/folder/open-folder.ts';

/** Documentation of the generators themselves, beside a checkout; not part of the repository. */
const projects = resolve(import.meta.dirname, '../../../../shared/projects');

/** Syntax that the generator of a project renders. */
const raw =
  /^\s*:::|^\s*(?:!!!|\?\?\?|===) "?\w|--8<--|<<<\s|\[\[toc\]\]|\{\s*[.#][\w-]+[^{}]*\}|\+\+[a-z]+(?:\+[a-z]+)*\+\+|:(?:material|octicons|fontawesome|simple)-[\w-]+:|\{\{|\{%|<!--@include|^(?:import|export) .*(?:from ['"]|=)/m;

function textOf(html: string): string {
  return html
    .replace(/<(pre|code|script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<\/?(?:p|div|li|h\d|td|tr|br|summary|details|blockquote)\b[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

describe.each([
  // One VitePress page shows braces on purpose, in eight languages.
  ['vitepress', 33, 9],
  ['mkdocs-material', 90, 0],
  ['starlight', 37, 0],
  ['hugo', 700, 0],
  ['pnpm', 130, 0],
])('the documentation of %s', (name, pages, shownOnPurpose) => {
  it.skipIf(!existsSync(join(projects, name)))(
    'is published without raw syntax',
    { timeout: 300_000 },
    () => {
      const reader = createContentReader({
        root: join(projects, name),
        layout: 'plain',
        locales: null,
        defaultLanguage: 'en',
        ignored: [],
      });
      const { articles } = reader.read(Date.UTC(2026, 10, 24));
      const shown = articles.filter(({ excluded }) => excluded === null);
      expect(shown.length).toBeGreaterThanOrEqual(pages);
      const wrong = shown.flatMap(({ path, render }) => {
        const { body, multilingual } = render().record as {
          body: string | null;
          multilingual: readonly { body?: string | null }[];
        };
        return [body, ...multilingual.map((one) => one.body)].flatMap((html) => {
          const found = raw.exec(textOf(html ?? ''));
          return found === null ? [] : [`${path}: ${found[0].trim()}`];
        });
      });
      expect(wrong.slice(0, 50)).toHaveLength(shownOnPurpose);
    },
  );
});
