import { describe, expect, it } from 'vitest';
import { article, category, knowledgeBase, translation } from '../../support/knowledge-base.ts';
import { ids, publish, sampleBase } from './support.ts';

const codes = (problems: readonly { readonly code: string }[]) => problems.map(({ code }) => code);

describe('slugs of the old help centre', () => {
  it('lead on with every slug the record had, in each language', async () => {
    const settings = { movedFrom: ['hosted' as const] };
    const first = await publish(sampleBase(), { settings });
    const second = await publish(sampleBase({ reset: 'two' }), { settings, previous: first.files });
    const third = await publish(sampleBase({ reset: 'three' }), { settings, previous: second.files });
    const page = '/en/article/aaaaaaaaaa-three/';
    for (const slug of ['', '-reset', '-two', '-three']) {
      expect(third.redirects[`/article/aaaaaaaaaa${slug}`], slug).toBe(page);
      expect(third.redirects[`/l/en/article/aaaaaaaaaa${slug}`], slug).toBe(page);
    }
    expect(third.redirects['/l/de/article/aaaaaaaaaa-zur%C3%BCcksetzen']).toBe(
      '/de/article/aaaaaaaaaa-zurucksetzen/',
    );
    expect(third.redirects['/l/de/article/aaaaaaaaaa-reset']).toBeUndefined();
  });
});

describe('URLs of Zendesk Guide', () => {
  it('have locales in lower case, and numbers for ids', async () => {
    const base = knowledgeBase([
      article('0000000012', [translation('pt-BR', 'Um', { slug: 'um' })]),
      article('zzzzzzzzzz', [translation('pt-BR', 'Dois', { slug: 'dois' })]),
    ]);
    const { redirects } = await publish(base, { settings: { movedFrom: ['zendesk'] } });
    expect(redirects).toMatchInlineSnapshot(`
      {
        "/hc/articles/64": "/pt-BR/article/0000000012-um/",
        "/hc/pt-br/articles/64": "/pt-BR/article/0000000012-um/",
        "/hc/pt-br/articles/64-um": "/pt-BR/article/0000000012-um/",
      }
    `);
  });
});

