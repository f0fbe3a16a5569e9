import { expect, test } from 'vitest';
import { translatedArticle } from '../source/support/records.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { publishSite } from '../support/publish-site.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { typedWords } from '../support/typed-words.ts';

describeWith('chromium', 'words as readers type them, in a browser', (executablePath) => {
  test('are found on the search page of each language, and marked', async () => {
    const articles = typedWords.map(([language, text], at) =>
      translatedArticle(`a${String(at).padStart(9, '0')}`, { [language]: [`Title ${at}`, `<p>${text}</p>`] }),
    );
    const { files } = await publishSite({ articles }, { defaultLanguage: 'en' });
    const server = await serveFiles(files);
    const browser = await launchBrowser(executablePath);
    const missing: string[] = [];
    const page = await browser.newPage();
    for (const [at, [language, , ...queries]] of typedWords.entries()) {
      for (const query of queries) {
        await page.goto(`${server.origin}/${language}/search/?q=${encodeURIComponent(query)}`);
        const found = page.locator('.results .result', { hasText: new RegExp(`Title ${at}(?!\\d)`) });
        await found
          .first()
          .waitFor({ timeout: 30_000 })
          .catch(() => missing.push(`${language}: ${query}`));
      }
    }
    await page.goto(`${server.origin}/en/search/?q=wifi`);
    await page.locator('.results mark').first().waitFor();
    const marked = await page.locator('.results mark').allTextContents();
    await closePages(browser);
    expect(missing).toEqual([]);
    expect(marked).toContain('Wi-Fi');
  });
});
