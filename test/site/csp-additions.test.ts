import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { headerRules, renderHeadersFile } from '../../src/site/pages/headers-file.ts';
import { planOf, sampleArticles } from './support/fixture.ts';

describe('headers.csp', () => {
  it('is added to the directives of the site', () => {
    const { csp } = configSchema.parse({
      headers: { csp: { 'script-src': ['https://plausible.io'], 'frame-ancestors': ["'self'"] } },
    }).headers;
    const { content } = renderHeadersFile(headerRules(planOf(sampleArticles), { iframeHosts: [], csp }), '');
    expect(content).toContain("script-src 'self' https://plausible.io; style-src 'self';");
    expect(content).toContain("frame-src 'none';");
    expect(content).toContain("frame-ancestors 'self'\n");
  });

  it('has the player of YouTube among the frames if any host of YouTube is trusted', () => {
    const iframeHosts = ['youtube.com', 'videos.example.com'];
    const { content } = renderHeadersFile(headerRules(planOf(sampleArticles), { iframeHosts }), '');
    expect(content).toContain(
      'https://*.videos.example.com https://youtube-nocookie.com https://*.youtube-nocookie.com;',
    );
  });

  it.each([
    'https://plausible.io',
    'https://*.example.com',
    'https://example.com:8443',
    'https://example.com/js/',
    'wss://chat.example.com',
    'http://localhost:4000',
    'http://127.0.0.1:*',
    "'self'",
    "'sha256-abcDEF123+/='",
    'data:',
    'blob:',
  ])('takes %s', (source) => {
    expect(configSchema.safeParse({ headers: { csp: { 'script-src': [source] } } }).success).toBe(true);
  });

  it.each([
    "'unsafe-inline'",
    "'unsafe-eval'",
    '*',
    'https:',
    'http://example.com',
    'plausible.io',
    'https://a.example; img-src *',
    'https://a.example\nX: y',
    'https://*',
    "'none'",
  ])('refuses %j', (source) => {
    expect(configSchema.safeParse({ headers: { csp: { 'script-src': [source] } } }).success).toBe(false);
  });

  it.each(['default-src', 'base-uri', 'script'])('knows no directive %s', (directive) => {
    expect(configSchema.safeParse({ headers: { csp: { [directive]: [] } } }).success).toBe(false);
  });
});
