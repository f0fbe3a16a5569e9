import { listArticles, listCategories, RequestFailed, searchArticles } from './api.js';
import { listDrafts } from './changes.js';
import { announce, button, make, nameLanguage, showTime } from './elements.js';

/** Rows that are shown at first, and added with each further step. */
const step = 50;

/** What readers see of an article or translation now: a short word, its kind for the style, and a sentence. */
export function statusOf({ isPublished, isPrivate = false, publishAt, unpublishAt }) {
  const now = Date.now();
  if (!isPublished) return { kind: 'draft', word: 'Draft', text: 'Draft: readers do not see it.' };
  if (unpublishAt && Date.parse(unpublishAt) <= now)
    return { kind: 'draft', word: 'Expired', text: `Not public any more since ${showTime(unpublishAt)}.` };
  if (publishAt && Date.parse(publishAt) > now)
    return { kind: 'scheduled', word: 'Scheduled', text: `Becomes public on ${showTime(publishAt)}.` };
  if (isPrivate) return { kind: 'private', word: 'Private', text: 'Private: not on the site.' };
  return {
    kind: 'public',
    word: 'Published',
    text: unpublishAt ? `Published until ${showTime(unpublishAt)}.` : 'Readers see it.',
  };
}

export const statusOfArticle = (article) =>
  statusOf({
    isPublished: article.is_published,
    isPrivate: article.is_private || (article.permission_groups ?? []).length > 0,
    publishAt: article.publish_at,
    unpublishAt: article.unpublish_at,
  });

/** Categories in the order of their tree, each with its depth. */
export function orderCategories(categories) {
  const byParent =
    Map.groupBy?.(categories, ({ parent_category_id: parent }) => parent) ?? groupByParent(categories);
  const ordered = [];
  const seen = new Set();
  const visit = (parent, depth) => {
    for (const category of byParent.get(parent) ?? []) {
      if (seen.has(category.category_id)) continue;
      seen.add(category.category_id);
      ordered.push({ ...category, depth });
      visit(category.category_id, depth + 1);
    }
  };
  visit(null, 0);
  // Those whose parent does not exist, or is below them.
  for (const category of categories)
    if (!seen.has(category.category_id)) ordered.push({ ...category, depth: 0 });
  return ordered;
}

function groupByParent(categories) {
  const groups = new Map();
  for (const category of categories) {
    const parent = category.parent_category_id;
    groups.set(parent, [...(groups.get(parent) ?? []), category]);
  }
  return groups;
}

/** Options of a list of categories; `&emsp;` shows the depth. */
export const categoryOptions = (categories) =>
  orderCategories(categories).map(({ category_id: id, title, depth }) =>
    make('option', { value: id }, `${'\u2003'.repeat(depth)}${title}`),
  );

const choose = (label, options) => make('select', { 'aria-label': label }, options);
const option = (value, text) => make('option', { value }, text);

/** What was chosen in the list, for the way back from an article. */
const chosen = { query: '', status: '', category: '', language: '' };

