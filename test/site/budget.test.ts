import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SiteFiles } from '../support/static-server.ts';
import { buildFiles } from './support/build-files.ts';
import { pagesOfEachKind, sampleBase } from './support/sample.ts';

const kilobyte = 1024;

describe.each(['help', 'docs'] as const)('the %s look', (look) => {
  let files: SiteFiles;

  beforeAll(async () => {
    ({ files } = await buildFiles(sampleBase, { look }));
  });

  function compressed(names: RegExp): number {
    const found = [...files].filter(([path]) => names.test(path));
    expect(found.length).toBeGreaterThan(0);
    return found.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
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
    const sizes = [path, ...names].map((name) => gzipSync(files.get(name) ?? '').length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(22 * kilobyte);
  });
});
