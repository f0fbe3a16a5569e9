import type { Category } from '../../../src/core/model.ts';
import { type Draft, type DraftText, liveLanguages, type World } from './world.ts';

/** An arbitrary number with which an edit chooses its target. */
export type Pick = number;

/** A change of a help centre; does nothing if it is not possible. */
export type Edit = (world: World, pick: Pick) => World;

/** Edits by description. */
export type Edits = Readonly<Record<string, Edit>>;

export type Change<T> = (value: T, pick: Pick, world: World) => T;

/** An edit of one language of an article. */
export function onText(change: Change<DraftText>): Edit {
  return onArticle((draft, pick, world) => {
    const language = at(Object.keys(draft.texts), Math.floor(pick / 11));
    const text = language === undefined ? undefined : draft.texts[language];
    return language === undefined || text === undefined
      ? draft
      : withTexts(draft, { [language]: change(text, pick, world) });
  });
}

/** An edit of an article. */
export function onArticle(change: Change<Draft>): Edit {
  return (world, pick) => withArticle(world, change(anyArticle(world, Math.floor(pick / 3)), pick, world));
}

/** An edit of a category. */
export function onCategory(change: Change<Category>): Edit {
  return (world, pick) => {
    const chosen = at(world.categories, pick);
    const categories = world.categories.map((each) => (each === chosen ? change(each, pick, world) : each));
    return { ...world, categories };
  };
}

export function at<T>(list: readonly T[], pick: Pick): T | undefined {
  return list[pick % list.length];
}

export function anyArticle({ articles }: World, pick: Pick): Draft {
  return at(Object.values(articles), pick) as Draft;
}

/** Id of a public or hidden article. */
export function anyId({ articles, hidden }: World, pick: Pick): string {
  return at([...Object.keys(articles), ...Object.keys(hidden)], pick) as string;
}

export function isKnown({ articles, hidden }: World, id: string): boolean {
  return id in articles || id in hidden;
}

export function withArticle(world: World, draft: Draft): World {
  return { ...world, articles: { ...world.articles, [draft.id]: draft } };
}

/** Removes an article, unless it is the last one in the default language: such a knowledge base is refused. */
export function withoutArticle(world: World, { id }: Draft): World {
  const { [id]: _gone, ...articles } = world.articles;
  const isEnglish = (draft: Draft) => liveLanguages(draft).includes('en');
  return Object.values(articles).some(isEnglish) ? { ...world, articles } : world;
}

export function withTexts(draft: Draft, texts: Readonly<Record<string, DraftText>>): Draft {
  return { ...draft, texts: { ...draft.texts, ...texts } };
}

/** Removes a language of an article, except its last live one, and the site's default language of the first article. */
export function withoutText(draft: Draft, language: string): Draft {
  const { [language]: _gone, ...texts } = draft.texts;
  return isNeeded(draft, language) ? draft : { ...draft, texts };
}

/** Whether this language is required for the article to be published, or for the site to have its default language. */
export function isNeeded(draft: Draft, language: string): boolean {
  const others = liveLanguages(draft).filter((other) => other !== language);
  return others.length === 0 || (language === 'en' && draft.id === 'aaaaaaaaaa');
}

export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