/** Shows all articles, with search and filters. @param session of the key */
export async function showList(main, { session }) {
  const [articles, categories] = await Promise.all([listArticles(), listCategories()]);
  const drafts = listDrafts();
  const titles = new Map(categories.map(({ category_id: id, title }) => [id, title]));
  const languages = [
    ...new Set(articles.flatMap(({ multilingual }) => multilingual.map(({ language_code: tag }) => tag))),
  ].sort();
  articles.sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  let found = null;
  let shown = step;
  let searching = null;

  const query = make('input', {
    type: 'search',
    'aria-label': 'Search in titles and texts',
    placeholder: 'Search in titles and texts',
    value: chosen.query,
  });
  const status = choose('Status', [
    option('', 'Every status'),
    option('public', 'Published'),
    option('draft', 'Draft or expired'),
    option('scheduled', 'Scheduled'),
    option('private', 'Private'),
    option('unsaved', 'With unsaved changes'),
  ]);
  const category = choose('Category', [
    option('', 'Every category'),
    option('none', 'Without a category'),
    categoryOptions(categories),
  ]);
  const language = choose('Language', [
    option('', 'Every language'),
    languages.flatMap((tag) => [
      option(tag, `In ${nameLanguage(tag)}`),
      option(`!${tag}`, `Not yet in ${nameLanguage(tag)}`),
    ]),
  ]);
  status.value = chosen.status;
  category.value = chosen.category;
  language.value = chosen.language;
  const rows = make('ul', { className: 'rows' });
  const count = make('p', { className: 'count', 'aria-live': 'polite' });
  const more = button('Show more', () => {
    const first = shown;
    shown += step;
    fill();
    rows.children[first]?.querySelector('a')?.focus();
  });

  const isWanted = (article) => {
    const tags = article.multilingual.map(({ language_code: tag }) => tag);
    const wanted = language.value.replace('!', '');
    return (
      (status.value === '' ||
        (status.value === 'unsaved'
          ? drafts.has(article.article_id)
          : statusOfArticle(article).kind === status.value)) &&
      (category.value === '' || (article.category_id ?? 'none') === category.value) &&
      (wanted === '' || tags.includes(wanted) !== language.value.startsWith('!'))
    );
  };

  const row = (article) => {
    const { kind, word, text } = statusOfArticle(article);
    const place = titles.get(article.category_id);
    return make(
      'li',
      {},
      make(
        'a',
        { href: `#/article/${article.article_id}`, className: 'row' },
        make('span', { className: 'row-title', dir: 'auto' }, article.title),
        make(
          'span',
          { className: 'row-facts' },
          make('span', { className: `badge is-${kind}`, title: text }, word),
          drafts.has(article.article_id)
            ? make('span', { className: 'badge is-unsaved' }, 'Unsaved changes')
            : null,
          place === undefined ? null : make('span', { dir: 'auto' }, place),
          make(
            'span',
            {},
            [session.defaultLanguage, ...article.multilingual.map(({ language_code: tag }) => tag)].join(
              ' · ',
            ),
          ),
          make('span', {}, showTime(article.updated_at)),
        ),
      ),
    );
  };

  function fill() {
    Object.assign(chosen, {
      query: query.value,
      status: status.value,
      category: category.value,
      language: language.value,
    });
    const text = query.value.trim().toLowerCase();
    let wanted = articles.filter(isWanted);
    if (text !== '') {
      const ranks = new Map((found ?? []).map((id, at) => [id, at]));
      const hasTitle = ({ title, multilingual }) =>
        [title, ...multilingual.map((one) => one.title ?? '')].some((one) =>
          one.toLowerCase().includes(text),
        );
      const rankOf = (article) => ranks.get(article.article_id) ?? Number.POSITIVE_INFINITY;
      wanted = wanted.filter((article) => ranks.has(article.article_id) || hasTitle(article));
      wanted.sort((one, other) => Math.min(rankOf(one), 1e9) - Math.min(rankOf(other), 1e9));
    }
    rows.replaceChildren(...wanted.slice(0, shown).map(row));
    more.hidden = wanted.length <= shown;
    count.textContent = wanted.length === 1 ? '1 article' : `${wanted.length} articles`;
    empty.hidden = wanted.length > 0;
    empty.replaceChildren(...describeEmpty());
  }

  function describeEmpty() {
    if (articles.length === 0) {
      return [
        make('h2', {}, 'No articles yet'),
        make('p', {}, 'Write the first one. Readers see it when you publish it.'),
        session.access === 'write'
          ? make('a', { className: 'button primary', href: '#/new' }, 'Write an article')
          : make('p', {}, 'Your key may only read.'),
      ];
    }
    return [
      make('h2', {}, 'Nothing found'),
      make('p', {}, 'Try other words, or another status, category or language.'),
      button('Show all articles', () => {
        for (const control of [query, status, category, language]) control.value = '';
        found = null;
        fill();
        query.focus();
      }),
    ];
  }

  async function search() {
    searching?.abort();
    searching = new AbortController();
    const { signal } = searching;
    const text = query.value.trim();
    found = null;
    shown = step;
    fill();
    if (text === '') return;
    try {
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (signal.aborted) return;
      const ids = await searchArticles(text, signal);
      if (signal.aborted) return;
      found = ids;
      fill();
    } catch (error) {
      if (error instanceof RequestFailed) announce(error.message);
      else if (error.name !== 'AbortError') throw error;
    }
  }

  const empty = make('div', { className: 'empty', hidden: true });
  query.addEventListener('input', search);
  for (const control of [status, category, language]) {
    control.addEventListener('change', () => {
      shown = step;
      fill();
    });
  }
  main.replaceChildren(
    make(
      'div',
      { className: 'page' },
      make(
        'div',
        { className: 'page-head' },
        make('h1', {}, 'Articles'),
        session.access === 'write'
          ? make('a', { className: 'button primary', href: '#/new' }, 'New article')
          : null,
      ),
      make(
        'div',
        { className: 'filters', role: 'search' },
        query,
        status,
        category,
        languages.length > 0 ? language : null,
      ),
      drafts.has('new') && session.access === 'write'
        ? make(
            'p',
            { className: 'notice' },
            'An article that you began was not saved. ',
            make('a', { href: '#/new' }, 'Continue with it'),
          )
        : null,
      count,
      rows,
      more,
      empty,
    ),
  );
  if (query.value === '') fill();
  else await search();
}
