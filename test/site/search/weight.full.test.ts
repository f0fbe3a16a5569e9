import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCorpus } from '../../../bench/corpus/corpus.ts';
import { contentType } from '../../../src/pipeline/preview/answer.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
import { everyNth } from '../../support/properties.ts';
import { pageRecords, publishSite } from '../../support/publish-site.ts';
import { serve } from '../../support/serve.ts';
import type { SiteFiles } from '../../support/static-server.ts';
import { describeWith } from '../../support/tools.ts';
import { openSearch } from '../support/search-site.ts';

const indexFile = /^assets\/search\/en\//;
/** Files of articles, which results are made of. */
const articleFile = /^assets\/search\/en\/\w+-\d+\.json$/;

interface Answered {
  readonly path: string;
  /** Compressed. */
  readonly bytes: number;
}

/** Serves compressed files and records them; index files requested after the first file of articles wait for `release`. */
async function serveNoting(files: SiteFiles) {
  const answered: Answered[] = [];
  let isFirstAsked = false;
  let waiting: (() => void)[] | null = [];
  const { origin } = await serve((request, response) => {
    const wanted = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    const path = wanted.endsWith('/') ? `${wanted}index.html` : wanted;
    const content = gzipSync(files.get(path) ?? '');
    const answer = () => {
      answered.push({ path, bytes: content.length });
      response.statusCode = files.has(path) ? 200 : 404;
      response.setHeader('content-type', contentType(path));
      response.setHeader('content-encoding', 'gzip');
      if (path.startsWith('assets/')) response.setHeader('cache-control', 'max-age=31536000, immutable');
      response.end(content);
    };
    if (isFirstAsked && indexFile.test(path) && waiting !== null) waiting.push(answer);
    else answer();
    isFirstAsked ||= articleFile.test(path);
  });
  const release = () => {
    for (const answer of waiting ?? []) answer();
    waiting = null;
  };
  return { origin, answered, release };
}

describeWith('chromium', 'the search page of 1,500 articles', (executablePath) => {
  let browser: Browser;
  let files: SiteFiles;

  beforeAll(async () => {
    const corpus = createCorpus({
      articles: 1500,
      languages: ['en'],
      seed: '1',
      sample: resolve('sample'),
    });
    const pages = [...corpus.articles()].flatMap(({ id, texts: [text] }) =>
      text === undefined ? [] : [[id, [text.title, text.body] as const] as const],
    );
    const topics = pages.map((_, at) => `Parcels and lockers ${at % 7}`);
    ({ files } = await publishSite(pageRecords('en', Object.fromEntries(pages), topics)));
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  test.each(
    everyNth(3, [
      'invoice',
      'reset password',
      'parcel room key',
      'lock code expired',
      'how do I export',
      'how do I change the invoice',
      'where is the key of the parcel room',
      'why does the courier not open the door',
      'invioce',
      'parcle adress',
      'invoice courier locker refund battery',
      'invoice courier locker refund battery warranty keypad export',
      'how do I get a refund when the courier left my parcel in a locker whose keypad shows an error and the battery is empty',
      'invioce courrier adress refnud batery',
    ]),
  )(
    'shows the first result of "%s" with its excerpt after 12 requests and 150 KB, and moves nothing',
    async (query) => {
      const { origin, answered, release } = await serveNoting(files);
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await page.goto(`${origin}/en/search/?q=${encodeURIComponent(query)}`);
      await page.locator('.results .snippet mark').first().waitFor();
      const bytes = answered.reduce((sum, answer) => sum + answer.bytes, 0);
      expect(answered.length).toBeLessThanOrEqual(12);
      expect(bytes).toBeLessThanOrEqual(150 * 1024);
      const status = page.locator('.search-status');
      const topics = page.locator('.search-filter button');
      const statusBefore = (await status.textContent())?.trim();
      const topicsBefore = await topics.filter({ visible: true }).allTextContents();
      const link = page.locator('.results .result >> nth=0');
      await link.focus();
      const focused = await link.getAttribute('href');
      release();
      await page.locator('.results .result >> nth=9').waitFor();
      expect(answered.filter(({ path }) => path.includes('/article/'))).toEqual([]);
      const words = query.split(' ').length;
      // Of many words, some are looked up after the first result.
      const termFiles = words > 4 ? 2 * words : 0;
      // If none of the first articles has the words as a phrase, it is looked for in ten more files.
      const phraseFiles = words > 1 ? 10 : 0;
      expect(answered.length).toBeLessThanOrEqual(12 + 9 + termFiles + phraseFiles);
      const { results } = await (await openSearch(files, 'en')).search(query);
      await page.locator(`.results .result[href="${results[0]?.href}"]`).waitFor();
      const shown = await page
        .locator('.results .result')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(shown).toEqual(results.map(({ href }) => href));
      // What was said of some of the words is not said again of all of them.
      expect(['', await status.textContent()]).toContain(statusBefore);
      expect([[], await topics.allTextContents()]).toContainEqual(topicsBefore);
      expect(await topics.first().isVisible()).toBe(true);
      if (shown.includes(focused))
        expect(await page.evaluate(`document.activeElement.getAttribute('href')`)).toBe(focused);
      const filter = await page.locator('.search-filter').boundingBox();
      const topic = await page.locator('.search-filter button').first().boundingBox();
      expect(filter?.height).toBeLessThan(2 * (topic?.height ?? 0));
      const shift = await page.evaluate(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
        .observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
    })`);
      expect(shift).toBeLessThan(0.02);
      await page.close();
    },
  );
});
