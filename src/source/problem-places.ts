import { posix } from 'node:path';
import { decodePercent } from '../core/addresses.ts';
import { once, oncePerKey } from '../core/concurrency.ts';
import { orNull } from '../core/errors.ts';
import { isSameLanguage } from '../core/language.ts';
import type { Category, KnowledgeBase } from '../core/model.ts';
import type { Problem } from '../core/problems.ts';
import type { ProblemPlace } from '../core/report.ts';
import { parseJsonOrNull } from '../core/unknown-record.ts';
import type { Source } from './source.ts';

/** The file of a language; of a record or of a language without one, the first file. */
export function fileOfLanguage(
  files: Readonly<Record<string, string>>,
  language: string | null,
): string | null {
  const all = Object.entries(files);
  const own = all.find(([tag]) => language !== null && isSameLanguage(tag, language));
  return (own ?? all[0])?.[1] ?? null;
}

/**
 * Finds the places of problems: file and line in a folder, or title and address in a knowledge base.
 * @param readFile text of a file, relative to the folder of the configuration; throws if it cannot be read
 * @param addressOf address of an article in the knowledge base, for its authors
 */
export function createPlaces(
  { knowledgeBase, fileOf }: Pick<Source, 'knowledgeBase' | 'fileOf'>,
  readFile: (file: string) => string,
  addressOf: (articleId: string) => string | null,
): (problem: Problem) => ProblemPlace {
  const articles = once(() => new Map(knowledgeBase.articles.map((article) => [article.id, article])));
  const categories = once(() => new Map(publicCategories(knowledgeBase).map((one) => [one.id, one])));
  // A file may have been deleted since the snapshot. Problems of a file mostly follow each other.
  const linesOf = oncePerKey((file: string) => orNull(() => readFile(file).split('\n')) ?? [], 64);
  return (problem) => {
    const { articleId, categoryId, language, message } = problem;
    const file = problem.file ?? (articleId === null ? null : fileOf(articleId, language));
    const record =
      articleId === null
        ? categoryId === null
          ? undefined
          : categories().get(categoryId)
        : articles().get(articleId);
    const translations = record?.translations ?? [];
    const { title = null } = translations.find((one) => one.language === language) ?? translations[0] ?? {};
    const lines = file === null ? [] : linesOf(file);
    const found = problem.line ?? findLine(lines, message);
    const hidden = file === null ? null : hiddenTarget(problem);
    const line = found ?? (hidden === null ? null : findLink(lines, hidden.file));
    return {
      file,
      line,
      ...(hidden !== null
        ? { message: hidden.message }
        : line !== null && file !== null
          ? { message: asWritten(problem, lines[line - 1] ?? '') }
          : {}),
      title,
      address: file !== null || articleId === null ? null : addressOf(articleId),
    };
  };

  /** The file that a link to a page that is not public names; authors of a folder do not know the id of the page. */
  function hiddenTarget({ code, message }: Problem) {
    const [, id = null, rest = ''] =
      (code === 'LINK_TO_HIDDEN' && / points to the article (\w+)(, which .*)$/s.exec(message)) || [];
    const file = id === null ? null : fileOf(id, null);
    return file === null ? null : { file, message: `a link points to ${file}${rest}` };
  }
}

/** Categories that contain a public article, also in a category below. The title of another one may be as confidential as its articles. */
function publicCategories({ articles, categories }: KnowledgeBase): readonly Category[] {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const used = new Set<Category>();
  for (const { categoryId } of articles) {
    for (let id = categoryId; id !== null; ) {
      const category = byId.get(id);
      if (category === undefined || used.has(category)) break;
      used.add(category);
      id = category.parentId;
    }
  }
  return [...used];
}

/** The first line with a link to a file: by its name, or by its path without the extension; `null` if there is none. */
function findLink(lines: readonly string[], target: string): number | null {
  const file = posix.basename(target);
  const stem = file.replace(/\.\w+$/, '');
  const name = stem === 'index' ? posix.basename(posix.dirname(target)) : stem;
  for (const text of [file, `/${name}`, `(${name}`, `"${name}`]) {
    const at = lines.findIndex((line) => line.includes(text));
    if (at !== -1) return at + 1;
  }
  return null;
}

/** Authors of a folder know a link to a page by the file that it names, not by the URL of the page. */
function asWritten({ code, message }: Problem, line: string): string {
  const [url = '', anchor = ''] = (code === 'ANCHOR_MISSING' && /\/\S*(#\S+)/.exec(message)) || [];
  if (anchor === '') return message;
  const link = line
    .split(/[\s()<>[\]"'`]+/)
    .find((part) => part.endsWith(anchor) || part.endsWith(decodePercent(anchor)));
  return link === undefined ? message : message.replace(url, () => `"${link}"`);
}

/** The first line with something that a message quotes, or with the anchor of a URL in it; `null` if there is none. */
function findLine(lines: readonly string[], message: string): number | null {
  const quoted = [...message.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([whole, inside = '']) =>
    String(parseJsonOrNull(whole) ?? inside),
  );
  const wikiLinks = message.match(/!?\[\[[^\]]+\]\]/g) ?? [];
  const addresses = [...message.matchAll(/(?:https?:\/\/|\/)\S+/g)].map(([address]) => address);
  const anchors = addresses.flatMap((address) => /#.+/.exec(address)?.[0] ?? []);
  for (const text of [...quoted, ...wikiLinks, ...addresses, ...anchors]) {
    const forms = [text, decodePercent(text)].filter((form) => form.length > 1);
    const at = lines.findIndex((line) => forms.some((form) => line.includes(form)));
    if (at !== -1) return at + 1;
  }
  return null;
}
