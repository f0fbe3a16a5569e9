import { describe, expect, test } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { createSite, type Site, type SiteOptions } from '../../src/site/pages/site.ts';
import type { Plan } from '../../src/site/plan/plan.ts';
import { planSite } from '../../src/site/plan/plan-site.ts';
import { article, category } from '../support/knowledge-base.ts';
import { document, planOf, sampleArticles, sampleCategories } from './support/fixture.ts';
import { renderArticle, renderPages } from './support/render-article.ts';
import { renderOthers } from './support/render-others.ts';

const options: SiteOptions = { templatesFolder: null, iframeHosts: ['youtube.com'] };

function siteOf(plan: Plan, given: Partial<SiteOptions> = {}): Promise<Site> {
  return createSite(plan, siteSettings.parse({}), { ...options, ...given });
}

async function filesOf(site: Site): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, content } of renderOthers(site)) files.set(path, content.toString());
  return files;
}

const sample = planOf(sampleArticles, sampleCategories);

describe('an article page', () => {
  test('shows title, trail, body and date in its language', async () => {
    const site = await siteOf(sample);
    const { path, content } = renderArticle(site, 'aaaaaaaaa1', 'ja', document('<p>手順</p>'));
    expect(path).toBe('ja/article/aaaaaaaaa1-パスワードを再設定する/index.html');
    expect(content).toContain('<html lang="ja" dir="ltr">');
    expect(content).toContain('<h1>パスワードを再設定する</h1>');
    expect(content).toContain('<p>手順</p>');
    expect(content).toContain('>アカウント</a>');
    expect(content).toContain('<time datetime="2026-03-01T10:00:00.000Z">2026年3月1日</time>');
  });

  test('is written right to left in Arabic', async () => {
    const site = await siteOf(sample);
    const { content } = renderArticle(site, 'aaaaaaaaa1', 'ar', document('<p>خطوات</p>'));
    expect(content).toContain('<html lang="ar" dir="rtl">');
  });

  test('escapes titles wherever it shows them', async () => {
    const site = await siteOf(sample);
    const { content } = renderArticle(site, 'aaaaaaaaa3', 'en', document('<p>Text</p>'));
    expect(content).toContain('<h1>Refunds &lt;explained&gt;</h1>');
    expect(content).not.toContain('<explained>');
  });

  test('names canonical and alternates for exactly the languages it is translated into', async () => {
    const site = await siteOf(sample);
    const { content } = renderArticle(site, 'aaaaaaaaa2', 'ja', document('<p>文</p>'));
    const alternates = [...content.toString().matchAll(/hreflang="([^"]+)">\n/g)].map(([, tag]) => tag);
    expect(alternates).toEqual(['en', 'ja', 'x-default']);
    expect(content).toContain(
      `<link rel="canonical" href="https://help.example.com/docs/ja/article/aaaaaaaaa2-${encodeURIComponent('メールを変更する')}/">`,
    );
  });

  test('contains no absolute URL if the site URL is unknown', async () => {
    const site = await siteOf(planOf(sampleArticles, sampleCategories, null));
    const { content } = renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>Text</p>'));
    expect(content).not.toMatch(/rel="canonical"|og:|hreflang="x-default"/);
    expect(content).toContain('href="/en/"');
  });

  test('lists two levels of headings, but not a single one', async () => {
    const site = await siteOf(sample);
    const headings = [
      { level: 2, id: 'first', text: 'First' },
      { level: 3, id: 'deeper', text: 'Deeper' },
      { level: 4, id: 'deepest', text: 'Deepest' },
    ];
    const long = renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>Text</p>', { headings }));
    expect(long.content).toContain('<a href="#deeper">Deeper</a>');
    expect(long.content).not.toContain('#deepest');
    const short = renderArticle(
      site,
      'aaaaaaaaa1',
      'en',
      document('<p>Text</p>', { headings: headings.slice(0, 1) }),
    );
    expect(short.content).not.toContain('class="toc"');
  });

  test('leads the language switcher to the same article, or home if it is not translated', async () => {
    const site = await siteOf(sample);
    const { content } = renderArticle(site, 'aaaaaaaaa2', 'en', document('<p>Text</p>'));
    expect(content).toMatch(/href="\/docs\/ja\/article\/aaaaaaaaa2-[^"]+" lang="ja"/);
    expect(content).toMatch(/href="\/docs\/ar\/" lang="ar"[^>]* class="elsewhere"/);
  });

  test('is the same every time', async () => {
    const render = async () =>
      renderArticle(await siteOf(sample), 'aaaaaaaaa1', 'en', document('<p>Text</p>'));
    expect(await render()).toEqual(await render());
  });
});

