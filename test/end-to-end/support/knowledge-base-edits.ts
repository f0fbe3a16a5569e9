import type { Category } from '../../../src/model.ts';
import {
  createCategory,
  createDraft,
  createText,
  type Draft,
  type DraftText,
  spareIds,
  type World,
} from './world.ts';

/** Any number: what an edit chooses with it is always there. */
export type Pick = number;

/** One thing somebody does to a knowledge base; where it cannot be done, nothing is. */
export type Edit = (world: World, pick: Pick) => World;

type Change<T> = (value: T, pick: Pick, world: World) => T;

/** What an author does to the text of one article in one language. */
const textEdits: Readonly<Record<string, Change<DraftText>>> = {
  'a sentence is added': (text, pick) => ({
    ...text,
    sentences: [...text.sentences, `Also see page ${pick}.`],
  }),
  'a sentence is changed': (text, pick) => ({ ...text, sentences: [`It now takes ${pick % 9} days.`] }),
  'a heading is added': (text, pick) => ({ ...text, headings: [...text.headings, `Part ${pick % 5}`] }),
  'a heading is renamed': (text, pick) => ({
    ...text,
    headings: [`Steps ${pick % 5}`, ...text.headings.slice(1)],
  }),
  'the headings are removed': (text) => ({ ...text, headings: [] }),
  'a link is added': (text, pick, world) => ({ ...text, links: [...text.links, anyId(world, pick)] }),
  'a link to a part is added': (text, pick, world) => ({
    ...text,
    links: [...text.links, `${anyId(world, pick)}#${pick % 2 === 0 ? 'first-steps' : 'what-it-costs'}`],
  }),
  'a link to nowhere is added': (text) => ({ ...text, links: [...text.links, 'zzzzzzzzzz'] }),
  'the links are removed': (text) => ({ ...text, links: [] }),
  'an image is added': (text, pick) => ({ ...text, images: [...text.images, pick % 3] }),
  'the images are removed': (text) => ({ ...text, images: [] }),
  'odd markup is added': (text) => ({ ...text, markup: '<script>alert(1)</script><p>never closed <b>bold' }),
  'a table is added': (text) => ({ ...text, markup: '<table><tr><th>Size<th>Price<tr><td>S<td>3</table>' }),
  'the title is changed': (text, pick) => ({ ...text, title: `${text.title.slice(0, 20)} ${pick % 7}` }),
  'the slug is changed': (text, pick) => ({ ...text, slug: `way-${pick % 7}` }),
  'the slug is that of others': (text) => ({ ...text, slug: 'the-same' }),
  'the slug is cleared': (text) => ({ ...text, slug: null }),
  'the description is changed': (text, pick) => ({ ...text, description: `In ${pick % 7} words.` }),
  'the description is cleared': (text) => ({ ...text, description: null }),
};

/** What an author does to one article. */
const articleEdits: Readonly<Record<string, Change<Draft>>> = {
  'a tag is added': (draft, pick) => ({ ...draft, tags: [...new Set([...draft.tags, `tag-${pick % 3}`])] }),
  'the tags are removed': (draft) => ({ ...draft, tags: [] }),
  'it is moved': (draft, pick, { categories }) => ({
    ...draft,
    categoryId: at(categories, pick)?.id ?? null,
  }),
  'it is taken out of its category': (draft) => ({ ...draft, categoryId: null }),
  'it is featured or not': (draft) => ({ ...draft, isFeatured: !draft.isFeatured }),
  'it is sorted elsewhere': (draft, pick) => ({ ...draft, sortOrder: pick % 4 }),
  'its table of contents is hidden or shown': (draft) => ({ ...draft, showToc: !draft.showToc }),
  'only its date moves': (draft, pick) => ({
    ...draft,
    updatedAt: `2026-02-${10 + (pick % 15)}T00:00:00.000Z`,
  }),
  'a translation is added': (draft) =>
    withTexts(draft, { de: createText(`Neu ${draft.id}`, ['aaaaaaaaaa']) }),
  'a language of its own is added': (draft) =>
    withTexts(draft, { ja: createText(`荷物 ${draft.id}`, ['bbbbbbbbbb']) }),
  'a translation is removed': (draft, pick) => withoutText(draft, at(['de', 'ja', 'en'], pick) ?? 'de'),
};

