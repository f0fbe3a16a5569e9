import { describe, expect, test } from 'vitest';
import type { Article, ExclusionReason } from '../../src/core/model.ts';
import { guardListing } from '../../src/source/guard-listing.ts';
import type { StoredArticle } from '../../src/source/snapshot/format.ts';
import { article, translation } from '../support/knowledge-base.ts';

/** So many articles, each in the given languages. */
function articles(count: number, ...languages: string[]): Article[] {
  return Array.from({ length: count }, (_, index) =>
    article(
      `a${String(index).padStart(9, '0')}`,
      languages.map((tag) => translation(tag, 'Title')),
    ),
  );
}

interface Listing {
  readonly listed: number;
  readonly articles: readonly Article[];
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  readonly previous: readonly Article[] | null;
  readonly identity: string;
  readonly maxDropPercent: number;
}

function guard({
  articles: now = articles(10, 'en'),
  listed = now.length,
  excluded = new Map(),
  previous = null,
  identity = 'https://kb.example.com/v1',
  maxDropPercent = 20,
}: Partial<Listing>): () => void {
  const store = (all: readonly Article[]) => all.map((article) => ({ article }) as StoredArticle);
  const read = { listed, articles: store(now), excluded, problems: [] };
  const settings = { identity, defaultLanguage: 'en', maxDropPercent };
  return () => guardListing(read, previous === null ? null : store(previous), settings);
}

const code = (name: string) => expect.objectContaining({ code: name, exitCode: 1 });

describe('the guard', () => {
  test('accepts a first listing', () => {
    expect(guard({})).not.toThrow();
  });

  test('stops at an empty listing, also the first time', () => {
    expect(guard({ listed: 0, articles: [] })).toThrow(code('NOTHING_TO_PUBLISH'));
  });

  test('stops when every article is hidden, and counts the reasons', () => {
    const excluded = new Map([
      ['a', 'private'],
      ['b', 'draft'],
      ['c', 'draft'],
    ] as const);
    expect(guard({ listed: 3, articles: [], excluded })).toThrow(
      expect.objectContaining({
        code: 'NOTHING_TO_PUBLISH',
        message: 'none of the 3 listed articles is public: 2 drafts, 1 private',
      }),
    );
  });

  test('says so when no record of the list has a valid id', () => {
    expect(guard({ listed: 2, articles: [] })).toThrow(
      expect.objectContaining({ message: 'none of the 2 listed articles is public: no valid id' }),
    );
  });

  test('says of a built site that its pages ask not to be found', () => {
    const excluded = new Map([['a', 'noindex']] as const);
    const listing = { listed: 1, articles: [], excluded, identity: 'site:build' };
    expect(guard(listing)).toThrow(
      expect.objectContaining({
        message: 'the only listed article is not public: 1 with noindex',
        hint: expect.stringContaining('if this is a test version of the site'),
      }),
    );
  });

  test('stops when no public article has a text, and names one', () => {
    const one = new Map([
      ['draft', 'draft'],
      ['aaaaaaaaaa', 'no-content'],
    ] as const);
    expect(guard({ listed: 2, articles: [], excluded: one })).toThrow(
      expect.objectContaining({
        code: 'NOTHING_TO_PUBLISH',
        message:
          'the article aaaaaaaaaa: no language has both a title and a body; no other article is public',
        hint: 'nothing was published; give an article a title and a text below it, or pass --allow-mass-delete once',
      }),
    );
    const three = new Map([...one, ['b', 'no-content'], ['c', 'no-content']] as const);
    expect(guard({ listed: 4, articles: [], excluded: three })).toThrow(
      'body; 2 others have no content either, and no article is public',
    );
  });

  test('stops when no article is in the default language', () => {
    expect(guard({ articles: articles(10, 'de') })).toThrow(code('NOTHING_TO_PUBLISH'));
  });

  test('names the languages that the articles have instead, the most frequent first', () => {
    const others = [...articles(2, 'de', 'fr', 'it', 'nl', 'es'), ...articles(3, 'en-us', 'pt-br')];
    expect(guard({ articles: others })).toThrow(
      expect.objectContaining({
        message:
          'no article has a title and a body in the default language en; languages of the articles: en-us (3), pt-br (3), de (2), es (2), fr (2), 2 more',
        hint: 'nothing was published; set defaultLanguage (--default-language) to the language of the original texts',
      }),
    );
  });

  test('accepts a loss of a fifth of the articles and refuses more', () => {
    const previous = articles(10, 'en');
    expect(guard({ previous, articles: articles(8, 'en') })).not.toThrow();
    expect(guard({ previous, articles: articles(7, 'en') })).toThrow(code('MASS_DELETE'));
  });

  test('accepts the loss of one article of few, but not of the last one in a language', () => {
    const previous = articles(3, 'en', 'de');
    expect(guard({ previous, articles: articles(2, 'en', 'de') })).not.toThrow();
    expect(guard({ previous, articles: articles(1, 'en', 'de') })).toThrow(code('MASS_DELETE'));
    expect(guard({ previous: articles(1, 'en', 'de'), articles: articles(1, 'en') })).toThrow(
      code('MASS_DELETE'),
    );
    expect(guard({ previous, articles: articles(2, 'en', 'de'), maxDropPercent: 0 })).toThrow(
      code('MASS_DELETE'),
    );
  });

  test('stops at the loss of one language', () => {
    const previous = [...articles(10, 'en', 'de')];
    expect(guard({ previous, articles: articles(10, 'en') })).toThrow(
      expect.objectContaining({
        message: `0 articles in de, down from 10 in the last snapshot: a drop of more than 20%${'\n  Title (de)'.repeat(10)}`,
      }),
    );
  });

  test('does not count another spelling of a language as a loss', () => {
    const previous = articles(10, 'en', 'pt-BR');
    expect(guard({ previous, articles: articles(10, 'en', 'pt-br') })).not.toThrow();
  });

  test('allows as much loss as the configuration says', () => {
    const previous = articles(10, 'en');
    expect(guard({ previous, articles: articles(9, 'en'), maxDropPercent: 0 })).toThrow(code('MASS_DELETE'));
    expect(guard({ previous, articles: articles(1, 'en'), maxDropPercent: 90 })).not.toThrow();
  });

  test('accepts growth', () => {
    expect(guard({ previous: articles(1, 'en'), articles: articles(100, 'en', 'de') })).not.toThrow();
  });
});