describe('renamed pages', () => {
  it('are remembered by id across builds and lead to the new URL', async () => {
    const first = await publish(sampleBase());
    const second = await publish(sampleBase({ reset: 'new-password' }), { previous: first.files });
    expect(second.redirects).toEqual({
      '/en/article/aaaaaaaaaa-reset': '/en/article/aaaaaaaaaa-new-password/',
    });
  });

  it('lead straight to the latest URL after several renames', async () => {
    const first = await publish(sampleBase());
    const second = await publish(sampleBase({ reset: 'two' }), { previous: first.files });
    const third = await publish(sampleBase({ reset: 'three' }), { previous: second.files });
    expect(third.redirects).toEqual({
      '/en/article/aaaaaaaaaa-reset': '/en/article/aaaaaaaaaa-three/',
      '/en/article/aaaaaaaaaa-two': '/en/article/aaaaaaaaaa-three/',
    });
  });

  it('need no redirect if they get their old URL back', async () => {
    const first = await publish(sampleBase());
    const second = await publish(sampleBase({ reset: 'two' }), { previous: first.files });
    const third = await publish(sampleBase(), { previous: second.files });
    expect(third.redirects).toEqual({ '/en/article/aaaaaaaaaa-two': '/en/article/aaaaaaaaaa-reset/' });
  });

  it('lead on in every language, also if the pattern of all URLs changes', async () => {
    const first = await publish(sampleBase());
    const second = await publish(sampleBase(), { previous: first.files, articlePattern: 'a/{lang}/{id}' });
    expect(second.redirects).toMatchObject({
      '/de/article/aaaaaaaaaa-zurucksetzen': '/a/de/aaaaaaaaaa/',
      '/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88': '/a/ja/aaaaaaaaaa/',
    });
  });

  it('do not hide another page that now has their old URL', async () => {
    const pattern = { articlePattern: '{lang}/{slug}' };
    const first = await publish(sampleBase(), pattern);
    const swapped = await publish(sampleBase({ reset: 'invoice', invoice: 'reset' }), {
      ...pattern,
      previous: first.files,
    });
    expect(swapped.redirects).toEqual({});
    expect(swapped.problems).toEqual([]);
  });

  it('lie below the path of the site', async () => {
    const siteUrl = 'https://example.com/help';
    const first = await publish(sampleBase(), { siteUrl });
    const second = await publish(sampleBase({ reset: 'two' }), { siteUrl, previous: first.files });
    expect(second.redirects).toEqual({
      '/help/en/article/aaaaaaaaaa-reset': '/help/en/article/aaaaaaaaaa-two/',
    });
  });

  it('lie below a path of the site with letters of every script and spaces', async () => {
    const siteUrl = 'https://example.com/Hilfe für alle/';
    const first = await publish(sampleBase(), { siteUrl });
    const second = await publish(sampleBase({ reset: 'two' }), {
      siteUrl,
      previous: first.files,
      settings: { movedFrom: ['hosted'], rules: [{ from: '/faq', to: '/en/' }] },
    });
    expect(second.problems).toEqual([]);
    const base = '/Hilfe%20f%C3%BCr%20alle';
    expect(second.redirects).toMatchObject({
      [`${base}/faq`]: `${base}/en/`,
      [`${base}/en/article/aaaaaaaaaa-reset`]: `${base}/en/article/aaaaaaaaaa-two/`,
      [`${base}/article/aaaaaaaaaa`]: `${base}/en/article/aaaaaaaaaa-two/`,
    });
    const stubs = await publish(sampleBase(), {
      siteUrl,
      settings: { formats: ['html'], rules: [{ from: '/faq', to: '/en/' }] },
    });
    expect(stubs.files.has('faq/index.html')).toBe(true);
  });

  it('are forgotten, which is reported, if the history is damaged', async () => {
    const { problems, redirects } = await publish(sampleBase(), {
      previous: new Map([['addresses.json', '{ "schema"']]),
    });
    expect(codes(problems)).toEqual(['ADDRESSES_FORGOTTEN']);
    expect(redirects).toEqual({});
  });

  it('are used if someone reformatted, reordered or edited the history', async () => {
    const first = await publish(sampleBase());
    const book = JSON.parse(first.files.get('addresses.json') ?? '');
    const indented = JSON.stringify({ ...book, pages: book.pages.toReversed() }, null, 4).replace(
      'aaaaaaaaaa-reset',
      'aaaaaaaaaa-before',
    );
    const second = await publish(sampleBase({ reset: 'two' }), {
      previous: new Map([['addresses.json', indented]]),
    });
    expect(second.problems).toEqual([]);
    expect(second.redirects).toEqual({ '/en/article/aaaaaaaaaa-before': '/en/article/aaaaaaaaaa-two/' });
  });

  it('leave the same memory when nothing changes', async () => {
    const first = await publish(sampleBase());
    const second = await publish(sampleBase(), { previous: first.files });
    expect(second.files.get('addresses.json')).toBe(first.files.get('addresses.json'));
  });
});

describe('pages that are gone', () => {
  const without = (language: string) => {
    const base = sampleBase();
    const articles = base.articles.map((record) => ({
      ...record,
      translations: record.translations.filter((translation) => translation.language !== language),
    }));
    return { ...base, articles };
  };
  const onlyReset = () => ({ ...sampleBase(), articles: sampleBase().articles.slice(0, 1) });

  it('lead to the record in its source language for the time being', async () => {
    const first = await publish(sampleBase());
    const second = await publish(without('de'), { previous: first.files });
    expect(second.redirects).toEqual({
      '/de/article/aaaaaaaaaa-zurucksetzen': '/en/article/aaaaaaaaaa-reset/ 302',
      '/de/category/cccccccccc-billing': '/en/category/cccccccccc-billing/ 302',
    });
  });

  it('leave no path, neither in the history nor in the files of a host, if no language is left', async () => {
    const first = await publish(sampleBase());
    const second = await publish(sampleBase({ invoice: 'bill' }), { previous: first.files });
    expect(second.redirects).toEqual({ '/en/article/bbbbbbbbbb-invoice': '/en/article/bbbbbbbbbb-bill/' });
    const third = await publish(onlyReset(), {
      previous: second.files,
      settings: { formats: ['nginx', 'netlify', 'vercel', 'json'] },
    });
    for (const [path, content] of third.files) expect([path, content]).not.toContain('bbbbbbbbbb');
    const fourth = await publish(sampleBase({ invoice: 'bill' }), { previous: third.files });
    expect(fourth.redirects).toEqual({});
  });
});

