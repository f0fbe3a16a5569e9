import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { RedirectFormat } from '../../../src/core/config/schema.ts';
import { writeHtmlStubs } from '../../../src/site/redirects/hosts/html-stubs.ts';
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
      movedFrom: ['hosted'],
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
    ['html', 'en/article/aaaaaaaaaa-reset/index.html'],
    ['json', 'redirects.json'],
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

describe('the pages that redirect by themselves', () => {
  it('are made one after the other, because there may be hundreds of thousands', () => {
    let made = 0;
    const rules = ['a', 'b', 'c'].map((name) => ({
      ...{ origin: 'renamed' as const, from: `/${name}`, isPermanent: true },
      get to() {
        made += 1;
        return '/en/';
      },
    }));
    const { files } = writeHtmlStubs({ appended: '', basePath: '', rules, records: [] }, () => false);
    for (const { path } of files) {
      expect(path).toBe('a/index.html');
      break;
    }
    expect(made).toBe(1);
  });

  it('are skipped, and reported, where the disk allows no such file, instead of ending the build', async () => {
    const long = `/${'ก'.repeat(86)}`;
    const { files, problems } = await publish(sampleBase(), {
      settings: {
        formats: ['html'],
        rules: ['/old.html', '/old.html/print', '/404.html/x', `${long}/a`, '/new'].map((from) => ({
          from,
          to: '/en/',
        })),
      },
    });
    const stubs = [...files.keys()].filter((path) => /^(?:old|new|404|ก)/.test(path));
    expect(stubs).toEqual(['404.html', 'new/index.html', 'old.html']);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `REDIRECT_LIMIT: no page can be at 3 URLs, whose names are too long or below a file: /404.html/x, /old.html/print, ${long}/a`,
    ]);
  });
});

