import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { chromiumFlags, describeWith, describeWithCorpora } from '../support/tools.ts';
import { type NamedBody, readPayloads } from './corpora.ts';
import { own, strict, violations } from './inert.ts';

describeWithCorpora('the payloads of public sanitiser suites', () => {
  it('leave only allowed elements, attributes and URLs', () => {
    expect(violations(readPayloads())).toEqual([]);
  });
});

describeWith('chromium', 'in a browser', (executablePath) => {
  it('runs the tripwire for what is not sanitised', async () => {
    expect(
      await trip(executablePath, [{ name: 'raw', body: '<img src=x onerror=trip()>' }], (body) => body),
    ).not.toEqual([]);
  });

  it('runs no script of a hostile body, opens no dialog and asks for nothing', async () => {
    expect(await trip(executablePath, own, sanitise)).toEqual([]);
  });

  describeWithCorpora('payloads of public sanitiser suites', () => {
    it('run no script, open no dialog and ask for nothing', { timeout: 300_000 }, async () => {
      expect(await trip(executablePath, readPayloads(), sanitise)).toEqual([]);
    });
  });
});

/** Media elements are allowed: they only play on request, from an allowed URL. */
function sanitise(body: string): string {
  return transform(body, strict)
    .html.replace(/<(video|audio) controls preload="metadata"/g, '<$1 controls preload="none"')
    .replace(/ poster="[^"]*"/g, '');
}

/** Loads every body in a page of a separate site, and reports everything it does besides showing it. */
async function trip(
  executablePath: string,
  bodies: readonly NamedBody[],
  publish: (body: string) => string,
): Promise<string[]> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    const events: string[] = [];
    let current = '';
    let html = '';
    session.on('Debugger.scriptParsed', ({ url }) => {
      if (url.startsWith('https://help.test/')) events.push(`${current}: script ${url}`);
    });
    await session.send('Debugger.enable');
    page.on('dialog', (dialog) => {
      events.push(`${current}: dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', () => events.push(`${current}: popup`));
    await page.route('**/*', (route) => {
      if (route.request().isNavigationRequest() && route.request().url() === 'https://help.test/page') {
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      }
      events.push(`${current}: request ${route.request().url()}`);
      return route.abort();
    });
    for (let at = 0; at < bodies.length; at += 50) {
      const batch = bodies.slice(at, at + 50);
      current = `${batch[0]?.name} – ${batch.at(-1)?.name}`;
      html = `<!DOCTYPE html><title>t</title>${batch.map(({ body }) => `<div>${publish(body)}</div>`).join('\n')}`;
      await page.goto('https://help.test/page', { waitUntil: 'load' });
    }
    return events;
  } finally {
    await browser.close();
  }
}
