import type { Article, ArticleCreate, ArticleUpdate } from '../api/article.ts';
import type { Category, CategoryCreate, CategoryUpdate } from '../api/category.ts';
import type { Client } from '../source/client-types.ts';
import { type Comparable, comparableArticle, comparableCategory, takeOverSlugs } from './comparable.ts';
import { listChanges } from './list-changes.ts';
import { toUpdate } from './to-update.ts';

/** Creates an article, and sends once more what a service does not take on creation. */
export async function createArticle(
  client: Client,
  record: ArticleCreate,
  ownLanguage: string,
): Promise<Article> {
  const article = await client.createArticle(record);
  const rest = findRest(comparableArticle(article, ownLanguage), comparableArticle(record, ownLanguage));
  return rest === null ? article : client.updateArticle(article.article_id, rest as ArticleUpdate);
}

/** Creates a category; the interface promises only title and description on creation, so the rest may follow. */
export async function createCategory(
  client: Client,
  record: CategoryCreate,
  ownLanguage: string,
): Promise<Category> {
  const category = await client.createCategory(record);
  const rest = findRest(comparableCategory(category, ownLanguage), comparableCategory(record, ownLanguage));
  return rest === null ? category : client.updateCategory(category.category_id, rest as CategoryUpdate);
}

function findRest(created: Comparable, record: Comparable): Readonly<Record<string, unknown>> | null {
  const wanted = takeOverSlugs(record, created);
  const changes = listChanges(created, wanted);
  return changes.length === 0 ? null : toUpdate(changes, wanted);
}
