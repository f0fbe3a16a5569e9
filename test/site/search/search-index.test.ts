import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Section } from '../../../src/content/document.ts';
import * as tokens from '../../../src/core/search/language-words.ts';
import { stemmerName, stemmerPath } from '../../../src/core/search/language-words.ts';
import { builtInTemplates } from '../../../src/site/pages/template-files.ts';
import { LastIndex } from '../../../src/site/search/last-index.ts';
import { encodePosting } from '../../../src/site/search/posting.ts';
import {
  createSearchEntryMaker,
  type MakeSearchEntry,
  type SearchEntry,
} from '../../../src/site/search/search-entry.ts';
import {
  articleFilePaths,
  countSections,
  makeSearchPart,
  renderSearchIndex,
  type SearchIndexOptions,
  type SearchPart,
} from '../../../src/site/search/search-index.ts';
import { fc } from '../../support/properties.ts';
import { document } from '../support/fixture.ts';
import type { SearchAnswer } from '../support/search-site.ts';
import { unitsOf } from './units.ts';

type Files = ReadonlyMap<string, string>;

/** Entries by part; a part without any has no page in the language. */
type Divided = readonly (readonly SearchEntry[])[];

const layout = {
  language: 'en',
  folder: 'assets/search/en',
  path: 'en/search/index.json',
  basePath: '',
  texts: {},
};

/** The files of an index whose articles are divided like this. */
function filesOf(divided: Divided, options: Partial<SearchIndexOptions> = {}): Files {
  const bits = Math.log2(divided.length);
  const made = divided.flatMap((entries, part) =>
    entries.length === 0 ? [] : [makeSearchPart(layout.folder, part, entries)],
  );
  const index = renderSearchIndex(
    made.map(({ part }) => part),
    { ...layout, bits, ...options },
  );
  return new Map(
    [...made.flatMap(({ files }) => files), ...index].map(({ path, content }) => [
      path,
      Buffer.from(content).toString(),
    ]),
  );
}

interface EngineModule {
  readonly createSearch: (parts: {
    readonly load: (url: string) => Promise<unknown>;
    readonly manifest: unknown;
    readonly stem: (word: string) => string;
  }) => (query: string, limit: number) => Promise<SearchAnswer>;
}

const { createSearch } = (await import(
  pathToFileURL(join(builtInTemplates, 'assets/search-engine.js')).href
)) as EngineModule;
const { stemmer } = (await import(pathToFileURL(stemmerPath(stemmerName('en') ?? '')).href)) as {
  readonly stemmer: (word: string) => string;
};

/** Runs the browser's search on an index that was not published. */
function openIndex(files: Files) {
  const loaded = new Set<string>();
  const read = (path: string): unknown => JSON.parse(files.get(path) ?? 'null');
  const search = createSearch({
    manifest: read(layout.path),
    stem: stemmer,
    load: async (url) => {
      loaded.add(url.slice(1));
      return read(url.slice(1));
    },
  });
  return {
    search: (query: string, limit = 10) => search(query, limit),
    loaded: () => [...loaded],
  };
}

