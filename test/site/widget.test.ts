import { describe, expect, test } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { headerRules } from '../../src/site/pages/headers-file.ts';
import { publishSite } from '../support/publish-site.ts';
import { sampleRecords } from './support/sample.ts';

const widget = { origins: ['https://app.example.com', 'https://*.example.org:8443'] };

describe('site.widget', () => {
  test('publishes one script under a stable name, below 15 KB, and lets only its origins frame the site', async () => {
    const { files } = await publishSite(sampleRecords, { site: { widget } });
    const script = files.get('widget.js')?.toString() ?? '';
    expect(script).toContain('"search":"/ar/search/"');
    expect(Buffer.byteLength(script)).toBeLessThan(15 * 1024);
    const headers = files.get('_headers')?.toString() ?? '';
    expect(headers).toContain('frame-ancestors https://app.example.com https://*.example.org:8443\n');
    expect(headers).toContain('/widget.js\n  Cache-Control: public, max-age=3600\n');
    expect(files.get('en/index.html')?.toString()).toContain('/assets/help-widget-page.');
  });

  test('publishes nothing if it is not set', async () => {
    const { files } = await publishSite(sampleRecords);
    expect([...files.keys()].filter((path) => path.includes('widget'))).toEqual([]);
    expect(files.get('en/index.html')?.toString()).not.toContain('widget');
    expect(files.get('_headers')?.toString()).toContain("frame-ancestors 'none'");
  });

  test('is below 15 KB in 50 languages', async () => {
    const { files } = await publishSite(sampleRecords, { site: { widget } });
    const script = files.get('widget.js')?.toString() ?? '';
    const config = script.slice(script.lastIndexOf('})(') + 3);
    const perLanguage = Buffer.byteLength(config) / 5;
    expect(Buffer.byteLength(script) + 45 * perLanguage).toBeLessThan(15 * 1024);
  });

  test('sets no second Cache-Control for one path: hosts join the values', () => {
    const rules = headerRules({ basePath: '/help' }, { iframeHosts: [], widget });
    const cached = rules.filter(([, headers]) => 'Cache-Control' in headers).map(([pattern]) => pattern);
    expect(cached).toEqual(['/help/assets/*', '/help/widget.js']);
  });

  test.each([
    'http://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://*',
    '*',
    "'self'",
    'https://a.example.com; script-src *',
  ])('refuses %j, which is no origin', (origin) => {
    expect(siteSettings.safeParse({ widget: { origins: [origin] } }).success).toBe(false);
  });

  test('refuses an empty list', () => {
    expect(siteSettings.safeParse({ widget: { origins: [] } }).success).toBe(false);
  });
});