describe('settings per language', () => {
  const settings = siteSettings.parse({
    title: 'unused: the plan has it',
    contact: { en: 'mailto:help@example.com', ja: '/ja/contact' },
    headerLinks: [{ title: { en: 'Status', ja: '稼働状況' }, href: 'https://status.example.com' }],
    footerLinks: [{ title: 'Shop', href: { en: 'https://example.com', ar: 'https://example.com/ar' } }],
    announcement: { title: { ja: 'メンテナンス中', en: 'Maintenance <today>' }, href: { en: '/en/status' } },
  });
  const { plan } = planSite(
    { defaultLanguage: 'en', articles: sampleArticles, categories: sampleCategories, excluded: new Map() },
    {
      siteUrl: 'https://help.example.com',
      siteTitle: { en: 'Acme Help', ja: 'アクメ ヘルプ' },
      languages: undefined,
      urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
    },
  );

  test('reach every page of the language: title, links, contact and announcement', async () => {
    const site = await createSite(plan, settings, options);
    const files = await filesOf(site);
    const { content } = renderArticle(site, 'aaaaaaaaa1', 'ja', document('<p>文</p>'));
    for (const page of [content.toString(), files.get('ja/index.html') ?? '']) {
      expect(page).toContain('アクメ ヘルプ</title>');
      expect(page).toContain('<span dir="auto">アクメ ヘルプ</span>');
      expect(page).toContain('<a href="https://status.example.com"><bdi>稼働状況</bdi></a>');
      expect(page).toContain('href="/ja/contact"');
      expect(page).toContain(
        '<aside class="announcement"><p class="bar"><bdi><a href="/en/status">メンテナンス中</a></bdi></p></aside>',
      );
    }
    expect(content).toContain('"name":"アクメ ヘルプ"');
    expect(content).toContain('property="og:site_name" content="アクメ ヘルプ"');
    expect(files.get('ja/updates.atom')).toContain('<title>アクメ ヘルプ</title>');
  });

  test('fall back to those of the default language, except the announcement', async () => {
    const arabic = (await filesOf(await createSite(plan, settings, options))).get('ar/index.html') ?? '';
    expect(arabic).toContain('Acme Help</title>');
    expect(arabic).toContain('><bdi>Status</bdi></a>');
    expect(arabic).toContain('href="https://example.com/ar"');
    expect(arabic).toContain('href="mailto:help@example.com"');
    expect(arabic).not.toContain('class="announcement"');
  });

  test('escape what they print', async () => {
    const english = (await filesOf(await createSite(plan, settings, options))).get('en/index.html') ?? '';
    expect(english).toContain('Maintenance &lt;today&gt;');
  });

  test.each([
    { title: '' },
    { title: { en: '' } },
    { title: { 'not a tag': 'x' } },
    { contact: { en: 'javascript:alert(1)' } },
    { headerLinks: [{ title: 'x', href: { en: 'data:text/html,x' } }] },
    { announcement: { title: 5 } },
  ])('are checked: %j', (given) => {
    expect(siteSettings.safeParse(given).success).toBe(false);
  });
});

describe('what readers can do at the end of an article', () => {
  const render = async (given: Parameters<typeof siteSettings.parse>[0]) => {
    const site = await createSite(sample, siteSettings.parse(given), options);
    const { content } = renderArticle(site, 'aaaaaaaaa1', 'ja', document('<p>文</p>'));
    return { content: content.toString(), headers: (await filesOf(site)).get('_headers') ?? '' };
  };

  test('is to answer whether it helped, with a form that needs no script', async () => {
    const { content, headers } = await render({ feedback: 'https://feedback.example.com/answers?site=help' });
    const [form = ''] = /<form class="feedback"[\s\S]*?<\/form>/.exec(content) ?? [];
    expect(form).toContain('method="post" action="https://feedback.example.com/answers?site=help"');
    expect(form).toContain('name="article" value="aaaaaaaaa1"');
    expect(form).toContain('name="language" value="ja"');
    expect(form).toContain('<button name="helpful" value="yes">はい</button>');
    expect(headers).toContain("connect-src 'self' https://feedback.example.com;");
    expect(headers).toContain("form-action 'self' https://feedback.example.com;");
  });

  test('is not shown without a URL that receives it', async () => {
    const { content, headers } = await render({});
    expect(content).not.toContain('class="feedback"');
    expect(headers).toContain("form-action 'self';");
    expect((await render({ feedback: '/api/feedback' })).headers).toContain("form-action 'self';");
  });

  test('is counted only if the settings say so', async () => {
    const key = `lc_aaaaaaaaaa_${'b'.repeat(43)}`;
    const { content, headers } = await render({ statistics: `https://kb.example.com/v1/?key=${key}` });
    expect(content).toContain(
      `<article data-count="https://kb.example.com/v1/stats/article/aaaaaaaaa1?key=${key}">`,
    );
    expect(headers).toContain("connect-src 'self' https://kb.example.com;");
    expect((await render({})).content).toContain('<article>');
    expect((await render({})).headers).toContain("connect-src 'self';");
  });

  test('is to suggest a change, where the settings say how', async () => {
    const pattern = 'https://github.com/acme/help/edit/main/{id}/{lang}.md?path={path}';
    const page = encodeURIComponent('aaaaaaaaa1-パスワードを再設定する');
    expect((await render({ editUrl: pattern })).content).toContain(
      `href="https://github.com/acme/help/edit/main/aaaaaaaaa1/ja.md?path=ja/article/${page}" rel="nofollow">変更を提案`,
    );
    expect((await render({})).content).not.toContain('変更を提案');
  });

  test.each([
    { feedback: 'http://example.com' },
    { feedback: 'javascript:alert(1)' },
    // A key that may do more than count must never be published.
    { statistics: `https://kb.example.com/v1?key=lk_aaaaaaaaaa_${'b'.repeat(43)}` },
    { statistics: `http://kb.example.com/v1?key=lc_aaaaaaaaaa_${'b'.repeat(43)}` },
    { statistics: 'https://kb.example.com/v1' },
    { editUrl: 'https://example.com/edit' },
    { editUrl: 'javascript:{id}' },
    { editUrl: 'https://example.com/{branch}/{id}.md' },
    { ogImage: 'share.png' },
  ])('is checked: %j', (given) => {
    expect(siteSettings.safeParse(given).success).toBe(false);
  });
});

