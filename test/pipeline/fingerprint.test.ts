import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema, type UserConfig } from '../../src/config/schema.ts';
import type { Article, ArticleTranslation, TopArticle } from '../../src/foundation/model.ts';
import {
  fingerprintInputs,
  fingerprintRun,
  hashSharedMetadata,
  hashSource,
} from '../../src/pipeline/fingerprint.ts';
import type { Source } from '../../src/source/source.ts';
import { article, category, knowledgeBase, translation } from '../support/knowledge-base.ts';

const ids = Array.from({ length: 8 }, (_none, at) => `article00${at}`);

interface Content {
  /** Changes to the first article. */
  readonly first?: Partial<Article>;
  readonly top?: readonly TopArticle[];
  readonly categoryTitle?: string;
  readonly excluded?: string;
}

const noneShared = { descriptions: new Map(), blocks: new Map() };

/** A knowledge base of eight English articles, viewed in the order of their ids. */
function sourceOf({
  first = {},
  top,
  categoryTitle = 'Start',
  excluded = 'gone000001',
}: Content = {}): Source {
  const articles = ids.map((id, at) =>
    article(id, [translation('en', `Title ${at}`, { bodyHash: id })], {
      updatedAt: '2026-01-01T00:00:00.000Z',
      ...(at === 0 ? first : {}),
    }),
  );
  const categories = [category('cccccccccc', { en: categoryTitle })];
  return {
    knowledgeBase: knowledgeBase(articles, categories, { excluded: new Map([[excluded, 'draft']]) }),
    readBodies: () => Promise.reject(new Error('nobody reads bodies')),
    topArticles: new Map([['en', top ?? viewed(ids)]]),
    fileOf: () => null,
    unpublishAtOf: () => ({}),
    findText: async () => [],
    listSkippedTranslations: () => [],
    problems: [],
    stats: {
      mode: 'offline',
      hiddenTranslations: 0,
      listed: 8,
      published: 8,
      excluded: {},
      categories: 1,
      languages: { en: 8 },
      bodyBytes: 0,
      singleReads: 0,
    },
    snapshot: null,
    close: async () => {},
  };
}

/** Articles in this order of views. */
function viewed(order: readonly string[], step = 10): readonly TopArticle[] {
  return order.map((articleId, at) => ({ articleId, count: (order.length - at) * step }));
}

const fingerprint = (content: Content = {}) => fingerprintRun('inputs', hashSource(sourceOf(content)));
const metadata = (content: Content = {}) => hashSharedMetadata(sourceOf(content), noneShared);
const [one = '', two = '', ...others] = ids;

const english = (rest: Partial<ArticleTranslation>) =>
  translation('en', 'Title 0', { bodyHash: one, ...rest });

const edits: readonly (readonly [what: string, content: Content])[] = [
  ['a title', { first: { translations: [translation('en', 'Other', { bodyHash: one })] } }],
  ['a slug', { first: { translations: [translation('en', 'Title 0', { bodyHash: one, slug: 's' })] } }],
  ['a description', { first: { translations: [english({ description: 'Other' })] } }],
  ['a language', { first: { translations: [translation('de', 'Title 0', { bodyHash: one })] } }],
  ['a date of a translation', { first: { translations: [english({ updatedAt: '2026-01-01' })] } }],
  ['an id', { first: { id: 'article000b' } }],
  ['a creation date', { first: { createdAt: '2026-01-01T00:00:00.000Z' } }],
  ['a mark as featured', { first: { isFeatured: true } }],
  ['a position', { first: { sortOrder: 1 } }],
  ['a page without a table of contents', { first: { showToc: false } }],
  ['a tag', { first: { tags: ['red'] } }],
  ['a category', { first: { categoryId: 'cccccccccc' } }],
  ['a title of a category', { categoryTitle: 'Other' }],
  ['what is not published', { excluded: 'gone000002' }],
  ['a date that is gone', { first: { updatedAt: null } }],
];

describe('the fingerprint of a run', () => {
  it('does not change when views are counted', () => {
    expect(fingerprint({ top: viewed(ids, 11) })).toBe(fingerprint());
  });

  it('changes with the order of the six most viewed articles', () => {
    expect(fingerprint({ top: viewed([two, one, ...others]) })).not.toBe(fingerprint());
    const [last = '', sixth = '', ...rest] = ids.toReversed();
    expect(fingerprint({ top: viewed([...rest.toReversed(), last, sixth]) })).toBe(fingerprint());
  });

  it('does not change when an article is viewed that is not published', () => {
    const top = [{ articleId: 'private001', count: 1000 }, ...viewed(ids)];
    expect(fingerprint({ top })).toBe(fingerprint());
  });

  it.each([
    ...edits,
    ['a body', { first: { translations: [translation('en', 'Title 0', { bodyHash: 'other' })] } }],
    ['a date', { first: { updatedAt: '2026-01-02T00:00:00.000Z' } }],
  ] as const)('changes with %s', (_what, content) => {
    expect(fingerprint(content)).not.toBe(fingerprint());
  });

  it('changes with program, settings and templates', () => {
    expect(fingerprintRun('other inputs', hashSource(sourceOf()))).not.toBe(fingerprint());
  });
});

describe('the hash of the metadata that articles show of each other', () => {
  it.each(edits)('changes with %s', (_what, content) => {
    expect(metadata(content)).not.toBe(metadata());
  });

  it.each<[string, Content]>([
    ['a body', { first: { translations: [translation('en', 'Title 0', { bodyHash: 'other' })] } }],
    ['the day of an edit', { first: { updatedAt: '2026-01-02T00:00:00.000Z' } }],
    ['views', { top: viewed([two, one]) }],
  ])('does not change with %s', (_what, content) => {
    expect(metadata(content)).toBe(metadata());
  });
});

describe('the hash of program, settings and templates', () => {
  function inputsOf(
    config: UserConfig = {},
    program = 'program',
    templates: Readonly<Record<string, string>> = {},
  ) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-fingerprint-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(templates)) {
      mkdirSync(join(folder, 'templates/hooks'), { recursive: true });
      writeFileSync(join(folder, 'templates', name), text);
    }
    const templatesFolder = join(folder, 'templates');
    return fingerprintInputs(configSchema.parse(config), {
      generator: 'lectern test',
      program,
      templatesFolder,
      publicFolder: join(folder, 'public'),
    });
  }

  it('is the same for the same, wherever it is', () => {
    const templates = { 'hooks/head.eta': 'x' };
    expect(inputsOf({}, 'program', templates)).toBe(inputsOf({}, 'program', templates));
  });

  it.each<[string, () => string]>([
    ['a setting', () => inputsOf({ site: { title: 'Other' } })],
    ['the program', () => inputsOf({}, 'another program')],
    ['a template', () => inputsOf({}, 'program', { 'hooks/head.eta': 'x' })],
  ])('changes with %s', (_what, other) => {
    expect(other()).not.toBe(inputsOf());
  });
});
