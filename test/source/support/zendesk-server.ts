import { type Handler, sendJson } from './test-server.ts';

/** An article as a test writes it. */
export interface ServedArticle {
  readonly title: string;
  readonly body: string;
  readonly updated: string;
  readonly state?: 'draft' | 'private' | 'restricted' | 'unknown';
  readonly german?: {
    readonly title: string;
    readonly body: string;
    readonly updated?: string;
    readonly hidden?: true;
  };
  readonly category?: 'parent' | 'child';
}

/** Number of an article, derived from the first letters of its name. */
export function zendeskNumber(name: string): number {
  return Number.parseInt(Buffer.from(name).toString('hex').slice(0, 10), 16);
}

const perPage = 3;

/** Responds as the Help Center API documentation says, with cursors, in pages of three. */
export function createZendesk() {
  let articles: (readonly [string, ServedArticle])[] = [];
  let isCut = false;
  const sections = { parent: 11, child: 12 };
  const record = ([name, { title, body, updated, state, category }]: readonly [string, ServedArticle]) => ({
    id: zendeskNumber(name),
    title,
    body,
    locale: 'en',
    source_locale: 'en',
    draft: state === 'draft',
    section_id: category === undefined ? null : sections[category],
    ...(state === 'unknown'
      ? {}
      : { user_segment_id: state === 'private' || state === 'restricted' ? 7 : null }),
    permission_group_id: 1,
    label_names: ['care'],
    position: 0,
    promoted: false,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: updated,
  });
  const translations = (id: number): unknown[] => {
    const [name = '', article] = articles.find(([one]) => zendeskNumber(one) === id) ?? [];
    if (article === undefined) return [];
    const of = (
      locale: string,
      { title, body, updated = article.updated }: { title: string; body: string; updated?: string },
      draft: boolean,
    ) => ({
      locale,
      title,
      body,
      draft,
      outdated: locale !== 'en',
      updated_at: updated,
      html_url: `https://localhost/hc/${locale}/articles/${id}-${name}`,
    });
    const isDraft = article.state === 'draft';
    const { german } = article;
    return [
      of('en', article, isDraft),
      ...(german === undefined ? [] : [of('de', german, isDraft || german.hidden === true)]),
    ];
  };
  const lists: Readonly<
    Record<string, (id: number) => readonly [key: string, records: readonly unknown[]] | null>
  > = {
    articles: () => ['articles', articles.map(record)],
    categories: () => ['categories', []],
    sections: () => [
      'sections',
      [
        { id: sections.child, parent_section_id: sections.parent, category_id: 1 },
        { id: sections.parent, parent_section_id: null, category_id: null },
      ],
    ],
    'articles/translations': (id) => ['translations', translations(id)],
    'sections/translations': (id) => [
      'translations',
      [{ locale: 'en', title: id === sections.child ? 'child' : 'parent', body: '' }],
    ],
    'articles/attachments/block': () => ['article_attachments', []],
  };
  const handle: Handler = (request, response) => {
    const url = new URL(request.url ?? '/', 'https://localhost');
    const [, path = ''] = /^\/api\/v2\/help_center\/(.*)$/.exec(url.pathname) ?? [];
    const [key, records] = lists[path.replace(/\/\d+/, '')]?.(Number(/\d+/.exec(path)?.[0])) ?? [];
    if (key === undefined || records === undefined)
      return sendJson(response, { error: 'RecordNotFound' }, 404);
    const after = Number(url.searchParams.get('page[after]') ?? 0);
    const more = records.length > after + perPage;
    const answer = JSON.stringify({
      [key]: records.slice(after, after + perPage),
      meta: { has_more: more, after_cursor: more ? String(after + perPage) : null, before_cursor: null },
    });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(isCut && path === 'articles' ? answer.slice(0, -20) : answer);
  };
  return {
    handle,
    hold(world: Readonly<Record<string, ServedArticle>>): void {
      articles = Object.entries(world);
    },
    cut(): void {
      isCut = true;
    },
  };
}