describe('the page of a large category', () => {
  const many = (count: number, categoryId: string, letter: string) =>
    Array.from({ length: count }, (_, at) =>
      article(
        `${letter}${String(at).padStart(9, '0')}`,
        { en: `${letter.toUpperCase()} article ${at}` },
        { categoryId, sortOrder: at },
      ),
    );
  const below = ['ccccccccc3', 'ccccccccc4', 'ccccccccc5'].map((id, at) =>
    category(id, { en: `Small ${at}` }, { parentId: 'ccccccccc1' }),
  );
  const large = planOf(
    [
      ...many(615, 'ccccccccc1', 'a'),
      ...many(25, 'ccccccccc2', 'b'),
      ...below.flatMap(({ id }, at) => many(1, id, 'cde'.charAt(at))),
    ],
    [
      category('ccccccccc1', { en: 'Everything' }),
      category('ccccccccc2', { en: 'Billing' }, { parentId: 'ccccccccc1' }),
      ...below,
    ],
  );
  const page = async (id: string) => {
    const files = await filesOf(await siteOf(large));
    return [...files].find(([path]) => path.startsWith(`en/category/${id}`))?.[1] ?? '';
  };
  const listed = (html: string) => html.match(/>[A-E] article \d+<\/a>/g)?.length ?? 0;

  test('shows its first articles, then all of them by letter in groups that open, with a field that filters them', async () => {
    const html = await page('ccccccccc1');
    const [all = ''] = /<section class="filterable"[\s\S]*?<\/section>/.exec(html) ?? [];
    expect(all).toContain('<h2 id="all-articles">Show all 615</h2>');
    expect(all).toMatch(/<input class="list-filter" type="search" hidden aria-label="Filter articles"/);
    expect(
      all.match(/<details class="letter-group">\n<summary>A <span class="tag">615<\/span><\/summary>/g),
    ).toHaveLength(1);
    expect(listed(all)).toBe(615);
    expect(listed(html.replace(all, '').replace(/<section class="subcategory">[\s\S]*/, ''))).toBe(10);
    expect(html).toContain('<p class="meta">643 articles ');
    expect(await page('ccccccccc2')).not.toContain('class="filterable"');
  });

  test('shows the first articles of each category below, with a link to all of them', async () => {
    const html = await page('ccccccccc1');
    expect(html.match(/>B article \d+<\/a>/g)).toHaveLength(10);
    expect(html).toMatch(
      /<a class="show-all" href="\/docs\/en\/category\/ccccccccc2-billing\/">Show all 25<span class="visually-hidden">: Billing<\/span><\/a>/,
    );
    expect(html.match(/<a class="show-all"/g)).toHaveLength(1);
    expect(listed(await page('ccccccccc2'))).toBe(25);
  });

  test('has a list to jump to the categories below, if they are many', async () => {
    const html = await page('ccccccccc1');
    expect(html).toContain('<li><a href="#topic-ccccccccc2">Billing</a></li>');
    expect(html).toContain('<h2 id="topic-ccccccccc2">');
    expect(
      (await filesOf(await siteOf(sample))).get('en/category/ccccccccc1-your-account/index.html'),
    ).not.toContain('class="jump"');
  });
});

