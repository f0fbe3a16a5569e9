import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCorpus } from '../../../bench/corpus/corpus.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
import { pageRecords, publishSite } from '../../support/publish-site.ts';
import { serveFiles } from '../../support/static-server.ts';
import { describeWith } from '../../support/tools.ts';

/** Numbers of articles: titles that differ from others only in a number, which are hard to tell from a part of the words. */
const places = [3, 82, 290, 503];

describeWith('chromium', 'a reader who types a title and clicks what appears', (executablePath) => {
  const corpus = createCorpus({ articles: 700, languages: ['ja'], seed: '1', sample: resolve('sample') });
  const articles = [...corpus.articles()];
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveFiles>>;

  beforeAll(async () => {
    const pages = articles.map(
      ({ id, texts: [text] }) => [id, [text?.title ?? '', text?.body ?? '']] as const,
    );
    const { files } = await publishSite(pageRecords('ja', Object.fromEntries(pages)), {
      defaultLanguage: 'ja',
    });
    server = await serveFiles(files);
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  test('opens the article of that title', async () => {
    const opened: string[] = [];
    const titles = places.map((place) => articles[place]?.texts[0]?.title ?? '');
    for (const title of titles) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.clock.install({ time: 0 });
      await page.goto(`${server.origin}/ja/search/`);
      await page.clock.pauseAt(60_000);
      await page.locator('main input[name=q]').fill(title);
      // The search starts when the reader pauses; after that, the clock stands still as if the answer took no time.
      await page.clock.runFor(150);
      const first = page.locator('main .results .result').first();
      await first.waitFor();
      await first.evaluate((link) => (link as HTMLElement).click());
      await page.waitForURL(/\/article\//);
      opened.push((await page.locator('h1').textContent()) ?? '');
      await page.close();
    }
    expect(opened).toEqual(titles);
  });
});
