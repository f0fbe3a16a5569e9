import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Corpus, CorpusCategory } from './corpus.ts';

/**
 * Writes a corpus as one HTML file with front matter per article and language, and one `_index.html` per category and language: the format
 * that Hugo and Eleventy read. The folders are the category tree.
 */
export function writePages(folder: string, corpus: Corpus): void {
  const folders = categoryFolders(corpus.categories);
  for (const { id, texts } of corpus.categories) {
    for (const { language, title, description } of texts) {
      const head = { title, description, language, layout: 'category', key: id };
      writePage(join(folder, language, folders.get(id) ?? id, '_index.html'), head, '');
    }
  }
  for (const { texts, ...article } of corpus.articles()) {
    const place = folders.get(article.categoryId ?? '') ?? '';
    for (const { language, body, title, slug, description } of texts) {
      const head = {
        title,
        slug: `${article.id}-${slug ?? ''}`,
        description,
        language,
        layout: 'article',
        key: article.id,
        category: article.categoryId,
        tags: article.tags,
        date: article.createdAt,
        lastmod: article.updatedAt,
      };
      writePage(join(folder, language, place, `${article.id}.html`), head, body);
    }
  }
}

/** JSON is YAML, so the front matter needs no library. */
function writePage(path: string, head: Readonly<Record<string, unknown>>, body: string): void {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\n${lines.join('\n')}\n---\n${body}\n`);
}

function categoryFolders(categories: readonly CorpusCategory[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const { id, parentId } of categories) {
    folders.set(id, parentId === null ? id : `${folders.get(parentId) ?? ''}/${id}`);
  }
  return folders;
}