describe('URLs of the old help centre', () => {
  const settings = { movedFrom: ['hosted' as const] };

  it('lead to the pages of today, with and without slug and language', async () => {
    const { redirects } = await publish(sampleBase(), { settings });
    expect(redirects).toEqual({
      '/article/aaaaaaaaaa': '/en/article/aaaaaaaaaa-reset/',
      '/article/aaaaaaaaaa-reset': '/en/article/aaaaaaaaaa-reset/',
      '/article/bbbbbbbbbb': '/en/article/bbbbbbbbbb-invoice/',
      '/article/bbbbbbbbbb-invoice': '/en/article/bbbbbbbbbb-invoice/',
      '/category/cccccccccc': '/en/category/cccccccccc-billing/',
      '/l/de/article/aaaaaaaaaa': '/de/article/aaaaaaaaaa-zurucksetzen/',
      '/l/de/article/aaaaaaaaaa-zur%C3%BCcksetzen': '/de/article/aaaaaaaaaa-zurucksetzen/',
      '/l/de/category/cccccccccc': '/de/category/cccccccccc-billing/',
      '/l/en/article/aaaaaaaaaa': '/en/article/aaaaaaaaaa-reset/',
      '/l/en/article/aaaaaaaaaa-reset': '/en/article/aaaaaaaaaa-reset/',
      '/l/en/article/bbbbbbbbbb': '/en/article/bbbbbbbbbb-invoice/',
      '/l/en/article/bbbbbbbbbb-invoice': '/en/article/bbbbbbbbbb-invoice/',
      '/l/en/category/cccccccccc': '/en/category/cccccccccc-billing/',
      '/l/ja/category/cccccccccc': '/ja/category/cccccccccc-billing/',
      '/l/ja/article/aaaaaaaaaa': '/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/',
      '/l/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88':
        '/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/',
    });
  });

  it('lead to categories whose ids contain hyphens, and can be the target of a configured redirect', async () => {
    const base = knowledgeBase(
      [
        article('aaaaaaaaaa', [translation('en', 'One')], { categoryId: 'my' }),
        article('bbbbbbbbbb', [translation('en', 'Two')], { categoryId: 'my-own' }),
      ],
      [
        {
          ...category('my', { en: 'My' }),
          translations: [{ language: 'en', title: 'My', slug: 'own', description: null }],
        },
        category('my-own', { en: 'Own' }),
      ],
    );
    const rules = [
      { from: '/faq', to: 'category:my-own' },
      { from: '/old', to: '/l/en/category/my-own' },
    ];
    const { redirects } = await publish(base, { settings: { ...settings, rules } });
    expect(redirects).toMatchObject({
      '/category/my': '/en/category/my-own/',
      '/category/my-own': '/en/category/my-own-own/',
      '/faq': '/en/category/my-own-own/',
      '/old': '/en/category/my-own-own/',
    });
  });

  it('hide no page, however many hosts get files', async () => {
    const formats = ['html', 'netlify', 'vercel'] as const;
    const all = await publish(sampleBase(), { settings: { ...settings, formats: [...formats] } });
    const alone = await publish(sampleBase(), { settings: { ...settings, formats: ['netlify'] } });
    expect(all.redirects).toEqual(alone.redirects);
    expect(all.files.has('article/aaaaaaaaaa/index.html')).toBe(true);
  });

  it('are the end of a configured redirect, too', async () => {
    const rules = [{ from: '/old', to: '/l/de/article/aaaaaaaaaa-zurücksetzen' }];
    const { redirects } = await publish(sampleBase(), { settings: { ...settings, rules } });
    expect(redirects['/old']).toBe('/de/article/aaaaaaaaaa-zurucksetzen/');
  });

  it('are not redirected if pages keep them', async () => {
    const base = knowledgeBase([article(ids.reset, [translation('en', 'Reset', { slug: 'reset' })])]);
    const { redirects } = await publish(base, { settings, articlePattern: 'article/{id}-{slug}' });
    expect(Object.keys(redirects)).toEqual([
      '/article/aaaaaaaaaa',
      '/l/en/article/aaaaaaaaaa',
      '/l/en/article/aaaaaaaaaa-reset',
    ]);
  });
});