describe('the side tree of the docs look', () => {
  const numbered = (count: number, letter: string) =>
    Array.from({ length: count }, (_, at) => `${letter}${String(at).padStart(9, '0')}`);
  /** Links of the tree on the page of the first article: top categories, each with one below that has the articles. */
  async function treeLinks(top: number, articles: number): Promise<number> {
    const below = numbered(top, 'd');
    const plan = planOf(
      numbered(articles, 'a').map((id, at) =>
        article(id, { en: id }, { categoryId: below[at % top] ?? null }),
      ),
      numbered(top, 'c').flatMap((id, at) => [
        category(id, { en: id }),
        category(below[at] ?? '', { en: `Below ${id}` }, { parentId: id }),
      ]),
    );
    const site = await createSite(plan, siteSettings.parse({ look: 'docs' }), options);
    const page = renderArticle(site, 'a000000000', 'en', document('<p>Text</p>')).content.toString();
    const tree = /<nav class="tree"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? '';
    expect(tree.match(/<details open>/g)).toHaveLength(2);
    return tree.split('<a ').length - 1;
  }

  test('has every article of a small site', async () => {
    expect(await treeLinks(5, 70)).toBe(5 + 5 + 70);
  });

  test('has all categories of a larger site, and the articles beside the page', async () => {
    expect(await treeLinks(5, 75)).toBe(5 + 5 + 15);
  });

  test('has only the way to the page below the top of a site of many categories', async () => {
    expect(await treeLinks(45, 90)).toBe(45 + 1 + 2);
  });

  test('is the same on the page of a missing file, whether or not an article without a category was rendered before', async () => {
    const plan = planOf(
      [
        article('aaaaaaaaa1', { en: 'Loose' }),
        article('aaaaaaaaa2', { en: 'Kept' }, { categoryId: 'ccccccccc1' }),
      ],
      [category('ccccccccc1', { en: 'Parcels' })],
    );
    const missing = async (isAfter: boolean) => {
      const site = await createSite(plan, siteSettings.parse({ look: 'docs' }), options);
      if (isAfter) renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>Text</p>'));
      for await (const { path, content } of renderOthers(site))
        if (path === '404.html') return content.toString();
      return null;
    };
    expect(await missing(true)).toBe(await missing(false));
  });

  test('has the articles around the page if their category has too many, and a link to all', async () => {
    const ids = numbered(90, 'a');
    const plan = planOf(
      ids.map((id, at) => article(id, { en: id }, { categoryId: 'ccccccccc1', sortOrder: at })),
      [category('ccccccccc1', { en: 'Parcels' })],
    );
    const site = await createSite(plan, siteSettings.parse({ look: 'docs' }), options);
    for (const [at, first] of [
      [0, 0],
      [23, 0],
      [24, 24],
      [89, 72],
    ] as const) {
      const page = renderArticle(site, ids[at] ?? '', 'en', document('<p>Text</p>')).content.toString();
      const tree = /<nav class="tree"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? '';
      expect(tree.match(/(?<=>)a\d{9}(?=<\/a>)/g)).toEqual(ids.slice(first, first + 24));
      expect(tree.match(/aria-current="page" [^>]*>([^<]*)/)?.[1]).toBe(ids[at]);
      expect(tree).toMatch(
        /<a href="\/docs\/en\/category\/ccccccccc1-parcels\/">Show all 90<span class="visually-hidden">: Parcels</,
      );
    }
  });
});

