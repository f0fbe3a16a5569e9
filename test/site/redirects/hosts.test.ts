import { describe, expect, it } from 'vitest';
import type { RedirectFormat } from '../../../src/core/config/schema.ts';
import { article, knowledgeBase, translation } from '../../support/knowledge-base.ts';
import { publish, sampleBase } from './support.ts';

/** A site with a redirect of every origin: renamed, untranslated, removed, configured, legacy URLs. */
async function publishFor(format: RedirectFormat, siteUrl = 'https://example.com/help') {
  const first = await publish(sampleBase(), { siteUrl });
  const base = sampleBase({ reset: 'new-password' });
  const [reset] = base.articles;
  const later = {
    ...base,
    articles:
      reset === undefined
        ? []
        : [{ ...reset, translations: reset.translations.filter((t) => t.language !== 'de') }],
  };
  return publish(later, {
    siteUrl,
    previous: first.files,
    settings: {
      formats: [format],
      oldAddresses: true,
      rules: [
        { from: '/faq (old)'.replaceAll(' ', '%20'), to: '/en/?from=faq&x=1#top' },
        { from: '/status', to: 'https://status.example.com/a?b=$1', kind: 'temporary' },
      ],
    },
  });
}

/** A knowledge base of so many articles. */
const articles = (count: number) =>
  knowledgeBase(
    Array.from({ length: count }, (_, index) =>
      article(`a${String(index).padStart(9, '0')}`, [translation('en', 'Title', { slug: 'slug' })]),
    ),
  );

describe('the files for a host', () => {
  it.each([
    ['netlify', '_redirects'],
    ['cloudflare', '_redirects'],
    ['vercel', 'vercel.json'],
    ['nginx', 'hosting/nginx/http.conf'],
    ['nginx', 'hosting/nginx/server.conf'],
    ['apache', '.htaccess'],
    ['caddy', 'hosting/Caddyfile'],
    ['s3', 'hosting/s3-routing-rules.json'],
    ['html', 'en/article/aaaaaaaaaa-reset/index.html'],
  ] as const)('for %s hold every redirect: %s', async (format, path) => {
    const { files, problems } = await publishFor(format);
    expect(problems).toEqual([]);
    const golden = `golden/${format}-${path.replaceAll(/[/.]+/g, '-').replace(/^-/, '')}.txt`;
    await expect(files.get(path)).toMatchFileSnapshot(golden);
  });

  it('are those of the chosen formats alone', async () => {
    const { files } = await publish(sampleBase(), { settings: { formats: ['vercel'] } });
    expect([...files.keys()].filter((path) => !/index\.html$|404/.test(path))).toEqual([
      'addresses.json',
      'vercel.json',
    ]);
  });

  it('are shared by Netlify and Cloudflare', async () => {
    const { files } = await publish(sampleBase(), {
      settings: { formats: ['netlify', 'cloudflare', 'netlify'] },
    });
    expect(files.has('_redirects')).toBe(true);
  });
});

describe('the limit of a host', () => {
  it.each([
    ['cloudflare', 1001, 'Cloudflare Pages reads 2000 redirects and drops the other 2004'],
    ['s3', 60, 'S3 takes 50 routing rules; 70 were skipped'],
    ['vercel', 1000, 'Vercel takes 2048 routes in vercel.json; 1959 redirects were skipped'],
  ] as const)('of %s is reported before the host drops rules', async (format, count, message) => {
    const { problems } = await publish(articles(count), {
      settings: { formats: [format], oldAddresses: true },
    });
    expect(problems).toMatchObject([{ code: 'REDIRECT_LIMIT', message }]);
  });

  it('of Cloudflare for long lines is reported', async () => {
    const { problems } = await publish(sampleBase(), {
      settings: { formats: ['cloudflare'], rules: [{ from: `/${'ü'.repeat(200)}`, to: '/en/' }] },
    });
    expect(problems.map(({ message }) => message)).toEqual([
      'Cloudflare Pages drops 2 redirects of more than 1000 characters',
    ]);
  });

  it('is kept by the files for hosts that refuse more', async () => {
    const { files } = await publish(articles(1000), {
      settings: { formats: ['s3', 'vercel'], oldAddresses: true },
    });
    const s3 = JSON.parse(files.get('hosting/s3-routing-rules.json') ?? '') as unknown[];
    const vercel = JSON.parse(files.get('vercel.json') ?? '') as { redirects: unknown[]; headers: unknown[] };
    expect(s3).toHaveLength(50);
    expect(vercel.redirects.length + vercel.headers.length).toBe(2048);
  });
});

describe('the rules for Apache', () => {
  /** Target of a path below the folder of `.htaccess` in Apache; `null` if no rule matches. */
  async function rewrite(path: string): Promise<string | null> {
    const { files } = await publishFor('apache', 'https://help.example.com');
    for (const [, pattern = '', to = ''] of (files.get('.htaccess') ?? '').matchAll(
      /^RewriteRule "(.+?)" "(.+?)" \[.+\]$/gm,
    )) {
      if (new RegExp(pattern, 'u').test(path)) return to.replaceAll('\\%', '%');
    }
    return null;
  }

  it.each([
    ['en/article/aaaaaaaaaa-reset/', '/en/article/aaaaaaaaaa-new-password/'],
    ['en/article/aaaaaaaaaa-reset', '/en/article/aaaaaaaaaa-new-password/'],
    ['de/article/aaaaaaaaaa-zurucksetzen/', '/en/article/aaaaaaaaaa-new-password/'],
    ['en/article/bbbbbbbbbb-invoice/', null],
    ['article/aaaaaaaaaa', '/en/article/aaaaaaaaaa-new-password/'],
    ['article/aaaaaaaaaa-any-slug-at-all', '/en/article/aaaaaaaaaa-new-password/'],
    ['l/ja/article/aaaaaaaaaa-x/', '/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/'],
    ['l/sv/article/aaaaaaaaaa-x', '/en/article/aaaaaaaaaa-new-password/'],
    ['category/cccccccccc-x', '/en/category/cccccccccc-billing/'],
    ['faq (old)', '/en/?from=faq&x=1#top'],
    ['article/zzzzzzzzzz', null],
    ['article/aaaaaaaaaa-x/more', null],
  ])('send %s to %s', async (path, target) => {
    expect(await rewrite(path)).toBe(target);
  });
});

describe('the rules for nginx', () => {
  it('contain no URL twice in upper and lower case, because nginx would not start', async () => {
    const base = (slug: string) => sampleBase({ reset: slug });
    const first = await publish(base('Password'));
    const second = await publish(base('password'), { previous: first.files });
    const { files } = await publish(base('new'), {
      previous: second.files,
      settings: { formats: ['nginx'] },
    });
    expect(files.get('addresses.json')).toMatch(/-password\/.*-Password\//);
    expect(files.get('hosting/nginx/http.conf')?.match(/aaaaaaaaaa-password" /gi)).toHaveLength(1);
  });

  it('make room for long URLs, because nginx would not start otherwise', async () => {
    const { files } = await publish(sampleBase(), {
      settings: { formats: ['nginx'], rules: [{ from: `/${'リセット'.repeat(20)}`, to: '/en/' }] },
    });
    expect(files.get('hosting/nginx/http.conf')).toContain('map_hash_bucket_size 512;');
  });
});