/** Text of one article: title, and heading and text of its sections; text before the first heading has none. */
interface Written {
  readonly title: string;
  readonly tags: readonly string[];
  readonly intro: string;
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

let makeEntry: MakeSearchEntry;
beforeAll(async () => {
  makeEntry = createSearchEntryMaker(tokens);
});

function entryOf({ title, tags, intro, sections }: Written, number: number): SearchEntry {
  let text = intro;
  const parts: Section[] = [{ heading: null, start: 0, end: text.length }];
  for (const [at, [heading, words]] of sections.entries()) {
    text += `\n${heading}\n`;
    const start = text.length;
    text += words;
    parts.push({ heading: { level: 2, id: `part-${at}`, text: heading }, start, end: text.length });
  }
  return makeEntry(
    { href: `/en/${number}/`, title, category: '', tags },
    document('', { text, sections: parts }),
    'en',
  );
}

const anyWord = fc.constantFrom(
  ...'lamp lamps light door doors key keys keyboard reset resets schlüssel türschlüssel schlüsseltür tür a to 電話 電源 言葉 語'.split(
    ' ',
  ),
);
const anyText = fc.array(anyWord, { maxLength: 8 }).map((words) => words.join(' '));
const anyTitle = fc.array(anyWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const anyArticles = fc.array(
  fc.record({
    title: anyTitle,
    tags: fc.array(anyWord, { maxLength: 2 }),
    intro: anyText,
    sections: fc.array(fc.tuple(anyTitle, anyText), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const queries = [
  'lamp',
  'key',
  'keybaord',
  'reset the door',
  'a',
  '電話',
  '語',
  'schlussel light',
  'nothing',
];

async function ask(files: Files): Promise<readonly SearchAnswer[]> {
  const { search } = openIndex(files);
  return Promise.all(queries.map((query) => search(query, 100)));
}

/** Answers whatever the order of articles that are as good as each other. */
function inAnyOrder(answers: readonly SearchAnswer[]): unknown {
  return answers.map(({ total, results }) => ({
    total,
    results: results
      .map((result) => ({ ...result, terms: [...result.terms].sort() }))
      .sort((a, b) => (a.href < b.href ? -1 : 1)),
  }));
}

describe('an index of several parts', () => {
  test('gives the same answers as one part if the order of the articles is the same', {
    tags: 'property',
  }, async () => {
    const anyEnds = fc.array(fc.nat(12), { minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(anyArticles, anyEnds, async (articles, drawn) => {
        const entries = articles.map(entryOf);
        const ends = [...drawn.toSorted((a, b) => a - b), entries.length];
        const divided = ends.map((end, at) => entries.slice(at === 0 ? 0 : ends[at - 1], end));
        expect(await ask(filesOf(divided))).toEqual(await ask(filesOf([entries])));
      }),
    );
  });

  test('finds the same of any articles in any parts', { tags: 'property' }, async () => {
    const anyParts = fc.array(fc.nat(7), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(anyArticles, anyParts, async (articles, parts) => {
        const entries = articles.map(entryOf);
        const divided = Array.from({ length: 8 }, (_none, part) =>
          entries.filter((_entry, at) => parts[at] === part),
        );
        const [one, several] = [filesOf([entries]), filesOf(divided)];
        expect(inAnyOrder(await ask(several))).toEqual(inAnyOrder(await ask(one)));
      }),
    );
  });

  test('is the same with what is kept of an index, and lines of terms that stay', {
    tags: 'property',
  }, async () => {
    /** Whether an article is kept, and the part in which it is before and now: 8 for none. */
    const anyPlaces = fc.array(fc.tuple(fc.boolean(), fc.nat(8), fc.nat(8)), {
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        anyArticles,
        anyArticles,
        anyPlaces,
        fc.boolean(),
        fc.record({ basePath: fc.constantFrom('', '/help'), language: fc.constantFrom('en', 'de') }),
        async (before, edits, places, staysInPart, settings) => {
          const options = { ...settings, stopWords: new Set(['a', 'to', 'the']), termBytes: 100 };
          const entries = before.map((article, at) => {
            const [isKept, from, to] = places[at] as (typeof places)[number];
            const old = entryOf(article, at);
            const edit = edits[at];
            return {
              ...{ id: `article ${at}`, old, from, to: staysInPart && isKept ? from : to },
              now: isKept || edit === undefined ? old : entryOf(edit, at),
            };
          });
          const divide = (place: 'from' | 'to', entry: 'old' | 'now'): Divided =>
            Array.from({ length: 8 }, (_none, part) =>
              entries.flatMap((each) => (each[place] === part ? each[entry] : [])),
            );
          const files = filesOf(divide('from', 'old'), options);
          const known = Object.fromEntries(
            Array.from({ length: 8 }, (_none, part) => {
              const own = entries.filter(({ from }) => from === part);
              const topCategories = own.map(({ old }) => old.topCategory);
              return [part, { ids: own.map(({ id }) => id), topCategories }] as const;
            }).filter(([, { ids }]) => ids.length > 0),
          );
          const last = await LastIndex.open({ ...layout, ...settings }, known, async (path) =>
            Buffer.from(files.get(path) ?? ''),
          );
          const written = new Map<string, string>();
          const parts: SearchPart[] = [];
          for (let part = 0; part < 8; part += 1) {
            const own = entries.filter(({ to }) => to === part);
            if (own.length === 0) continue;
            const isSame = own.every(({ from, old, now }) => from === part && old === now);
            if (isSame && own.length === known[part]?.ids.length) {
              const kept = last.keepPart(part);
              for (const path of articleFilePaths(layout.folder, kept.articleFiles))
                written.set(path, files.get(path) ?? '');
              parts.push(kept);
              continue;
            }
            const made: SearchEntry[] = [];
            let sections = 0;
            for (const { id, from, old, now } of own) {
              const entry = old === now && from < 8 ? await last.keepArticle(id, part, sections) : now;
              made.push(entry);
              sections += countSections(entry.lengths);
            }
            const ownPart = makeSearchPart(layout.folder, part, made);
            for (const { path, content } of ownPart.files) written.set(path, String(content));
            parts.push(ownPart.part);
          }
          const index = renderSearchIndex(parts, { ...layout, ...options, bits: 3 }, await last.readTerms());
          for (const { path, content } of index) written.set(path, String(content));
          expect(written).toEqual(filesOf(divide('to', 'now'), options));
        },
      ),
    );
  });

  test('lists terms in order, with distances between sections per field', () => {
    /** A rare term, common ones and counts of every size, in three sections. */
    const entry = (index: number): SearchEntry => {
      const terms = ['common', `rare${index}`, '言葉', `\u{20000}${index}`];
      const postings = terms.flatMap((_, term) =>
        [0, 1, 2].flatMap((section) => [
          term,
          encodePosting(section, section === 0 ? 0 : 1, 1 + index * 31),
          ...(term % 2 === 0 ? [term, encodePosting(section, 3, 1)] : []),
        ]),
      );
      return {
        article: '["x"]',
        topCategory: '',
        lengths: 'Aab',
        terms: unitsOf(terms.map((term) => `${term}\n`).join('')),
        postings: Uint32Array.from(postings),
      };
    };
    const files = filesOf([[entry(0)], [entry(1)]], { basePath: '/docs' });
    const manifest = JSON.parse(files.get(layout.path) ?? '');
    expect(manifest).toMatchObject({
      lengths: ['Aab', 'Aab'],
      sectionBits: 2,
      articleFolder: '/docs/assets/search/en',
      articleFiles: [
        [expect.any(String), 1],
        [expect.any(String), 1],
      ],
    });
    const [[first, href]] = manifest.termFiles;
    const terms = JSON.parse(files.get(href.slice('/docs/'.length)) ?? '');
    expect(first).toBe('common');
    expect(terms.map(([term]: readonly [string]) => term)).toEqual(
      ['common', 'rare0', 'rare1', '言葉', '\u{20000}0', '\u{20000}1'].sort(),
    );
    // Four section numbers to a part: the second one begins at 4.
    expect(terms[0]).toEqual(['common', [0, 4, -32], [1, 1, 5, -32, 1, -32], [], [0, 1, 1, 4, 1, 1]]);
  });

  const about = (title: string, intro: string): Written => ({ title, tags: [], intro, sections: [] });

  test('has common stop words in separate files, which are loaded only for them and their forms', async () => {
    const texts = ['Having keys', 'The lamp', 'Have a light', 'The last'];
    const entries = texts.map((title, at) => entryOf(about(title, 'have the usual'), at));
    const files = filesOf([entries], { stopWords: new Set(['the', 'have', 'never']) });
    const { termFiles, ignoredFiles } = JSON.parse(files.get(layout.path) ?? '');
    const [[file, terms]] = ignoredFiles;
    expect([ignoredFiles.length, terms]).toEqual([1, ['have', 'the']]);
    expect(JSON.parse(files.get(file.slice(1)) ?? '').map(([term]: readonly [string]) => term)).toEqual(
      terms,
    );
    for (const [, href] of termFiles) expect(files.get(href.slice(1))).not.toMatch(/"(?:have|the)"/);
    const found = async (query: string) => {
      const { search, loaded } = openIndex(files);
      const { results } = await search(query);
      return {
        titles: results.map(({ title }) => title).sort(),
        hasIgnored: loaded().includes(file.slice(1)),
      };
    };
    expect(await found('the lamp')).toEqual({ titles: ['The lamp'], hasIgnored: false });
    expect(await found('the')).toEqual({ titles: [...texts].sort(), hasIgnored: true });
    expect(await found('having')).toEqual({ titles: [...texts].sort(), hasIgnored: true });
  });

  test('takes a stop word that few sections have for weak and not for common, however often they have it', () => {
    const texts = ['the the the', ...Array.from({ length: 19 }, () => 'lamps')];
    const files = filesOf([texts.map((text, at) => entryOf(about(`Title ${at}`, text), at))], {
      stopWords: new Set(['the']),
    });
    const { ignoredFiles, weak } = JSON.parse(files.get(layout.path) ?? '');
    expect({ ignoredFiles, weak }).toEqual({ ignoredFiles: [], weak: ['the'] });
  });

  test('has terms that begin with the same three letters in one file', () => {
    const words = Array.from({ length: 10_000 }, (_none, at) => `x${36 + (at % 60)}${(at * 7).toString(36)}`);
    const files = filesOf([[entryOf(about('Title', words.join(' ')), 0)]], { termBytes: 20_000 });
    const { termFiles } = JSON.parse(files.get(layout.path) ?? '') as { termFiles: [string, string][] };
    const starts = termFiles.flatMap(([, href]) => {
      const terms = JSON.parse(files.get(href.slice(1)) ?? '') as (readonly [string])[];
      return [...new Set(terms.map(([term]) => term.slice(0, 3)))];
    });
    expect(termFiles.length).toBeGreaterThan(5);
    expect(starts).toHaveLength(new Set(starts).size);
  });

  test('is not made of parts in another order, of which a reader would see other sections and topics', () => {
    const [one, other] = [0, 1].map((part) =>
      makeSearchPart(layout.folder, part, [entryOf(about('Title', 'text'), part)]),
    );
    const parts = [other, one].flatMap((made) => made?.part ?? []);
    expect(() => [...renderSearchIndex(parts, { ...layout, bits: 1 })]).toThrow(
      'part 0 of a search index follows part 1',
    );
  });

  test('is empty if no part has a page', async () => {
    const files = filesOf([[], []]);
    expect([...files.keys()]).toEqual([layout.path]);
    expect(await ask(files)).toEqual(queries.map(() => ({ total: 0, results: [], categories: [] })));
  });
});

describe('an edit in one part', () => {
  /** Words that look like no other, each in one file of terms. */
  const word = (number: number) => `w${((number * 7919 + 13) % 100_003).toString(36)}`;
  const rareOf = (at: number, edit: number) => [0, 1, 2].map((more) => word(30_000 + at * 10 + more + edit));
  const articleOf = (at: number, edit = 0): SearchEntry => {
    // The first part has most of the words; the others have a few different ones.
    const words = at < 2 ? Array.from({ length: 10_000 }, (_none, more) => word(at * 10_000 + more)) : [];
    const intro = [...words, ...rareOf(at, edit)].join(' ');
    return entryOf({ title: word(25_000 + at), tags: [], intro, sections: [] }, at);
  };
  const divide = (edit: (part: number) => SearchEntry): Divided =>
    Array.from({ length: 8 }, (_none, part) => (part === 0 ? [articleOf(0), articleOf(1)] : [edit(part)]));
  const limits = { termBytes: 20_000 };
  const termsIn = (content: string): readonly string[] =>
    JSON.parse(content).map(([term]: readonly [string]) => term);

  test('does not change files of terms that contain none of its terms', () => {
    const before = filesOf(
      divide((part) => articleOf(part + 1)),
      limits,
    );
    const after = filesOf(
      divide((part) => articleOf(part + 1, part === 5 ? 5 : 0)),
      limits,
    );
    const { termFiles } = JSON.parse(before.get(layout.path) ?? '') as { termFiles: [string, string][] };
    const own = new Set([word(25_006), ...rareOf(6, 0), ...rareOf(6, 5)]);
    const paths = termFiles.map(([, href]) => href.slice(1));
    const others = paths.filter((path) => !termsIn(before.get(path) ?? '').some((term) => own.has(term)));
    expect(others.length).toBeGreaterThan(8);
    expect(paths.length - others.length).toBeGreaterThan(2);
    // A new term comes into a file that may have held none of the part's before.
    const changed = paths.filter((path) => !after.has(path));
    expect(changed.length).toBeGreaterThan(0);
    const firsts = termFiles.map(([first]) => first);
    const fileOf = (term: string) => paths[firsts.findLastIndex((first) => first <= term)];
    const reachable = new Set([...own].map(fileOf));
    expect(changed.filter((path) => !reachable.has(path))).toEqual([]);
  });

  test('does not change the files of articles of other parts', () => {
    const files = [0, 1].map((edit) =>
      filesOf(
        divide((part) => {
          const entry = articleOf(part + 1);
          return part === 5 && edit === 1 ? { ...entry, article: '["/en/6/","Other",""]' } : entry;
        }),
        limits,
      ),
    );
    const [before = [], after = []] = files.map(
      (one) => JSON.parse(one.get(layout.path) ?? '').articleFiles as readonly (readonly string[])[],
    );
    const isSame = after.map(([name], at) => name === before[at]?.[0]);
    expect(isSame).toEqual([true, true, true, true, true, false, true, true]);
  });
});

describe('an article of more sections than are numbered', () => {
  const sections = Array.from({ length: 5000 }, (_none, at) => [`Part ${at}`, `text${at}`] as const);
  const large: Written = { title: 'Large', tags: [], intro: 'Intro', sections };

  test('is found by all of its text, beyond the last number at the last section', async () => {
    const small = { title: 'Small', tags: [], intro: 'Needle', sections: [['Aside', 'Pin'] as const] };
    const files = filesOf([[entryOf(small, 0)], [entryOf(large, 1), entryOf(small, 2)]]);
    const { search } = openIndex(files);
    const place = async (query: string) =>
      (await search(query)).results.map(({ href, sections: found }) => [href, ...found.map(({ id }) => id)]);
    expect(await place('text1700')).toEqual([['/en/1/', 'part-1700']]);
    expect(await place('text4999')).toEqual([['/en/1/', 'part-4094']]);
    expect(await place('needle')).toEqual([['/en/0/'], ['/en/2/']]);
    expect(await place('pin')).toEqual([
      ['/en/0/', 'part-0'],
      ['/en/2/', 'part-0'],
    ]);
  });
});