describe('the description for search engines', () => {
  const descriptionOf = (html: string) => /<meta name="description" content="([^"]*)">/.exec(html)?.[1];

  test('of a category is its own, else the titles of its articles, else those of the categories below', async () => {
    const described = { language: 'en', title: 'Own', slug: null, description: 'All about it.' };
    const plan = planOf(
      [
        article('aaaaaaaaa1', { en: 'One', ja: '一' }, { categoryId: 'ccccccccc2' }),
        article('aaaaaaaaa2', { en: 'Two & more' }, { categoryId: 'ccccccccc2' }),
        article('aaaaaaaaa3', { en: 'Three' }, { categoryId: 'ccccccccc4' }),
      ],
      [
        category('ccccccccc1', { en: 'Top', ja: '上' }),
        category('ccccccccc2', { en: 'Below', ja: '下' }, { parentId: 'ccccccccc1' }),
        category('ccccccccc3', { en: 'Outer' }),
        category('ccccccccc5', { en: 'Middle' }, { parentId: 'ccccccccc3' }),
        { ...category('ccccccccc4', {}, { parentId: 'ccccccccc5' }), translations: [described] },
      ],
    );
    const files = await filesOf(await siteOf(plan));
    const found = [...files]
      .filter(([path]) => path.includes('/category/'))
      .map(([path, html]) => [path.replace(/\/category\/(\w+)-.*/, ' $1'), descriptionOf(html)]);
    expect(Object.fromEntries(found)).toEqual({
      'en ccccccccc1': 'Below · One · Two &amp; more',
      'en ccccccccc2': 'One · Two &amp; more',
      'en ccccccccc3': 'Middle',
      'en ccccccccc4': 'All about it.',
      'en ccccccccc5': 'Own · Three',
      'ja ccccccccc1': '下 · 一',
      'ja ccccccccc2': '一',
    });
  });

  test('of the index is the titles of its articles', async () => {
    const plan = planOf(
      [article('aaaaaaaaa1', { en: 'One' }), article('aaaaaaaaa2', { en: 'Two & more' })],
      [],
    );
    const files = await filesOf(await siteOf(plan));
    expect(descriptionOf(files.get('en/index/index.html') ?? '')).toBe('One · Two &amp; more');
  });

  test('is on every page of the site', async () => {
    const files = await filesOf(await siteOf(sample));
    const pages = [...files].filter(([path, html]) => path.endsWith('.html') && !html.includes('http-equiv'));
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter(([, html]) => !descriptionOf(html)).map(([path]) => path)).toEqual([]);
  });
});

describe('the language menu', () => {
  const tags = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'cs', 'sv', 'da', 'fi', 'hu', 'tr'];
  const menuOf = async (languages: readonly string[]) => {
    const titles = Object.fromEntries(languages.map((tag) => [tag, `Title in ${tag}`]));
    const site = await siteOf(planOf([article('aaaaaaaaa1', titles)]));
    return renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>x</p>')).content.toString();
  };

  test('has a filter above twelve languages', async () => {
    expect(await menuOf(tags)).toContain(
      '<input class="language-filter" type="search" hidden aria-label="Filter languages"',
    );
    expect(await menuOf(tags.slice(0, 12))).not.toContain('language-filter');
  });

  test('names no two languages alike', async () => {
    const menu = await menuOf(['en', 'en-x-internal', 'de']);
    expect(
      [...menu.matchAll(/<li><a [^>]*hreflang="[^"]*"[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name),
    ).toEqual(['English (en)', 'Deutsch', 'English (en-x-internal)']);
  });
});

describe('text of another language', () => {
  const { fallback } = siteSettings.parse({ fallback: { languages: { en: { chain: ['ar'] } } } });
  const mixed = planOf(
    [
      article('aaaaaaaaa1', { en: 'First', ar: 'الأول' }, { categoryId: 'ccccccccc1' }),
      article('aaaaaaaaa2', { ar: 'الثاني' }, { categoryId: 'ccccccccc1' }),
    ],
    [category('ccccccccc1', { ar: 'قسم' })],
    ...[undefined, undefined, fallback],
  );

  test('has its language and its direction wherever it is shown', async () => {
    const site = await siteOf(mixed);
    const { content } = renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>Text</p>'));
    expect(content).toMatch(/<a href="[^"]*" lang="ar" dir="rtl">قسم<\/a>/);
    const files = await filesOf(site);
    const home = files.get('en/index.html') ?? '';
    expect(home).toContain(
      'class="card-title" lang="ar" dir="rtl"><a href="/docs/en/category/ccccccccc1-%D9%82%D8%B3%D9%85/">قسم<',
    );
    const shelf = [...files].find(([path]) => path.startsWith('en/category/'))?.[1] ?? '';
    expect(shelf).toContain('<h1 lang="ar" dir="rtl">قسم</h1>');
    expect(shelf).toMatch(
      / lang="ar" dir="rtl" hreflang="ar">الثاني<\/a> <span class="tag" lang="ar" dir="rtl">/,
    );
  });

  test('has its direction on a page that shows it under a notice', async () => {
    const settings = siteSettings.parse({ fallback: { mode: 'notice' } });
    const site = await createSite(mixed, settings, options);
    const pages = renderPages(site, 'aaaaaaaaa2', 'ar', document('<p>نص</p>'));
    const notice = pages.find(({ path }) => path.startsWith('en/'))?.content;
    expect(notice).toContain('<h1 lang="ar" dir="rtl">الثاني</h1>');
    expect(notice).toMatch(/<div class="prose" lang="ar" dir="rtl"/);
  });
});

