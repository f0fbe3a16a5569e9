import type { Category } from '../../../src/core/model.ts';
import {
  anyArticle,
  anyId,
  at,
  type Change,
  type Edit,
  type Edits,
  isKnown,
  isNeeded,
  mapValues,
  onArticle,
  onCategory,
  onText,
  withArticle,
  withoutArticle,
  withoutText,
  withTexts,
} from './edit.ts';
import { createCategory, createDraft, createText, type Draft, type DraftText, spareIds } from './world.ts';

/** Edits of the text of one article in one language. */
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
  'the title is that of another': (text, pick, world) => ({
    ...text,
    title: Object.values(anyArticle(world, pick).texts)[0]?.title ?? text.title,
  }),
  'the title is extended by that of another': (text, pick, world) => ({
    ...text,
    title: `${text.title.slice(0, 20)}, ${Object.values(anyArticle(world, pick).texts)[0]?.title}`,
  }),
  'the slug is changed': (text, pick) => ({ ...text, slug: `way-${pick % 7}` }),
  'the slug is that of others': (text) => ({ ...text, slug: 'the-same' }),
  'the slug is cleared': (text) => ({ ...text, slug: null }),
  'the description is changed': (text, pick) => ({ ...text, description: `In ${pick % 7} words.` }),
  'the description is cleared': (text) => ({ ...text, description: null }),
};

/** Edits of one article. */
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
  'a translation is withdrawn or live again': (draft, pick) => {
    const language =
      at(
        Object.keys(draft.texts).filter((tag) => tag !== 'en'),
        pick,
      ) ?? '';
    const text = draft.texts[language];
    if (text === undefined || (text.isLive && isNeeded(draft, language))) return draft;
    return withTexts(draft, { [language]: { ...text, isLive: !text.isLive } });
  },
};

const commonCallout = '<div class="callout callout-info">This help is about the Pebblepost app.</div>';

/** Sets the same text in about two of three articles. */
function giveToMany(change: Partial<DraftText>): Edit {
  return (world, pick) => {
    const give = (draft: Draft) =>
      withTexts(
        draft,
        mapValues(draft.texts, (text) => ({ ...text, ...change })),
      );
    const isChosen = ({ id }: Draft) => (id.charCodeAt(0) + pick) % 3 > 0;
    return {
      ...world,
      articles: mapValues(world.articles, (draft) => (isChosen(draft) ? give(draft) : draft)),
    };
  };
}

/** Edits of the whole knowledge base. */
const worldEdits: Edits = {
  'a call-out is in many articles': giveToMany({ markup: commonCallout }),
  'a description is in many articles': giveToMany({ description: 'All about parcels.' }),
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
  'a category is renamed': onCategory((category, pick) =>
    withTitle(category, (text) => ({ ...text, title: `Area ${pick % 5}` })),
  ),
  'a category gets a slug': onCategory((category, pick) =>
    withTitle(category, (text) => ({ ...text, slug: `area-${pick % 5}` })),
  ),
  'a category is translated': onCategory((category, pick) => {
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
};

/** All edits of a knowledge base, by description. */
export const knowledgeBaseEdits: Edits = {
  ...mapValues(textEdits, onText),
  ...mapValues(articleEdits, onArticle),
  ...worldEdits,
};

type CategoryText = Category['translations'][number];

function withTitle(category: Category, change: (text: CategoryText) => CategoryText): Category {
  return { ...category, translations: category.translations.map(change) };
}
