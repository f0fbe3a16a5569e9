import { describe, expect, it } from 'vitest';
import type { ArticleUpdate } from '../../../src/core/api/article.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { fc, runs } from '../../support/properties.ts';
import { makeData } from '../support/service.ts';

/** The simplest thing that could be right: articles as plain objects, translations as objects by language. */
interface ModelArticle {
  fields: Record<string, unknown>;
  translations: Record<string, Record<string, unknown>>;
}

const languages = ['de', 'fr', 'ja', 'pt-BR'];
const text = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom('日本', 'é', '<p>x</p>'));
const slug = fc.constantFrom('a', 'b-c');

/** Fields whose value is stored exactly as it is sent. */
const fields = {
  title: text,
  slug,
  description: fc.option(text),
  body: fc.string({ maxLength: 20 }),
  category_id: fc.option(fc.constantFrom('c1', 'c2')),
  tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  is_published: fc.boolean(),
  is_private: fc.boolean(),
  is_featured: fc.boolean(),
  show_toc: fc.boolean(),
  permission_groups: fc.option(fc.array(fc.constantFrom('g1', 'g2'), { maxLength: 2 })),
  sort_order: fc.option(fc.integer({ min: -5, max: 5 })),
  short_version: fc.option(text),
};
const translation = fc.record(
  { title: text, slug, description: fc.option(text), body: fc.option(text), is_live: fc.boolean() },
  { requiredKeys: [] },
);
const element = fc
  .tuple(fc.constantFrom(...languages), translation, fc.boolean())
  .map(([language_code, change, isRemoval]) =>
    isRemoval ? { language_code, is_deleted: true as const } : { language_code, ...change },
  );
const change = fc.record(
  { ...fields, multilingual: fc.uniqueArray(element, { selector: (e) => e.language_code, maxLength: 3 }) },
  { requiredKeys: [] },
);

const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), change, title: text }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('update' as const), change, which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

const emptyArticle = {
  slug: undefined,
  description: null,
  body: '',
  category_id: null,
  tags: [],
  is_published: false,
  is_private: false,
  is_featured: false,
  show_toc: true,
  permission_groups: null,
  sort_order: null,
  short_version: null,
};
const emptyTranslation = {
  title: null,
  slug: null,
  description: null,
  body: null,
  is_live: true,
  publish_at: null,
  unpublish_at: null,
};

function applyChange(article: ModelArticle, { multilingual, ...sent }: ArticleUpdate): void {
  Object.assign(article.fields, sent);
  for (const { language_code, is_deleted, ...values } of multilingual ?? []) {
    if (is_deleted) delete article.translations[language_code];
    else
      article.translations[language_code] = {
        ...emptyTranslation,
        ...article.translations[language_code],
        ...values,
      };
  }
}

/** The content of the store in the shape of the model. Other tests check calculated slugs. */
async function readAll(store: Store, model: ReadonlyMap<string, ModelArticle>) {
  const page = { includeBody: true, after: 0, skip: 0, limit: 1000 };
  return new Map(
    (await store.listArticles({}, page)).map(({ json }) => {
      const record = JSON.parse(json);
      const expected = model.get(record.article_id);
      const names = Object.keys(expected?.fields ?? {}).filter(
        (name) => expected?.fields[name] !== undefined,
      );
      const translations = record.multilingual.map((element: Record<string, unknown>) => {
        const { language_code, ...values } = element;
        const isCalculated = expected?.translations[String(language_code)]?.slug === null;
        return [language_code, isCalculated ? { ...values, slug: null } : values];
      });
      return [
        record.article_id,
        {
          fields: Object.fromEntries(names.map((name) => [name, record[name]])),
          translations: Object.fromEntries(translations),
        },
      ];
    }),
  );
}

/** The record after an update, as JSON text. */
async function changeArticle(store: Store, id: string | undefined, change: ArticleUpdate): Promise<string> {
  const changed = await store.updateArticle(id ?? '', change, undefined);
  return changed.outcome === 'done' ? String(changed.record.json) : changed.outcome;
}

