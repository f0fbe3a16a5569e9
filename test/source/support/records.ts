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