describe('redirects of the configuration', () => {
  const publishRules = (...rules: { from: string; to: string; kind?: 'permanent' | 'temporary' }[]) =>
    publish(sampleBase(), { settings: { rules } });

  it('lead to paths, web URLs and records', async () => {
    const { redirects, problems } = await publishRules(
      { from: '/faq', to: '/en/' },
      { from: '/status/', to: 'https://status.example.com/?a=1#now', kind: 'temporary' },
      { from: '/bills', to: 'category:cccccccccc' },
      { from: '/ä ö'.replace(' ', '%20'), to: 'article:aaaaaaaaaa' },
    );
    expect(problems).toEqual([]);
    expect(redirects).toEqual({
      '/bills': '/en/category/cccccccccc-billing/',
      '/faq': '/en/',
      '/status': 'https://status.example.com/?a=1#now 302',
      '/%C3%A4%20%C3%B6': '/en/article/aaaaaaaaaa-reset/',
    });
  });

  it('are followed to their end, once', async () => {
    const { redirects } = await publishRules(
      { from: '/a', to: '/b' },
      { from: '/b', to: '/c/' },
      { from: '/c', to: '/en/' },
    );
    expect(redirects).toEqual({ '/a': '/en/', '/b': '/en/', '/c': '/en/' });
  });

  it('follow renamed pages', async () => {
    const first = await publish(sampleBase());
    const { redirects } = await publish(sampleBase({ reset: 'two' }), {
      previous: first.files,
      settings: { rules: [{ from: '/password', to: '/en/article/aaaaaaaaaa-reset/' }] },
    });
    expect(redirects['/password']).toBe('/en/article/aaaaaaaaaa-two/');
  });

  it('are temporary when a part of the way is', async () => {
    const { redirects } = await publishRules(
      { from: '/a', to: '/b' },
      { from: '/b', to: '/en/', kind: 'temporary' },
    );
    expect(redirects['/a']).toBe('/en/ 302');
  });

  it.each([
    [
      'lead in a circle',
      [
        { from: '/a', to: '/b' },
        { from: '/b', to: '/a/' },
      ],
      ['REDIRECT_INVALID', 'REDIRECT_INVALID'],
    ],
    ['lead to themselves', [{ from: '/a', to: '/a/?x=1' }], ['REDIRECT_INVALID']],
    ['hide a page', [{ from: '/en', to: '/faq' }], ['REDIRECT_INVALID']],
    ['hide a page by its file', [{ from: '/en/index.html', to: '/faq' }], ['REDIRECT_INVALID']],
    ['lead to no record', [{ from: '/a', to: 'article:zzzzzzzzzz' }], ['REDIRECT_INVALID']],
  ])('are skipped and reported when they %s', async (_what, rules, wanted) => {
    const { redirects, problems } = await publishRules(...rules);
    expect(redirects).toEqual({});
    expect(codes(problems)).toEqual(wanted);
  });

  it('are reported when their target is missing, or when they are listed twice', async () => {
    const { redirects, problems } = await publishRules(
      { from: '/a', to: '/nothing' },
      { from: '/b', to: '/en/' },
      { from: '/b/', to: 'https://example.com/' },
    );
    expect(redirects).toEqual({ '/a': '/nothing', '/b': '/en/' });
    expect(codes(problems)).toEqual(['REDIRECT_INVALID', 'REDIRECT_INVALID']);
  });
});