function withoutUndefined(model: ReadonlyMap<string, ModelArticle>) {
  return new Map(
    Array.from(model, ([id, article]) => [
      id,
      {
        fields: Object.fromEntries(Object.entries(article.fields).filter(([, value]) => value !== undefined)),
        translations: article.translations,
      },
    ]),
  );
}

describe('the store', () => {
  it('has the same content as a simple model after any sequence of creates, updates, deletes and restarts', {
    tags: 'property',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        const data = await makeData();
        let now = Date.parse('2026-01-01');
        const open = () => openStore(data, { defaultLanguage: 'en', clock: () => now++ });
        let store = await open();
        const model = new Map<string, ModelArticle>();
        const idAt = (which: number) => [...model.keys()][which % Math.max(1, model.size)];
        for (const step of commands) {
          if (step.kind === 'create') {
            const input = { title: step.title, ...step.change };
            const created = JSON.parse(String((await store.createArticle(input))?.json ?? '{}'));
            const article = { fields: { ...emptyArticle, title: step.title }, translations: {} };
            applyChange(article, input);
            model.set(created.article_id, article);
          } else if (step.kind === 'update') {
            const id = idAt(step.which);
            const { outcome } = await store.updateArticle(id ?? 'aaaaaaaaaa', step.change, undefined);
            expect(outcome).toBe(id === undefined ? 'not_found' : 'done');
            const article = model.get(id ?? '');
            if (article) applyChange(article, step.change);
          } else if (step.kind === 'delete') {
            const id = idAt(step.which);
            const { outcome } = await store.deleteArticle(id ?? 'aaaaaaaaaa', undefined);
            expect(outcome).toBe(id === undefined ? 'not_found' : 'done');
            model.delete(id ?? '');
          } else {
            await store.close();
            store = await open();
          }
          expect(await readAll(store, model)).toEqual(withoutUndefined(model));
        }
        await store.close();
      }),
      { numRuns: runs(60) },
    );
  });

  it('never touches another language in a multilingual update', { tags: 'property' }, async () => {
    const data = await makeData();
    const store = await openStore(data, { defaultLanguage: 'en', clock: () => 0 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(element, { selector: (e) => e.language_code }),
        element,
        async (before, update) => {
          const created = await store.createArticle({ title: 'x', multilingual: before });
          const read = (json: string | Uint8Array | undefined) =>
            new Map<string, object>(
              JSON.parse(String(json ?? '{}')).multilingual.map((e: { language_code: string }) => [
                e.language_code,
                e,
              ]),
            );
          const old = read(created?.json);
          const updated = read(await changeArticle(store, created?.articleId, { multilingual: [update] }));
          old.delete(update.language_code);
          updated.delete(update.language_code);
          expect(updated).toEqual(old);
        },
      ),
      { numRuns: runs(100) },
    );
    await store.close();
  });

  it('moves updated_at forward even when the clock stops or goes back', async () => {
    let now = Date.parse('2026-01-01');
    const store = await openStore(await makeData(), {
      defaultLanguage: 'en',
      clock: () => now,
    });
    const id = (await store.createArticle({ title: 'x' }))?.articleId;
    const moments: string[] = [];
    for (const step of [0, 0, -5000, 1000]) {
      now += step;
      moments.push(JSON.parse(await changeArticle(store, id, { title: 'y' })).updated_at);
    }
    expect(moments).toEqual([...new Set(moments)].sort());
    await store.close();
  });

  it('gives ids of ten letters or digits that never collide, also when asked for at the same time', async () => {
    const data = await makeData();
    const stores = await Promise.all(
      [1, 2, 3].map(() => openStore(data, { defaultLanguage: 'en', clock: () => 0 })),
    );
    const ids = await Promise.all(
      Array.from(
        { length: 150 },
        async (_, n) => (await stores[n % 3]?.createArticle({ title: `t${n}` }))?.articleId,
      ),
    );
    expect(new Set(ids).size).toBe(150);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{10}$/);
    for (const store of stores) await store.close();
  });
});
