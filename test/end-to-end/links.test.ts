import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { followLinks, isReported, type LinksOfBuild } from './support/follow-links.ts';

let parent: string;

beforeAll(() => {
  parent = temporaryFolder();
});

const record = (article_id: string, title: string, body: string, multilingual: readonly object[] = []) => ({
  article_id,
  title,
  body,
  category_id: 'ccccccccc1',
  is_published: true,
  is_private: false,
  multilingual,
});

describe('a site whose authors link to pages that do not exist', () => {
  let links: LinksOfBuild;

  beforeAll(async () => {
    const seed = join(parent, 'seed.json');
    const body = `
      <h2 id="Übersicht">Overview</h2><h2>Next steps</h2><p><a name="old place"></a><a id="anchor"></a>Text</p>
      <p><a href="#next-steps">a</a> <a href="#%C3%9Cbersicht">b</a> <a href="#anchor">c</a> <a href="#">d</a>
      <a href="#gone-here">e</a> <a href="/article/aaaaaaaaa2#steps">f</a> <a href="/article/aaaaaaaaa2#gone-there">g</a>
      <a href="/category/ccccccccc1#gone-shelf">h</a> <a href="/category/ccccccccc1">i</a> <a href="#old%20place">j</a>
      <a href="#main">k</a> <a href="#gone%zz">l</a> <a href="/article/aaaaaaaaa1#gone-self">m</a>
      <a href="/article/aaaaaaaaa2#main">n</a> <a href="/article/zzzzzzzzz9#lost">o</a> <a href="#TOP">p</a>
      <a href="/article/aaaaaaaaa2#Top">q</a> <a href="/category/ccccccccc1#top">r</a>
      <a href="#lost%20place">s</a> <a href="#Next%20steps">t</a></p>`;
    const records = {
      articles: [
        record('aaaaaaaaa1', 'First', body, [
          { language_code: 'ar', title: 'الأول', body: '<p><a href="/article/aaaaaaaaa2#gone-ar">أ</a></p>' },
        ]),
        record('aaaaaaaaa2', 'Second', '<h2>Steps</h2><p>Text</p>', [
          { language_code: 'fr', title: 'Deux', body: '<h2>Pas</h2><p>Texte</p>' },
        ]),
      ],
      categories: [{ category_id: 'ccccccccc1', title: 'Shelf' }],
    };
    await writeFile(seed, JSON.stringify(records));
    links = await followLinks(seed, parent);
  });

  it('has no other broken links', () => {
    expect([...new Set(links.broken.map(({ href }) => href))].sort()).toEqual([
      '#gone%25zz',
      '#gone-here',
      '#lost%20place',
      '/en/article/aaaaaaaaa1-first/#gone-self',
      '/en/article/aaaaaaaaa2-second/#gone-ar',
      '/en/article/aaaaaaaaa2-second/#gone-there',
      '/en/category/ccccccccc1-shelf/#gone-shelf',
    ]);
  });

  it('has each of them in the report of the build', () => {
    expect(links.broken.filter((link) => !isReported(link, links.report))).toEqual([]);
  });

  it('may lead to the top of any page', () => {
    expect(links.report.problems.filter(({ message }) => /#top\b/i.test(message))).toEqual([]);
  });
});