describe('the rest of the site', () => {
  test('has the stable paths', async () => {
    const paths = [...(await filesOf(await siteOf(sample))).keys()].filter(
      (path) => !path.startsWith('assets/'),
    );
    expect(paths).toEqual(
      expect.arrayContaining([
        'en/index.html',
        'en/category/ccccccccc1-your-account/index.html',
        'ar/404.html',
        'index.html',
        '404.html',
        'sitemap.xml',
        'sitemaps/ja.xml',
        'robots.txt',
        '_headers',
      ]),
    );
  });

  test('links home pages to categories, recent and unassigned articles', async () => {
    const home = (await filesOf(await siteOf(sample))).get('en/index.html') ?? '';
    expect(home).toContain('href="/docs/en/category/ccccccccc1-your-account/"');
    expect(home.indexOf('Change your email &amp; name')).toBeLessThan(home.indexOf('Reset your password'));
    expect(home).toContain('Something else');
  });

  test('leads from an article without a category to all categories, and to the others without one', async () => {
    const articles = [
      article('aaaaaaaaa1', { en: 'Payments' }, { categoryId: 'ccccccccc1' }),
      article('aaaaaaaaa2', { en: 'Welcome' }),
      article('aaaaaaaaa3', { en: 'Contact' }),
    ];
    const site = await siteOf(planOf(articles, [category('ccccccccc1', { en: 'Money' })]));
    const page = renderArticle(site, 'aaaaaaaaa2', 'en', document('<p>Text</p>')).content.toString();
    const tree = /<nav class="tree"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? '';
    expect([...tree.matchAll(/<a [^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual([
      'Money',
      'More articles',
      'Contact',
      'Welcome',
    ]);
  });

  test('tells a category and an article of one name apart, and links the name once on the home page', async () => {
    const articles = [
      article('aaaaaaaaa1', { en: 'Payments' }, { categoryId: 'ccccccccc1' }),
      article('aaaaaaaaa2', { en: 'Cards' }, { categoryId: 'ccccccccc1' }),
      article('aaaaaaaaa3', { en: 'Cards' }, { categoryId: 'ccccccccc2' }),
    ];
    const categories = [
      category('ccccccccc1', { en: 'Payments' }),
      category('ccccccccc2', { en: 'Cards' }, { parentId: 'ccccccccc1' }),
    ];
    const files = await filesOf(await siteOf(planOf(articles, categories)));
    const titleOf = (path: string) => /<title>(.*)<\/title>/.exec(files.get(path) ?? '')?.[1];
    expect(titleOf('en/category/ccccccccc1-payments/index.html')).toBe('Payments · Articles · Acme Help');
    expect(titleOf('en/category/ccccccccc2-cards/index.html')).toBe('Cards · Payments · Acme Help');
    const card =
      /<section class="card">[\s\S]*?<\/section>/.exec(files.get('en/index.html') ?? '')?.[0] ?? '';
    expect([...card.matchAll(/href="[^"]*">([^<]*)/g)].map(([, name]) => name)).toEqual([
      'Payments',
      'Cards',
    ]);
  });

  test('shows popular articles of the language in the order of their views, and no others', async () => {
    const popular = new Map([['en', ['aaaaaaaaa3', 'zzzzzzzzz9', 'aaaaaaaaa1']]]);
    const files = await filesOf(await siteOf(planOf(sampleArticles, sampleCategories, undefined, popular)));
    const home = files.get('en/index.html') ?? '';
    const section = home.slice(home.indexOf('Popular articles'), home.indexOf('Recently updated'));
    expect([...section.matchAll(/aaaaaaaaa\d/g)].map(([id]) => id)).toEqual(['aaaaaaaaa3', 'aaaaaaaaa1']);
    expect(files.get('ja/index.html')).not.toContain('Popular articles');
  });

  test('marks articles that are not translated with their language in listings', async () => {
    const listing = (await filesOf(await siteOf(sample))).get(`ar/category/ccccccccc1-حسابك/index.html`);
    expect(listing).toMatch(
      /lang="en" dir="ltr" hreflang="en">Change your email &amp; name<\/a> <span class="tag" lang="en" dir="ltr">English/,
    );
  });

  test('names every page in its sitemap and no page that does not exist', async () => {
    const files = await filesOf(await siteOf(sample));
    const sitemap = files.get('sitemaps/ar.xml') ?? '';
    expect(sitemap.match(/<loc>/g)).toHaveLength(4);
    expect(sitemap).toContain('<lastmod>2026-03-01T10:00:00.000Z</lastmod>');
    expect(files.get('sitemap.xml')).toContain('https://help.example.com/docs/sitemaps/ar.xml');
    expect(files.get('robots.txt')).toContain('Sitemap: https://help.example.com/docs/sitemap.xml');
  });

  test('has the home page of its only language at its root, where search engines index it', async () => {
    const site = await siteOf(planOf([article('aaaaaaaaa1', { en: 'Only one' })]));
    const files = await filesOf(site);
    for (const path of ['index.html', 'en/index.html']) {
      expect(files.get(path)).toContain('<link rel="canonical" href="https://help.example.com/docs/">');
      expect(files.get(path)).toContain('>Only one</a>');
      expect(files.get(path)).not.toContain('noindex');
      expect(files.get(path)).not.toContain('class="languages"');
    }
    expect(files.get('sitemaps/en.xml')).toContain('<loc>https://help.example.com/docs/</loc>');
    expect(files.get('sitemaps/en.xml')).not.toContain('<loc>https://help.example.com/docs/en/</loc>');
  });

  test('works without inline script, inline style or event handlers', async () => {
    const site = await siteOf(sample);
    const pages = [...(await filesOf(site))]
      .filter(([path]) => path.endsWith('.html'))
      .map(([, html]) => html);
    pages.push(renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>Text</p>')).content.toString());
    for (const html of pages) {
      expect(html).not.toMatch(/<script(?![^>]*(?:src=|application\/ld\+json))|<style|\sstyle=|\son\w+=/);
    }
  });

  test('refuses every source of script but the site itself', async () => {
    const headers = (await filesOf(await siteOf(sample))).get('_headers') ?? '';
    expect(headers).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(headers).toContain(
      'frame-src https://youtube.com https://*.youtube.com https://youtube-nocookie.com https://*.youtube-nocookie.com;',
    );
    expect(headers).not.toContain('unsafe');
  });

  test('lists titles by letter, without accents, and signs and digits last', async () => {
    const titles = ['Zoo', 'Édit', 'edit', '42 things', '“Quoted”', 'Öffnen'];
    const site = await siteOf(
      planOf(titles.map((title, index) => article(`aaaaaaaaa${index}`, { en: title }))),
    );
    const index = (await filesOf(site)).get('en/index/index.html') ?? '';
    expect([...index.matchAll(/<h2 id="letter-\d">([^<]*)</g)].map(([, letter]) => letter)).toEqual([
      'E',
      'O',
      'Q',
      'Z',
      'Other',
    ]);
  });

  test('folds the letters of an index of more than 60 articles', async () => {
    const indexOf = async (count: number) => {
      const articles = Array.from({ length: count }, (_, at) =>
        article(`a${String(at).padStart(9, '0')}`, { en: `${at % 3 === 0 ? 'B' : 'A'} title ${at}` }),
      );
      return (await filesOf(await siteOf(planOf(articles)))).get('en/index/index.html') ?? '';
    };
    const letters = /<summary>(\w) <span class="tag">(\d+)/g;
    expect([...(await indexOf(61)).matchAll(letters)].map(([, ...found]) => found)).toEqual([
      ['A', '40'],
      ['B', '21'],
    ]);
    expect(await indexOf(61)).toContain('A title 1<');
    expect(await indexOf(60)).not.toContain('letter-group');
  });

  test('gives a long index a page per letter', async () => {
    const many = Array.from({ length: 1001 }, (_, index) =>
      article(`a${String(index).padStart(9, '0')}`, { en: `${index % 2 === 0 ? 'A' : 'B'} title ${index}` }),
    );
    const files = await filesOf(await siteOf(planOf(many)));
    expect(files.get('en/index/index.html')).toContain('<a href="/docs/en/index/2/">B</a>');
    expect(files.get('en/index/index.html')).toContain('A title 8<');
    expect(files.get('en/index/index.html')).not.toContain('B title 7<');
    expect(files.get('en/index/2/index.html')).toContain('B title 7<');
    expect(files.get('en/index/2/index.html')).not.toContain('A title 8<');
    // A page has headings only for its own letters.
    const headings = ['index', 'index/2'].map((path) =>
      files.get(`en/${path}/index.html`)?.match(/(?<=<h2 [^>]*>)[^<]+/g),
    );
    expect(headings).toEqual([['A'], ['B']]);
  });

  test('divides the articles of one letter that are too many for a page', async () => {
    const many = Array.from({ length: 1002 }, (_, at) =>
      article(`a${String(at).padStart(9, '0')}`, { en: `How to ${at}` }),
    );
    const files = await filesOf(await siteOf(planOf(many)));
    expect(files.get('en/index/index.html')).toContain('How to 999<');
    expect(files.get('en/index/index.html')).toContain('<a href="/docs/en/index/2/">H 2</a>');
    expect(files.get('en/index/2/index.html')).toContain('How to 1001<');
    expect(files.get('en/index/2/index.html')).not.toContain('How to 999<');
  });

  test('keeps the URL of the search page if an article has it, and reports that', () => {
    const knowledgeBase = {
      defaultLanguage: 'en',
      articles: [article('aaaaaaaaa1', { en: 'Search' })],
      categories: [],
      excluded: new Map(),
    };
    const urls = { article: '{lang}/{slug}', category: '{lang}/category/{id}' };
    const { plan, problems } = planSite(knowledgeBase, {
      siteUrl: undefined,
      siteTitle: 'Acme',
      languages: undefined,
      urls,
    });
    expect(plan.articles.get('aaaaaaaaa1')?.pages.get('en')?.path).toBe('en/search-aaaaaaaaa1/index.html');
    expect(problems).toMatchObject([
      { code: 'SITE_URL_MISSING' },
      { code: 'ADDRESS_TAKEN', articleId: 'aaaaaaaaa1', language: 'en' },
    ]);
  });

  test('wears the colours of the settings', async () => {
    const theme = { accent: '#0b6e4f' };
    const site = await createSite(sample, siteSettings.parse({ theme }), options);
    const styles = [...(await filesOf(site))].find(([path]) => path.endsWith('.css'))?.[1];
    expect(styles).toContain(':root{--accent:light-dark(#0b6e4f,#4ca07e)}');
  });

  test('takes no style sheet through the settings', () => {
    for (const accent of ['red;}body{display:none', 'url(https://evil.example)', '</style>']) {
      expect(siteSettings.safeParse({ theme: { accent } }).success).toBe(false);
    }
  });

  test('has the pages of the default language for a knowledge base without a public article', async () => {
    const files = await filesOf(await siteOf(planOf([])));
    expect([...files.keys()].filter((path) => path.endsWith('.html')).sort()).toEqual([
      '404.html',
      'en/404.html',
      'en/index.html',
      'en/index/index.html',
      'en/search/index.html',
      'index.html',
    ]);
  });
});

describe('a page with nothing to list', () => {
  const uncategorised = [article('aaaaaaaaa1', { en: 'Only one' })];
  const untranslated = [
    article('aaaaaaaaa1', { en: 'Parcels' }, { categoryId: 'ccccccccc2' }),
    article('aaaaaaaaa2', { en: 'Else', ja: '他' }),
  ];
  const topics = [
    category('ccccccccc1', { en: 'Top', ja: '上' }),
    category('ccccccccc3', { en: 'Middle', ja: '中' }, { parentId: 'ccccccccc1' }),
    category('ccccccccc2', { en: 'Below', ja: '下' }, { parentId: 'ccccccccc3' }),
  ];
  const pagesOf = async (plan: Plan, look: string) => {
    const site = await createSite(plan, siteSettings.parse({ look }), options);
    const pages = [...(await filesOf(site))].filter(([path]) => path.endsWith('.html'));
    const articles = [...plan.articles.values()].flatMap(({ id, pages: translations }) =>
      [...translations.keys()].map((tag) => renderArticle(site, id, tag, document('<p>Text</p>'))),
    );
    return new Map([...pages, ...articles.map(({ path, content }) => [path, content.toString()] as const)]);
  };

  describe.each(['help', 'docs'])('in the %s look', (look) => {
    test.each([
      ['no article', planOf([])],
      ['an article without a category', planOf(uncategorised)],
      ['a category without an article in this language', planOf(untranslated, topics)],
    ])('is no empty list, no heading without a list, and no count of 0, with %s', async (_what, plan) => {
      const pages = await pagesOf(plan, look);
      expect(pages.size).toBeGreaterThan(5);
      for (const [path, html] of pages) {
        expect(html, path).not.toMatch(/<([uo]l|nav|section|details)\b[^>]*>\s*<\/\1>/);
        const sections = html.match(/<(section|nav)\b[^>]*>[\s\S]*?<\/\1>/g) ?? [];
        expect(
          sections.filter((section) => !/<(?:a|button|form) /.test(section)),
          path,
        ).toEqual([]);
        expect(html, path).not.toMatch(/>0 articles|0 件/);
      }
    });

    test('is a picture and a sentence on the home page and the index without articles', async () => {
      const pages = await pagesOf(planOf([]), look);
      for (const path of ['en/index.html', 'en/index/index.html']) {
        expect(pages.get(path)).toMatch(/<p class="empty"><svg[^>]*>.*<\/svg>No articles yet\.<\/p>/);
      }
      const others = [...(await pagesOf(planOf(uncategorised), look)).values()];
      expect(others.filter((html) => html.includes('class="empty"'))).toEqual([]);
    });

    test('shows the topics on the search page if no article is popular or was updated', async () => {
      const page = (await pagesOf(planOf(untranslated, topics), look)).get('ja/search/index.html') ?? '';
      const [offered = ''] = /<template class="search-empty">[\s\S]*?<\/template>/.exec(page) ?? [];
      expect(offered).toMatch(/<h2>トピック<\/h2><ul class="pills">\s*<li><a href="[^"]*">上<\/a><\/li>/);
      expect((await pagesOf(sample, look)).get('ja/search/index.html')).not.toContain('class="pills"');
    });
  });
});
