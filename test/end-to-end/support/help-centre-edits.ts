import { anyArticle, at, type Edits, mapValues, onText, withoutArticle } from './edit.ts';
import { pagesPerPart } from './program.ts';
import { createFillers, downloadAddresses, imageAddresses, type World } from './world.ts';

type Views = World['popular'][string];

/** Edits by readers: article views. */
export const viewEdits: Edits = {
  'every article is viewed once more': (world) =>
    withViews(world, (views) => views.map((entry) => ({ ...entry, count: entry.count + 1 }))),
  'the most viewed article is viewed more': (world, pick) =>
    withViews(world, ([first, ...others]) =>
      first === undefined ? [] : [{ ...first, count: first.count + 1 + (pick % 9) }, ...others],
    ),
  'two of the six most viewed change places': (world, pick) =>
    withViews(world, (views) => swap(views, pick % Math.max(1, Math.min(5, views.length - 1)))),
  'an article is viewed most': (world, pick) =>
    withViews(world, (views) => {
      const { id } = anyArticle(world, pick);
      const others = views.filter(({ articleId }) => articleId !== id);
      return [{ articleId: id, count: (views[0]?.count ?? 0) + 1 }, ...others];
    }),
  'articles beyond the sixth change places': (world) =>
    withViews(world, (views) => swap(views, views.length - 2)),
  'German articles are viewed, too': (world, pick) => ({
    ...world,
    popular: { ...world.popular, de: [{ articleId: anyArticle(world, pick).id, count: 1 + (pick % 3) }] },
  }),
  'nobody viewed anything': (world) => ({ ...world, popular: {} }),
};

/** Edits of images and downloads on the help centre's server, and of articles that show them. */
export const fileEdits: Edits = {
  'an image of the server is shown': onText((text, pick) => withCopy(text, at(imageAddresses, pick))),
  'a download is offered': onText((text, pick) => withCopy(text, at(downloadAddresses, pick))),
  'images and downloads are taken out': onText((text) => ({ ...text, copied: [] })),
  'the body holds an image itself': onText((text, pick) => ({ ...text, images: [pick % 3] })),
  'a file changes at its address': (world, pick) => {
    const address = at(Object.keys(world.files), pick);
    return address === undefined
      ? world
      : withFile(world, address, (world.files[address] ?? 0) + 1 + (pick % 5));
  },
  'a file is gone': (world, pick) => {
    const gone = at(Object.keys(world.files), pick);
    const left = Object.entries(world.files).filter(([address]) => address !== gone);
    return { ...world, files: Object.fromEntries(left) };
  },
  'a file is new or back': (world, pick) =>
    withFile(world, at([...imageAddresses, ...downloadAddresses], pick) ?? '', pick % 7),
  'two addresses have the same image': (world, pick) =>
    withFile(withFile(world, imageAddresses[0], pick % 7), imageAddresses[1], pick % 7),
  'every file changes': (world) => ({
    ...world,
    files: mapValues(world.files, (shade) => (shade + 1) % 200),
  }),
};

/** Edits that add or remove many articles at once. */
export const growthEdits: Edits = {
  'many articles are added': (world) => withFillers(world, countFillers(world) + pagesPerPart),
  'half of the added articles are deleted': (world) =>
    withFillers(world, countFillers(world) - pagesPerPart / 2),
  'the articles double': (world) =>
    withFillers(world, countFillers(world) + Object.keys(world.articles).length),
  'most articles are deleted': (world) =>
    Object.values(withFillers(world, 0).articles).slice(2).reduce(withoutArticle, withFillers(world, 0)),
};

function withViews(world: World, change: (views: Views) => Views): World {
  return { ...world, popular: { ...world.popular, en: change(world.popular.en ?? []) } };
}

/** Swaps two neighbours; the counts stay at their positions. */
function swap(views: Views, place: number): Views {
  const [one, two] = [views[place], views[place + 1]];
  if (one === undefined || two === undefined) return views;
  const swapped = [
    { articleId: two.articleId, count: one.count },
    { articleId: one.articleId, count: two.count },
  ];
  return [...views.slice(0, place), ...swapped, ...views.slice(place + 2)];
}

function withCopy<Text extends { readonly copied: readonly string[] }>(text: Text, address = ''): Text {
  return { ...text, copied: [...new Set([...text.copied, address])] };
}

function withFile(world: World, address: string, shade: number): World {
  return { ...world, files: { ...world.files, [address]: shade % 200 } };
}

function countFillers({ articles }: World): number {
  return Object.keys(articles).filter(isFiller).length;
}

/** Existing fillers keep their edits. */
function withFillers(world: World, count: number): World {
  const wanted = createFillers(0, Math.min(Math.max(0, count), 4 * pagesPerPart));
  const others = Object.values(world.articles).filter(({ id }) => !isFiller(id));
  const drafts = [...others, ...wanted.map((draft) => world.articles[draft.id] ?? draft)];
  return { ...world, articles: Object.fromEntries(drafts.map((draft) => [draft.id, draft])) };
}

function isFiller(id: string): boolean {
  return id.startsWith('x');
}
