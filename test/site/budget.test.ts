import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { article, category } from '../support/knowledge-base.ts';
import { publishSite } from '../support/publish-site.ts';
import type { SiteFiles } from '../support/static-server.ts';
import { document, planOf } from './support/fixture.ts';
import { renderArticle } from './support/render-article.ts';
import { pagesOfEachKind, sampleRecords } from './support/sample.ts';

const kilobyte = 1024;

/** The size of a file as the published package writes it (`scripts/pack.mjs`), compressed. */
function sizeOf(name: string, content: string | Uint8Array): number {
  const loader = name.endsWith('.css') ? 'css' : name.endsWith('.js') ? 'js' : null;
  const text = Buffer.from(content).toString();
  return gzipSync(
    loader === null ? text : transformSync(text, { loader, minify: true, target: 'es2022' }).code,
  ).length;
}

/** As hard to compress as titles and ids are. */
const noise = (seed: string, length: number): string =>
  createHash('sha256').update(seed).digest('hex').slice(0, length);
const idOf = (at: number): string => noise(`id ${at}`, 10);
const titleOf = (seed: string): string => noise(seed, 30).replace(/(.{5})/g, '$1 ');

/** 500 articles, 90 of them in one of 36 categories. */
function largePlan() {
  const categories = Array.from({ length: 36 }, (_, at) =>
    category(
      `c${idOf(at).slice(1)}`,
      { en: titleOf(`category ${at}`) },
      at < 6 ? {} : { parentId: `c${idOf(at % 6).slice(1)}` },
    ),
  );
  const articles = Array.from({ length: 500 }, (_, at) => {
    const categoryId = categories[at < 90 ? 35 : at % 35]?.id ?? null;
    return article(idOf(at), { en: titleOf(`article ${at}`) }, { categoryId, sortOrder: at });
  });
  return planOf(articles, categories);
}

describe.each(['help', 'docs'] as const)('the %s look', (look) => {
  let files: SiteFiles;

  beforeAll(async () => {
    ({ files } = await publishSite(sampleRecords, { site: { look } }));
  });

  function compressed(names: RegExp): number {
    const found = [...files].filter(([path]) => names.test(path));
    expect(found.length).toBeGreaterThan(0);
    return found.reduce((sum, [name, content]) => sum + sizeOf(name, content), 0);
  }

  test('needs at most 10 KB of CSS', () => {
    expect(compressed(/^assets\/.*\.css$/)).toBeLessThanOrEqual(10 * kilobyte);
  });

  test('needs at most 5 KB of JavaScript before the search is opened', () => {
    expect(compressed(/^assets\/(?:site|theme|root)\.\w+\.js$/)).toBeLessThanOrEqual(5 * kilobyte);
  });

  test('puts at most 15 KB of page around an article', () => {
    const path = `${pagesOfEachKind('en').article?.slice(1)}index.html`;
    const page = files.get(path)?.toString() ?? '';
    const body =
      /<div class="prose"[^>]*>([\s\S]*?)\n<\/div>\n<div class="article-tools">/.exec(page)?.[1] ?? '';
    expect(body.length).toBeGreaterThan(500);
    expect(Buffer.byteLength(page) - Buffer.byteLength(body)).toBeLessThanOrEqual(15 * kilobyte);
  });

  test('leaves 3 of the 22 KB of a page to the text of an article, also in a large help centre', async () => {
    const site = await createSite(largePlan(), siteSettings.parse({ look }), {
      templatesFolder: null,
      iframeHosts: [],
    });
    const page = renderArticle(site, idOf(45), 'en', document('<p>Text.</p>')).content;
    const assets = [...files].filter(([name]) => /^assets\/(?:site|theme|favicon)\./.test(name));
    const sizes = [['', page] as const, ...assets].map(([name, content]) => sizeOf(name, content));
    expect(sizes).toHaveLength(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(19 * kilobyte);
  });

  test('loads at most 22 KB for an article, compressed, with everything its page names', () => {
    const path = `${pagesOfEachKind('en').article?.slice(1)}index.html`;
    const page = files.get(path)?.toString() ?? '';
    const named = [
      ...page.matchAll(/<(?:link rel="(?:stylesheet|icon)"|script)[^>]* (?:href|src)="\/([^"]+)"/g),
    ];
    const names = named.map(([, name]) => name ?? '');
    expect(names.map((name) => name.replace(/\.\w{10}\./, '.')).toSorted()).toEqual(
      ['favicon.svg', 'site.css', 'site.js', 'theme.js'].map((name) => `assets/${name}`),
    );
    const sizes = [path, ...names].map((name) => sizeOf(name, files.get(name) ?? ''));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(22 * kilobyte);
  });
});
