import { statSync } from 'node:fs';
import { type ArticleCreate, articleCreate } from '../core/api/article.ts';
import { type CategoryCreate, categoryCreate } from '../core/api/category.ts';
import { findIllFormedText } from '../core/api/record-text.ts';
import { countOf } from '../core/count-of.ts';
import { LecternError } from '../core/errors.ts';
import { readTextFile } from '../core/file-system.ts';
import { describeWrongField, z } from '../core/schema.ts';
import { readFolder } from '../source/folder/read-folder.ts';
import type { Records } from './store/store.ts';

/** A knowledge base for an empty service, with notes about parts that could not be used. */
export interface Seed extends Records {
  /** One sentence each. */
  readonly notes: readonly string[];
}

const seedFile = z.looseObject({
  articles: z.array(z.looseObject({})).default([]),
  categories: z.array(z.looseObject({})).default([]),
});

/**
 * Reads a seed: a folder (see `docs/service.md`), or a JSON file `{"articles": [...], "categories": [...]}` of API records. Unknown fields
 * are dropped and noted. Throws `USAGE`, or the errors of reading a folder.
 * @param defaultLanguage that of new records of a folder; `null`: unknown
 */
export function readSeed(path: string, defaultLanguage: string | null = null): Seed {
  if (isFolder(path)) {
    const { articles, categories } = readFolder(path, defaultLanguage);
    return {
      articles: articles.map((entry) => entry.record),
      categories: categories.map((entry) => entry.record),
      notes: [],
    };
  }
  return parseSeed(readTextFile(path), path);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new LecternError('USAGE', `the seed ${path} cannot be read`, {
      hint: 'pass a JSON file of API records or a folder with --seed',
      cause,
    });
  }
}

function parseSeed(text: string, path: string): Seed {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw invalid(path, 'it is not JSON', cause);
  }
  const badPath = findIllFormedText(json);
  if (badPath !== null)
    throw invalid(path, `${badPath.join('.')} contains NUL or half a surrogate pair`, null);
  const file = seedFile.safeParse(json);
  if (!file.success) throw invalid(path, describeFirst(file.error, json), file.error);
  const unknown = new Map<string, number>();
  const articles = file.data.articles.map((record, index) =>
    checkRecord<ArticleCreate>(articleCreate, record, `${path}: articles[${index}]`, unknown),
  );
  const categories = file.data.categories.map((record, index) =>
    checkRecord<CategoryCreate>(categoryCreate, record, `${path}: categories[${index}]`, unknown),
  );
  const notes = [...unknown].map(
    ([field, count]) => `The API has no field ${field}; it was dropped from ${countOf(count, 'record')}.`,
  );
  return { articles, categories, notes };
}

function checkRecord<T>(
  schema: z.ZodType<T>,
  record: Record<string, unknown>,
  location: string,
  unknown: Map<string, number>,
): T {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const known = structuredClone(record);
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys')
      throw invalid(location, describeFirst(parsed.error, record), parsed.error);
    for (const key of issue.keys) {
      const field = [...issue.path.filter((part) => typeof part === 'string'), key].join('.');
      unknown.set(field, (unknown.get(field) ?? 0) + 1);
      removeField(known, issue.path, key);
    }
  }
  return schema.parse(known);
}

function describeFirst({ issues }: z.ZodError, value: unknown): string {
  const issue = issues.find(({ code }) => code !== 'unrecognized_keys') as z.core.$ZodIssue;
  return describeWrongField(issue, value);
}

function removeField(record: Record<string, unknown>, path: readonly PropertyKey[], key: string): void {
  let location: unknown = record;
  for (const part of path) location = (location as Record<PropertyKey, unknown>)[part];
  delete (location as Record<string, unknown>)[key];
}

function invalid(location: string, reason: string, cause: unknown): LecternError {
  return new LecternError('USAGE', `${location}: ${reason}`, {
    hint: 'correct the seed, or start without --seed',
    exitCode: 1,
    cause,
  });
}