/** What happens to a knowledge base as a whole. */
const worldEdits: Readonly<Record<string, Edit>> = {
  'an article is added': (world, pick) => {
    const id = at(spareIds, pick) ?? spareIds[0];
    return isKnown(world, id) ? world : withArticle(world, createDraft(id, pick % 6));
  },
  'an article is deleted': (world, pick) => withoutArticle(world, anyArticle(world, pick)),
  'an article is hidden': (world, pick) => {
    const draft = anyArticle(world, pick);
    const reason = at(['draft', 'private', 'restricted', 'gone'] as const, pick) ?? 'draft';
    return { ...withoutArticle(world, draft), hidden: { ...world.hidden, [draft.id]: { reason, draft } } };
  },
  'hidden articles are shown again': (world) => {
    const shown = Object.values(world.hidden).map(({ draft }) => [draft.id, draft] as const);
    return { ...world, hidden: {}, articles: { ...world.articles, ...Object.fromEntries(shown) } };
  },
  'a language is removed': (world, pick) => {
    const language = at(['de', 'ja'], pick) ?? 'de';
    const drafts = Object.values(world.articles).map((draft) => withoutText(draft, language));
    return { ...world, articles: Object.fromEntries(drafts.map((draft) => [draft.id, draft])) };
  },
  'a category is added': (world, pick) => {
    const id = at(['nnnnnnnnnn', 'oooooooooo'], pick) ?? 'nnnnnnnnnn';
    if (world.categories.some((category) => category.id === id)) return world;
    const parent = pick % 3 === 0 ? null : (at(world.categories, pick)?.id ?? null);
    return { ...world, categories: [...world.categories, createCategory(id, parent, `Topic ${id[0]}`)] };
  },
  'a category is renamed': (world, pick) =>
    withCategory(world, pick, (category) =>
      withTitle(category, (text) => ({ ...text, title: `Area ${pick % 5}` })),
    ),
  'a category gets a slug': (world, pick) =>
    withCategory(world, pick, (category) =>
      withTitle(category, (text) => ({ ...text, slug: `area-${pick % 5}` })),
    ),
  'a category is translated': (world, pick) =>
    withCategory(world, pick, (category) => {
      const [english, ...others] = category.translations;
      if (english === undefined || others.length > 0) return category;
      return {
        ...category,
        translations: [english, { ...english, language: 'de', title: `Bereich ${pick % 5}` }],
      };
    }),
  'a category is moved': (world, pick) => {
    const [first, ...rest] = world.categories;
    const moved = at(rest, pick);
    if (first === undefined || moved === undefined) return world;
    const parentId = moved.parentId === null ? first.id : null;
    return { ...world, categories: world.categories.map((c) => (c === moved ? { ...c, parentId } : c)) };
  },
  'a category is deleted': (world, pick) => {
    const gone = at(world.categories, pick);
    if (gone === undefined) return world;
    const above = (id: string | null) => (id === gone.id ? gone.parentId : id);
    const categories = world.categories.filter((category) => category !== gone);
    return {
      ...world,
      categories: categories.map((category) => ({ ...category, parentId: above(category.parentId) })),
      articles: mapValues(world.articles, (draft) => ({ ...draft, categoryId: above(draft.categoryId) })),
    };
  },
  'other articles are viewed most': (world, pick) => ({
    ...world,
    popular: { en: [{ articleId: anyArticle(world, pick).id, count: 10 + (pick % 9) }] },
  }),
};

/** Everything that can happen to a knowledge base, by what is said of it. */
export const knowledgeBaseEdits: Readonly<Record<string, Edit>> = {
  ...mapValues(textEdits, onText),
  ...mapValues(articleEdits, onArticle),
  ...worldEdits,
};

function onText(change: Change<DraftText>): Edit {
  return onArticle((draft, pick, world) => {
    const language = at(Object.keys(draft.texts), Math.floor(pick / 11));
    const text = language === undefined ? undefined : draft.texts[language];
    return language === undefined || text === undefined
      ? draft
      : withTexts(draft, { [language]: change(text, pick, world) });
  });
}

function onArticle(change: Change<Draft>): Edit {
  return (world, pick) => withArticle(world, change(anyArticle(world, Math.floor(pick / 3)), pick, world));
}

function at<T>(list: readonly T[], pick: Pick): T | undefined {
  return list[pick % list.length];
}

function anyArticle({ articles }: World, pick: Pick): Draft {
  return at(Object.values(articles), pick) as Draft;
}

/** Of an article that is there, or hidden. */
function anyId({ articles, hidden }: World, pick: Pick): string {
  return at([...Object.keys(articles), ...Object.keys(hidden)], pick) as string;
}

function isKnown({ articles, hidden }: World, id: string): boolean {
  return id in articles || id in hidden;
}

function withArticle(world: World, draft: Draft): World {
  return { ...world, articles: { ...world.articles, [draft.id]: draft } };
}

/** A knowledge base without any article is refused, so the last one stays. */
function withoutArticle(world: World, { id }: Draft): World {
  const { [id]: _gone, ...articles } = world.articles;
  return Object.keys(articles).length === 0 ? world : { ...world, articles };
}

function withTexts(draft: Draft, texts: Readonly<Record<string, DraftText>>): Draft {
  return { ...draft, texts: { ...draft.texts, ...texts } };
}

/** The last language of an article stays, and so does the site's own on the first article. */
function withoutText(draft: Draft, language: string): Draft {
  const { [language]: _gone, ...texts } = draft.texts;
  const isNeeded = Object.keys(texts).length === 0 || (language === 'en' && draft.id === 'aaaaaaaaaa');
  return isNeeded ? draft : { ...draft, texts };
}

function withCategory(world: World, pick: Pick, change: (category: Category) => Category): World {
  const chosen = at(world.categories, pick);
  return { ...world, categories: world.categories.map((each) => (each === chosen ? change(each) : each)) };
}

type CategoryText = Category['translations'][number];

function withTitle(category: Category, change: (text: CategoryText) => CategoryText): Category {
  return { ...category, translations: category.translations.map(change) };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
