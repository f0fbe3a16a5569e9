import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { slugify } from '../../src/core/slug.ts';
import { readFolder } from '../../src/source/folder/read-folder.ts';

const root = fileURLToPath(new URL('../../sample/', import.meta.url));
const { articles, categories } = readFolder(root);

interface Text {
  readonly article: string;
  readonly language: string;
  readonly body: string;
  readonly isLive: boolean;
}

const texts: readonly Text[] = articles.flatMap(({ folder, record }) => [
  { article: folder, language: 'en', body: record.body ?? '', isLive: true },
  ...(record.multilingual ?? []).map((translation) => ({
    article: folder,
    language: translation.language_code,
    body: translation.body ?? '',
    isLive: translation.is_live ?? true,
  })),
]);
const sourceOf = new Map(
  texts.filter(({ language }) => language === 'en').map((text) => [text.article, text]),
);
const folderOfId = new Map(articles.map(({ folder, record }) => [record.article_id, folder]));
const draft = articles.find(({ record }) => record.is_published === false);

/** Links of a text into the help centre: `/article/<id>[-<slug>][#<anchor>]`. */
function linksOf(text: Text) {
  return [...text.body.matchAll(/href="\/article\/([A-Za-z0-9]+)[^"#]*(?:#([^"]*))?"/g)].map((match) => ({
    from: `${text.article}/${text.language}`,
    id: match[1] ?? '',
    anchor: match[2] ?? null,
  }));
}

/** Level and anchor of every heading, e.g. `2 before-you-start`. */
function headingsOf(body: string): { level: string; anchor: string }[] {
  return [...body.matchAll(/<h([1-6])>(.*?)<\/h\1>/g)].map((match) => ({
    level: match[1] ?? '',
    anchor: slugify((match[2] ?? '').replace(/<[^>]*>/g, '')),
  }));
}

const outlineOf = (text: Text) => headingsOf(text.body).map(({ level }) => level);
const codeOf = (text: Text) => text.body.match(/<pre>[\s\S]*?<\/pre>/g) ?? [];
const links = texts.flatMap(linksOf);

describe('the sample knowledge base', () => {
  it('has at least 24 public articles and a category tree of two levels', () => {
    const open = articles.filter(({ record }) => record.is_published && !record.is_private);
    expect(open.length).toBeGreaterThanOrEqual(24);
    const tops = new Set(categories.filter(({ record }) => !record.parent_category_id).map(idOfCategory));
    const children = categories.filter(({ record }) => record.parent_category_id);
    expect(children.length).toBeGreaterThan(0);
    for (const { record } of children) expect(tops).toContain(record.parent_category_id);
  });

  it('files every article under a category that exists', () => {
    const known = new Set(categories.map(idOfCategory));
    for (const { folder, record } of articles) expect(known, folder).toContain(record.category_id);
  });

  it('is written in en, de, ar and ja, most of it in all four, and every category in all four', () => {
    expect(new Set(texts.map(({ language }) => language))).toEqual(new Set(['en', 'de', 'ar', 'ja']));
    const whole = articles.filter(({ record }) => record.multilingual?.length === 3);
    expect(whole.length).toBeGreaterThan(articles.length / 2);
    for (const { folder, record } of categories) expect(record.multilingual, folder).toHaveLength(3);
  });

  it.each(['de', 'ar', 'ja'])('leaves some public articles untranslated in %s', (language) => {
    const missing = articles.filter(
      ({ record }) =>
        record.is_published &&
        !record.is_private &&
        !record.multilingual?.some((translation) => translation.language_code === language),
    );
    expect(missing.length).toBeGreaterThanOrEqual(3);
  });

  it('contains exactly one draft, one private article and one translation that is not live', () => {
    expect(articles.filter(({ record }) => !record.is_published)).toHaveLength(1);
    expect(articles.filter(({ record }) => record.is_private)).toHaveLength(1);
    expect(texts.filter(({ isLive }) => !isLive)).toHaveLength(1);
  });

  it('links to articles that exist, with one deliberate exception', () => {
    const broken = links.filter(({ id }) => !folderOfId.has(id));
    expect(broken.map(({ from, id }) => `${from} → ${id}`)).toEqual([
      'articles/send-a-return/en → 7uNx0Pr1nT',
    ]);
  });

  it('links to its draft once, so that unlinking can be seen', () => {
    expect(draft).toBeDefined();
    expect(links.filter(({ id }) => id === draft?.record.article_id).map(({ from }) => from)).toEqual([
      'articles/courier-api-quickstart/en',
    ]);
  });

  it('links only to anchors that the English article has', () => {
    const anchored = links.filter(({ anchor }) => anchor !== null);
    expect(anchored.length).toBeGreaterThan(10);
    for (const { from, id, anchor } of anchored) {
      const anchors = headingsOf(sourceOf.get(folderOfId.get(id) ?? '')?.body ?? '').map(
        (heading) => heading.anchor,
      );
      expect(anchors, from).toContain(anchor);
    }
  });

  it('has the same outline and the same code in every translation', () => {
    for (const text of texts) {
      const source = sourceOf.get(text.article) ?? text;
      expect(outlineOf(text), `${text.article}/${text.language}`).toEqual(outlineOf(source));
      expect(codeOf(text), `${text.article}/${text.language}`).toEqual(codeOf(source));
    }
  });

  it('leaves no Markdown unrendered', () => {
    for (const { article, language, body } of texts) {
      const prose = body.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, '');
      expect(prose, `${article}/${language}`).not.toMatch(/\*\*|\[!|\]\(|^#/m);
    }
  });

  it.each([
    ['tables', '<table>'],
    ['callouts', 'class="warning-callout"'],
    ['numbered steps', '<ol>'],
    ['nested lists', /<li>(?:(?!<\/li>)[\s\S])*<ul>/],
    ['shell commands', 'class="language-bash"'],
    ['JSON', 'class="language-json"'],
    ['JavaScript', 'class="language-javascript"'],
    ['an accordion', '<details>'],
    ['task lists', 'type="checkbox"'],
    ['images', '<img'],
  ])('shows %s', (_, mark) => {
    expect(texts.some(({ body }) => body.search(mark) >= 0)).toBe(true);
  });

  it('describes every image, and keeps each under 40 KB', () => {
    const images = texts.flatMap(({ body }) => body.match(/<img[^>]*>/g) ?? []);
    expect(images.length).toBeGreaterThan(0);
    for (const image of images) expect(image).toMatch(/ alt="[^"]{20,}"/);
    for (const name of readdirSync(join(root, 'images'))) {
      expect(statSync(join(root, 'images', name)).size, name).toBeLessThanOrEqual(40 * 1024);
    }
  });
});

function idOfCategory(entry: (typeof categories)[number]): string | undefined {
  return entry.record.category_id;
}