describe('the limit of a host', () => {
  it.each([
    ['cloudflare', 1001, 'Cloudflare Pages reads 2000 redirects and drops the other 2004'],
    ['vercel', 1000, 'Vercel takes 2048 routes in vercel.json; 1959 redirects were skipped'],
  ] as const)('of %s is reported before the host drops rules', async (format, count, message) => {
    const { problems } = await publish(articles(count), {
      settings: { formats: [format], movedFrom: ['hosted'] },
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

  it('of Cloudflare for lines of headers is reported, as it sends none of a longer one', async () => {
    const iframeHosts = Array.from({ length: 40 }, (_, index) => `forms-${index}.example.com`);
    const { problems } = await publish(sampleBase(), {
      settings: { formats: ['cloudflare', 'netlify'] },
      iframeHosts,
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Cloudflare Pages drops the header Content-Security-Policy, which has 2\d{3} characters; it reads 2000$/,
      ),
    ]);
    expect((await publish(sampleBase(), { iframeHosts })).problems).toEqual([]);
  });

  it('is kept by the file for Vercel, which refuses more', async () => {
    const { files } = await publish(articles(1000), {
      settings: { formats: ['vercel'], movedFrom: ['hosted'] },
    });
    const vercel = JSON.parse(files.get('vercel.json') ?? '') as { redirects: unknown[]; headers: unknown[] };
    expect(vercel.redirects.length + vercel.headers.length).toBe(2048);
  });
});

describe('the file for Vercel', () => {
  const publishTargets = (...targets: string[]) => {
    const rules = targets.map((to, index) => ({ from: `/old-${index}`, to }));
    return publish(sampleBase(), { settings: { formats: ['vercel'], rules } });
  };
  const destinations = (files: ReadonlyMap<string, string>) => {
    const { redirects } = JSON.parse(files.get('vercel.json') ?? '') as {
      redirects: { destination: string }[];
    };
    return redirects.map(({ destination }) => destination);
  };

  it('encodes signs in targets that Vercel takes for a pattern and then refuses the deployment', async () => {
    const { files, problems } = await publishTargets(
      'https://wiki.example.com:8080/Foo_(bar):Talk?a=1#b:c',
      '/en/?x=a:#(top)',
    );
    expect(problems).toEqual([]);
    expect(destinations(files)).toEqual([
      'https://wiki.example.com:8080/Foo_%28bar%29%3ATalk?a=1#b:c',
      '/en/?x=a:#(top)',
    ]);
  });

  it('has no target with such signs in its query, where Vercel decodes them first', async () => {
    const { files, problems } = await publishTargets(
      'https://example.com/?q=site:x',
      'https://example.com/?q=a%28b%29',
      '/en/',
    );
    expect(destinations(files)).toEqual(['/en/']);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'REDIRECT_LIMIT: Vercel refuses ":" and "(" in the query of a target; the redirects from /old-0, /old-1 were skipped',
    ]);
  });
});

describe('redirects.json', () => {
  it('leads every URL through the function of docs/redirects.md to the page', async () => {
    const { files } = await publishFor('json', 'https://help.example.com');
    const records = JSON.parse(files.get('redirects.json') ?? '') as readonly {
      readonly from: string;
      readonly to: string;
      readonly status: number;
    }[];
    const store = new Map(records.map(({ from, to, status }) => [from, `${status} ${to}`]));
    const answer = await documentedFunction(store);
    for (const [uri, wanted] of [
      ['/en/article/aaaaaaaaaa-reset/', '301 /en/article/aaaaaaaaaa-new-password/'],
      ['/en/article/aaaaaaaaaa-reset', '301 /en/article/aaaaaaaaaa-new-password/'],
      ['/de/article/aaaaaaaaaa-zurucksetzen/', '302 /en/article/aaaaaaaaaa-new-password/'],
      ['/l/ja/article/aaaaaaaaaa', '301 /ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/'],
      ['/article/aaaaaaaaaa-new-password', '301 /en/article/aaaaaaaaaa-new-password/'],
      ['/category/cccccccccc', '301 /en/category/cccccccccc-billing/'],
      ['/faq%20(old)', '301 /en/?from=faq&x=1#top'],
      ['/status', '302 https://status.example.com/a?b=%241'],
      ['/en/article/bbbbbbbbbb-invoice/', null],
      ['/article/zzzzzzzzzz', null],
    ] as const) {
      expect([uri, await answer(uri)]).toEqual([uri, wanted]);
    }
  });

  it('is an empty array for a site without redirects', async () => {
    const { files } = await publish(sampleBase(), { settings: { formats: ['json'] } });
    expect(JSON.parse(files.get('redirects.json') ?? '')).toEqual([]);
  });
});

/** The CloudFront function of docs/redirects.md, with a map as its key-value store. */
async function documentedFunction(store: ReadonlyMap<string, string>) {
  const page = await readFile(new URL('../../../docs/redirects.md', import.meta.url), 'utf8');
  const code = /```js\n(.*?)```/s.exec(page)?.[1]?.replace(/^import .*$/m, '') ?? '';
  const cf = {
    kvs: () => ({
      exists: async (key: string) => store.has(key),
      get: async (key: string) => store.get(key),
    }),
  };
  const handler = new Function('cf', `${code}; return handler;`)(cf);
  return async (uri: string) => {
    const request = { uri };
    const response = await handler({ request });
    return response === request ? null : `${response.statusCode} ${response.headers.location.value}`;
  };
}

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

  it('make room for two URLs in a bucket, because nginx would warn at every start otherwise', async () => {
    const { files } = await publish(sampleBase(), { settings: { formats: ['nginx'] } });
    expect(files.get('hosting/nginx/http.conf')).toContain('map_hash_bucket_size 128;');
  });

  it('make room for long URLs, because nginx would not start otherwise', async () => {
    const { files } = await publish(sampleBase(), {
      settings: { formats: ['nginx'], rules: [{ from: `/${'リセット'.repeat(20)}`, to: '/en/' }] },
    });
    expect(files.get('hosting/nginx/http.conf')).toContain('map_hash_bucket_size 512;');
  });
});
