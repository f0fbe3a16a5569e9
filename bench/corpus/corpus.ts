import { composeBody } from './compose-body.ts';
import { createRandom, type Random } from './random.ts';
import { type Prose, readSampleProse } from './sample-prose.ts';

export interface CorpusSettings {
  readonly articles: number;
  /** Languages of the sample; the first is the default language. */
  readonly languages: readonly string[];
  /** Another seed gives another corpus of the same kind. */
  readonly seed: string;
  /** Folder of the sample knowledge base. */
  readonly sample: string;
}

export interface CorpusText {
  readonly language: string;
  readonly title: string;
  readonly slug: string | null;
  readonly description: string | null;
  /** HTML. */
  readonly body: string;
}

export interface CorpusArticle {
  readonly id: string;
  readonly categoryId: string | null;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly texts: readonly CorpusText[];
}

export interface CorpusCategory {
  readonly id: string;
  readonly parentId: string | null;
  readonly texts: readonly Omit<CorpusText, 'body'>[];
}

export interface Corpus {
  /** Parents before children. */
  readonly categories: readonly CorpusCategory[];
  /** Sorted by id, created one at a time. */
  articles(): Iterable<CorpusArticle>;
}

const articlesPerCategory = 40;
const topCategories = 8;
const tagCount = 60;
const firstDay = Date.UTC(2024, 0, 1);
const days = 900;

/** A knowledge base of any size, deterministic for the same settings and sample; not kept in memory. */
export function createCorpus(settings: CorpusSettings): Corpus {
  const proses = settings.languages.map((language) => readSampleProse(settings.sample, language));
  const categoryCount = Math.max(topCategories, Math.ceil(settings.articles / articlesPerCategory));
  const randomOf = (name: string): Random => createRandom(`${settings.seed} ${name}`);
  const articleId = (index: number) => makeId(index, settings.articles, randomOf(`article ${index}`));
  const categoryId = (index: number) => makeId(index, categoryCount, randomOf(`category ${index}`));
  const pickLink = (random: Random): string =>
    random.onceIn(8)
      ? `/category/${categoryId(random.between(0, categoryCount - 1))}`
      : `/article/${articleId(random.between(0, settings.articles - 1))}-see-also`;

  function makeArticle(index: number): CorpusArticle {
    const random = randomOf(`head ${index}`);
    const created = random.between(0, days);
    return {
      id: articleId(index),
      categoryId: categoryId(random.between(0, categoryCount - 1)),
      tags: [...new Set([randomTag(random), randomTag(random)])].sort(),
      createdAt: toDate(created),
      updatedAt: toDate(random.between(created, days)),
      texts: proses.map((prose) => {
        const own = randomOf(`body ${index} ${prose.language}`);
        return {
          ...makeHead(prose, index),
          body: composeBody(prose, own, own.between(3600, 5600), pickLink),
        };
      }),
    };
  }

  function makeHead(prose: Prose, index: number): Omit<CorpusText, 'body'> {
    // The same choices in every language, so that titles are translations of each other.
    const random = randomOf(`title ${index}`);
    const title = `${random.pick(prose.titles)} ${index + 1}`;
    return {
      language: prose.language,
      title,
      slug: slugOf(title),
      description: random.pick(prose.descriptions),
    };
  }

  return {
    categories: Array.from({ length: categoryCount }, (_, index) => ({
      id: categoryId(index),
      parentId: index < topCategories ? null : categoryId(parentOf(index)),
      texts: proses.map((prose) => makeHead(prose, index)),
    })),
    *articles() {
      for (let index = 0; index < settings.articles; index++) yield makeArticle(index);
    },
  };
}

/** A tree of three levels: the parent of most categories is itself a subcategory. */
function parentOf(index: number): number {
  const second = topCategories * 5;
  return index < topCategories * 6 ? index % topCategories : topCategories + (index % second);
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Ten letters or digits; ascending with the index, so that articles are sorted by id. */
function makeId(index: number, count: number, random: Random): string {
  let rest = Math.floor(((index + 0.5) / count) * digits.length ** 8);
  let id = '';
  for (let place = 0; place < 8; place++) {
    id = `${digits[rest % digits.length]}${id}`;
    rest = Math.floor(rest / digits.length);
  }
  return `${id}${digits[random.between(0, 61)]}${digits[random.between(0, 61)]}`;
}

function randomTag(random: Random): string {
  return `topic-${random.between(1, tagCount)}`;
}

function toDate(day: number): string {
  return new Date(firstDay + day * 86_400_000).toISOString();
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
