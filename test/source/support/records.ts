/** A public article record as the API returns it; given fields override the defaults. */
export function articleRecord(
  id: string,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    article_id: id,
    title: `Title of ${id}`,
    slug: `slug-${id}`,
    body: `<p>Body of ${id}</p>`,
    description: null,
    category_id: null,
    tags: [],
    is_published: true,
    is_private: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-02T00:00:00.000Z',
    multilingual: [],
    ...fields,
  };
}

/** Generates ids in order: `a000000000`, `a000000001`, … */
export function articleId(index: number): string {
  return `a${String(index).padStart(9, '0')}`;
}

export function articleRecords(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => articleRecord(articleId(index)));
}

/** An article in several languages, as `multilingual` holds them: title and body by language. */
export function translatedArticle(
  id: string,
  texts: Readonly<Record<string, readonly [title: string, body: string]>>,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return articleRecord(id, {
    ...{ title: null, slug: null, body: null, created_at: null, updated_at: null },
    multilingual: Object.entries(texts).map(([language_code, [title, body]]) => {
      return { language_code, title, body, slug: null, description: null, is_live: true };
    }),
    ...fields,
  });
}

/** A category in several languages: titles by language. */
export function translatedCategory(
  id: string,
  titles: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    category_id: id,
    ...{ title: null, slug: null, description: null, parent_category_id: null },
    multilingual: Object.entries(titles).map(([language_code, title]) => {
      return { language_code, title, slug: null, description: null };
    }),
    ...fields,
  };
}
