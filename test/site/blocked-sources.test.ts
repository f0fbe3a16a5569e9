import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { contentSecurityPolicy, findBlocked, renderHeadersFile } from '../../src/site/pages/headers-file.ts';
import { planOf, sampleArticles } from './support/fixture.ts';

type Csp = NonNullable<Parameters<typeof contentSecurityPolicy>[0]['csp']>;

function blocked(path: string, text: string, csp: Csp = {}): readonly string[] {
  const policy = contentSecurityPolicy({ iframeHosts: ['youtube.com'], csp });
  return findBlocked([{ path, text }], policy).map(({ message }) => message);
}

describe('what the Content-Security-Policy blocks', () => {
  it('is reported with file, line, host and the setting to add', () => {
    expect(
      blocked('hooks/head-end.eta', '\n<script defer src="https://plausible.io/js/script.js"></script>'),
    ).toEqual([
      'hooks/head-end.eta:2 loads from https://plausible.io, which the Content-Security-Policy blocks; to allow it, add "headers": { "csp": { "script-src": ["https://plausible.io"] } }',
    ]);
  });

  it.each([
    [
      'hooks/a.eta',
      '<link href="//fonts.example.com/a.css" rel="stylesheet">',
      'style-src',
      'https://fonts.example.com',
    ],
    [
      'hooks/a.eta',
      "<iframe title='x' src='https://map.example.com/x'></iframe>",
      'frame-src',
      'https://map.example.com',
    ],
    ['hooks/a.eta', '<img alt="" src="http://img.example.com/a.png">', 'img-src', 'http://img.example.com'],
    [
      'hooks/a.eta',
      '<form method="post" action="https://form.example.com/">',
      'form-action',
      'https://form.example.com',
    ],
    [
      'assets/a.js',
      'await fetch(`https://api.example.com:8443/x`)',
      'connect-src',
      'https://api.example.com:8443',
    ],
    ['assets/a.js', "new WebSocket('wss://chat.example.com')", 'connect-src', 'wss://chat.example.com'],
    ['assets/a.js', "import x from 'https://esm.example.com/x.js'", 'script-src', 'https://esm.example.com'],
    ['assets/a.js', "s.src = 'https://cdn.example.com/x.js'", 'script-src', 'https://cdn.example.com'],
    [
      'assets/a.css',
      '@import url("https://fonts.example.com/a.css")',
      'style-src',
      'https://fonts.example.com',
    ],
    [
      'assets/a.css',
      '@font-face { src: url(https://fonts.example.com/a.woff2) }',
      'font-src',
      'https://fonts.example.com',
    ],
  ])('is seen in %s: %s', (path, text, directive, source) => {
    expect(blocked(path, text)).toEqual([expect.stringContaining(`"${directive}": ["${source}"]`)]);
    expect(blocked(path, text, { [directive]: [source] })).toEqual([]);
  });

  it('is an inline script, but not one that contains data or has a URL', () => {
    expect(blocked('hooks/a.eta', '<script>run()</script>')).toEqual([
      'hooks/a.eta:1 has an inline script, which the Content-Security-Policy blocks; move it to a file in assets/',
    ]);
    const fine = `<script type="application/ld+json">{}</script><script src="<%= it.site.assets['a.js'] %>"></script>`;
    expect(blocked('hooks/a.eta', fine)).toEqual([]);
  });

  it('is nothing that is only linked, is of the site itself, of an allowed parent domain, or filled in later', () => {
    const text = `<a href="https://example.com">x</a><script src="/a.js"></script><script src="https://<%= host %>/a.js"></script>
      <iframe src="https://www.youtube.com/embed/x"></iframe><img alt="" src="https://img.example.com/a.png">`;
    expect(blocked('hooks/a.eta', text)).toEqual([]);
    expect(blocked('assets/a.js', '// see https://example.com\nlink.href = "https://example.com"')).toEqual(
      [],
    );
  });
});

describe('headers.csp', () => {
  it('is added to the directives of the site', () => {
    const { csp } = configSchema.parse({
      headers: { csp: { 'script-src': ['https://plausible.io'], 'frame-ancestors': ["'self'"] } },
    }).headers;
    const { content } = renderHeadersFile(planOf(sampleArticles), { iframeHosts: [], csp }, '');
    expect(content).toContain("script-src 'self' https://plausible.io; style-src 'self';");
    expect(content).toContain("frame-src 'none';");
    expect(content).toContain("frame-ancestors 'self'\n");
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
