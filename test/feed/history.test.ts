import { describe, expect, it } from 'vitest';
import type { ExclusionReason } from '../../src/core/model.ts';
import { type Manifest, manifestSchema } from '../../src/feed/read/manifest.ts';
import {
  type ChangeRecord,
  changeRecord,
  type DocumentRecord,
  documentId,
  documentRecord,
} from '../../src/feed/records/record-schemas.ts';
import { recordsIn } from '../support/feed-records.ts';
import { fc, runs } from '../support/properties.ts';
import { type BuildOptions, buildSample, buildSampleInto } from './support/build-sample.ts';
import { createMemoryOutput, type MemoryOutput, readerOf } from './support/memory-output.ts';
import type { SampleArticle, SampleSite } from './support/sample-plan.ts';

const lines = (output: MemoryOutput, path: string) => recordsIn<unknown>(output.text(path));

const manifestOf = (output: MemoryOutput): Manifest =>
  manifestSchema.parse(JSON.parse(output.text('feed/manifest.json')));

const changesOf = (output: MemoryOutput, seq: number): readonly ChangeRecord[] =>
  lines(output, `feed/changes/${seq}.jsonl`).map((line) => changeRecord.parse(line));

/** What run 2 deletes. */
const deletesOf = (output: MemoryOutput) => changesOf(output, 2).filter(({ op }) => op === 'delete');

function snapshot(output: MemoryOutput): ReadonlyMap<string, DocumentRecord> {
  const records = manifestOf(output).languages.flatMap(({ language }) =>
    lines(output, `feed/${language}/documents.jsonl`).map((line) => documentRecord.parse(line)),
  );
  return new Map(records.map((record) => [record.id, record]));
}

/** Operations and ids of the changes of a run. */
const opsOf = (output: MemoryOutput, seq: number) =>
  changesOf(output, seq).map((change) =>
    change.op === 'delete' ? ['delete', change.id] : ['upsert', change.document.id],
  );

const reset: SampleArticle = {
  id: 'aaaaaaaaaa',
  categoryId: 'cat1',
  pages: {
    en: { title: 'Reset', markdown: 'Press reset.\n' },
    de: { title: 'Zurücksetzen', markdown: 'Drücken.\n' },
  },
};
const welcome: SampleArticle = {
  id: 'bbbbbbbbbb',
  pages: { en: { title: 'Welcome', markdown: 'Hello.\n' } },
};
/** They stay, so that an edit changes less than a third. */
const others: readonly SampleArticle[] = ['v', 'w', 'x', 'y', 'z'].map((letter) => ({
  id: letter.repeat(10),
  pages: { en: { title: letter, markdown: `${'Text. '.repeat(40)}\n` } },
}));
const site: SampleSite = {
  languages: ['en', 'de'],
  categories: [{ id: 'cat1', titles: { en: 'Account', de: 'Konto' } }],
  articles: [reset, welcome, ...others],
};

/** Builds one site after another, each on top of the one before. */
async function buildAll(
  ...sites: readonly (SampleSite | readonly [SampleSite, BuildOptions])[]
): Promise<MemoryOutput> {
  let previous: MemoryOutput | null = null;
  for (const step of sites) {
    const [next, options] = 'articles' in step ? [step, {}] : step;
    previous = await buildSample(next, { ...options, previous });
  }
  if (previous === null) throw new Error('no site to build');
  return previous;
}

describe('changes between runs', () => {
  it('are not published in the first run: everything is new', async () => {
    const output = await buildAll(site);
    expect(manifestOf(output)).toMatchObject({ run: { seq: 1 } });
    expect(manifestOf(output).changes).toBeUndefined();
    expect(output.paths().filter((path) => path.startsWith('feed/changes/'))).toEqual([]);
  });

  it('are none when nothing changed, and every byte but the run fields is the same', async () => {
    const first = await buildSample(site, { builtAt: '2025-01-01T00:00:00.000Z' });
    const second = await buildSample(site, { builtAt: '2025-01-02T00:00:00.000Z', previous: first });
    expect(second.paths()).toEqual(first.paths());
    const different = second.paths().filter((path) => second.text(path) !== first.text(path));
    expect(different).toEqual(['feed/manifest.json']);
    const { run: _first, ...before } = manifestOf(first);
    const { run: _second, ...after } = manifestOf(second);
    expect(after).toEqual(before);
  });

  it('are none when the synonyms changed: only their file and the manifest are new', async () => {
    const first = await buildSample(site, { synonyms: [['sign in', 'log in']] });
    const second = await buildSample(site, {
      previous: first,
      synonyms: [
        ['sign in', 'log in', 'login'],
        ['ink', 'toner'],
      ],
    });
    expect(second.paths()).toEqual(first.paths());
    expect(second.paths().filter((path) => second.text(path) !== first.text(path))).toEqual([
      'feed/manifest.json',
      'feed/synonyms.jsonl',
    ]);
    expect(second.text('feed/synonyms.jsonl')).toBe(
      '{"words":["sign in","log in","login"]}\n{"words":["ink","toner"]}\n',
    );
    const third = await buildSample(site, { previous: second });
    expect(third.paths()).toEqual(first.paths().filter((path) => path !== 'feed/synonyms.jsonl'));
    expect(JSON.parse(third.text('feed/manifest.json'))).toMatchObject({ run: { seq: 1 } });
  });

  it('contain the edited document and its chunks, as in the files of records', async () => {
    const edited = { ...welcome, pages: { en: { title: 'Welcome', markdown: 'Hello, you.\n' } } };
    const output = await buildAll(site, { ...site, articles: [reset, edited, ...others] });
    const [id, chunkId] = ['a-bbbbbbbbbb-en', /"id":"(a-bbbbbbbbbb-en-\w+)"/];
    const lineOf = (path: string) =>
      output
        .text(path)
        .split('\n')
        .find((line) => line.includes(`"id":"${id}`))
        ?.replace(/,$/, '');
    expect(output.text('feed/changes/2.jsonl').replace(/,"was":"[0-9a-f]{64}"/, '')).toBe(
      `{"op":"upsert","document":${lineOf('feed/en/documents.jsonl')},"chunks":[${lineOf('feed/en/chunks.jsonl')}]}\n`,
    );
    expect(output.text('feed/changes/2.jsonl')).toMatch(chunkId);
  });

  it.each<readonly [string, Partial<SampleSite>, BuildOptions, readonly string[]]>([
    ['a new slug', { articles: [reset, { ...welcome, slug: 'hello' }, ...others] }, {}, ['a-bbbbbbbbbb-en']],
    [
      'a renamed category',
      { categories: [{ id: 'cat1', titles: { en: 'Your account', de: 'Konto' } }] },
      {},
      ['a-aaaaaaaaaa-en'],
    ],
    [
      'a new date of the article',
      { articles: [{ ...reset, updatedAt: '2026-02-01T00:00:00.000Z' }, welcome, ...others] },
      {},
      ['a-aaaaaaaaaa-de', 'a-aaaaaaaaaa-en'],
    ],
    [
      'a new date of one language',
      {
        articles: [{ ...reset, updatedAtOf: { en: '2026-01-01T00:00:00.000Z' } }, welcome, ...others],
      },
      {},
      ['a-aaaaaaaaaa-en'],
    ],
  ])('contain whatever changed: %s', async (_what, change, options, ids) => {
    const output = await buildAll(site, [{ ...site, ...change }, options]);
    expect(opsOf(output, 2)).toEqual(ids.map((id) => ['upsert', id]));
  });

  it('contain a document that is only cut otherwise', async () => {
    const long = {
      id: 'cccccccccc',
      pages: { en: { title: 'Long', markdown: 'Many words.\n\n'.repeat(100) } },
    };
    const more = { ...site, articles: [...site.articles, long] };
    const settings = { chunks: { minTokens: 20, targetTokens: 50, softMaxTokens: 100 } };
    const output = await buildAll(more, [more, { settings }]);
    expect(opsOf(output, 2)).toEqual([['upsert', 'a-cccccccccc-en']]);
  });

  it('are published however many documents a run changes, unless they are larger than all together', async () => {
    const rewritten = others.map(({ id }) => ({
      id,
      pages: { en: { title: 'New', markdown: `${'Other. '.repeat(40)}\n` } },
    }));
    const more = (count: number) => ({
      ...site,
      articles: [reset, welcome, ...rewritten.slice(0, count), ...others.slice(count)],
    });
    const second = await buildAll(site, more(2));
    expect(manifestOf(second).changes).toEqual({ first: 2, last: 2 });
    const third = await buildSample(more(5), { previous: second });
    expect(manifestOf(third)).toMatchObject({ run: { seq: 3 }, changes: { first: 2, last: 3 } });
    const moved = more(5).articles.map((article) => ({ ...article, slug: 'moved' }));
    const fourth = await buildSample({ ...site, articles: moved }, { previous: third });
    expect(manifestOf(fourth).run.seq).toBe(4);
    expect(manifestOf(fourth).changes).toBeUndefined();
    expect(fourth.paths().filter((path) => path.startsWith('feed/changes/'))).toEqual([]);
  });

  it('are never larger than the documents and chunks: the oldest go', async () => {
    const edited = (run: number, at: number) => Math.max(0, run - ((((run - at) % 8) + 8) % 8));
    const articles = (run: number) =>
      [...'abcdefgh'].map((letter, at) => ({
        id: letter.repeat(10),
        pages: { en: { title: letter, markdown: `${`Hello ${edited(run, at)}. `.repeat(20)}\n` } },
      }));
    let output = await buildSample({ languages: ['en'], articles: articles(0) });
    for (let run = 1; run <= 12; run += 1) {
      output = await buildSample({ languages: ['en'], articles: articles(run) }, { previous: output });
      const { files, changes } = manifestOf(output);
      const size = (wanted: string) =>
        files.reduce((sum, { kind, bytes }) => sum + (kind === wanted ? bytes : 0), 0);
      expect(size('changes')).toBeLessThanOrEqual(size('documents') + size('chunks'));
      expect(changes?.last).toBe(run + 1);
      const published = files.filter(({ kind }) => kind === 'changes');
      expect(published).toHaveLength(run + 2 - (changes?.first ?? 0));
    }
    expect(manifestOf(output).changes?.first).toBeGreaterThan(2);
  });

  it('have only the last change of a document, so that withdrawn text does not stay', async () => {
    const edit = (...texts: readonly string[]): SampleSite => ({
      ...site,
      articles: [
        ...texts.map((markdown, at) => ({
          id: `${at}`.repeat(10),
          pages: { en: { title: 'Edited', markdown } },
        })),
        ...others,
      ],
    });
    const output = await buildAll(
      edit('One.\n', 'Two.\n'),
      edit('Withdrawn.\n', 'Two.\n'),
      edit('Withdrawn.\n', 'Other.\n'),
      edit('One.\n', 'Other.\n'),
      edit('One.\n'),
    );
    expect([2, 3, 4, 5].map((seq) => opsOf(output, seq))).toEqual([
      [],
      [],
      [['upsert', 'a-0000000000-en']],
      [['delete', 'a-1111111111-en']],
    ]);
    const texts = output.paths().map((path) => output.text(path));
    expect(texts.filter((text) => /Withdrawn|Other\./.test(text))).toEqual([]);
  });

  it('keep the changes of as many runs as configured, and never count back', async () => {
    const settings = { keepRuns: 2 };
    const named = (title: string): readonly [SampleSite, BuildOptions] => [
      { ...site, articles: [{ ...welcome, pages: { en: { title, markdown: 'Hello.\n' } } }, ...others] },
      { settings },
    ];
    const output = await buildAll(named('1'), named('2'), named('3'), named('4'));
    expect(manifestOf(output).changes).toEqual({ first: 3, last: 4 });
    expect(output.paths().filter((path) => path.startsWith('feed/changes/'))).toEqual([
      'feed/changes/3.jsonl',
      'feed/changes/4.jsonl',
    ]);
  });

  it('refuse to go on from a damaged feed', async () => {
    const first = await buildSample(site);
    const damaged: MemoryOutput = {
      ...first,
      text: (path) => (path.endsWith('documents.jsonl') ? '' : first.text(path)),
    };
    await expect(buildSample(site, { previous: damaged })).rejects.toMatchObject({
      code: 'FEED_PREVIOUS_INVALID',
    });
  });

  it('refuse to go on from a manifest that no longer lists all documents', async () => {
    const first = await buildSample(site);
    const damaged: MemoryOutput = {
      ...first,
      text: (path) =>
        path === 'feed/manifest.json'
          ? first.text(path).replace(/ *\{"path":"feed\/en\/documents.*\n/, '')
          : first.text(path),
    };
    await expect(buildSample(site, { previous: damaged })).rejects.toMatchObject({
      code: 'FEED_PREVIOUS_INVALID',
      message: expect.stringMatching(
        /^feed\/en\/documents\.jsonl .* is not the file that the manifest lists$/,
      ),
    });
  });

  it('can start from a feed read elsewhere, such as its published URL', async () => {
    const first = await buildSample(site);
    const second = await buildSample({ ...site, articles: [reset, ...others] }, { since: readerOf(first) });
    expect(manifestOf(second).run.seq).toBe(2);
    expect(deletesOf(second)).toHaveLength(1);
  });
});

describe('deletions', () => {
  const without = { ...site, articles: [reset, ...others] };
  const deletesAfter = async (excluded: readonly (readonly [string, ExclusionReason])[]) =>
    deletesOf(await buildAll(site, [without, { excluded: new Map(excluded) }]));

  it('contain nothing of removed documents but their ids and hashes', async () => {
    expect(await deletesAfter([])).toEqual([
      {
        op: 'delete',
        id: 'a-bbbbbbbbbb-en',
        reason: 'deleted',
        was: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it.each([
    ['draft', 'unpublished'],
    ['no-content', 'unpublished'],
    ['other-language', 'translation-withdrawn'],
    ['private', 'restricted'],
    ['restricted', 'restricted'],
    ['visibility-unknown', 'restricted'],
    ['gone', 'deleted'],
  ] as const)('say why: %s is %s', async (excluded, reason) => {
    expect(await deletesAfter([['bbbbbbbbbb', excluded]])).toMatchObject([{ reason }]);
  });

  it('tell a withdrawn translation from a deleted article', async () => {
    const english = { ...reset, pages: { en: { title: 'Reset', markdown: 'Press reset.\n' } } };
    const output = await buildAll(site, { ...site, articles: [english, welcome, ...others] });
    expect(deletesOf(output)).toMatchObject([{ id: 'a-aaaaaaaaaa-de', reason: 'translation-withdrawn' }]);
  });

  it('go when the document comes back under its old id', async () => {
    const output = await buildAll(site, without, site);
    expect(deletesOf(output)).toEqual([]);
    expect(opsOf(output, 3)).toEqual([['upsert', 'a-bbbbbbbbbb-en']]);
  });
});

describe('a translation', () => {
  const withBodies = (en: string, de: string): SampleSite => ({
    ...site,
    articles: [
      { id: 'aaaaaaaaaa', pages: { en: { title: 'A', markdown: en }, de: { title: 'A', markdown: de } } },
    ],
  });
  /** `null`: unknown. */
  const outdated = (output: MemoryOutput): boolean | null => {
    const [en, de] = ['en', 'de'].map((tag) => snapshot(output).get(`a-aaaaaaaaaa-${tag}`));
    const basis = de?.translation?.source_body_hash;
    return basis === undefined ? null : basis !== en?.body_hash;
  };

  it('does not change with its source, although the article has one date for both, and keeps its date', async () => {
    const at = (day: string, en: string, de: string): SampleSite => ({
      languages: ['en', 'de'],
      articles: [
        {
          ...{ id: 'aaaaaaaaaa', updatedAt: `2026-03-${day}T00:00:00.000Z` },
          pages: { en: { title: en, markdown: en }, de: { title: 'A', markdown: de } },
        },
        ...['bbbbbbbbbb', 'cccccccccc'].map((id) => ({ id, pages: { en: { title: id, markdown: id } } })),
      ],
    });
    const output = await buildAll(at('01', '1', 'eins'), at('02', '2', 'eins'), at('03', '2', 'zwei'));
    const dates = ['en', 'de'].map((tag) => snapshot(output).get(`a-aaaaaaaaaa-${tag}`)?.updated_at);
    expect(dates).toEqual(['2026-03-03T00:00:00.000Z', '2026-03-03T00:00:00.000Z']);
    const edited = await buildAll(at('01', '1', 'eins'), at('02', '2', 'eins'));
    expect(opsOf(edited, 2)).toEqual([['upsert', 'a-aaaaaaaaaa-en']]);
    expect(snapshot(edited).get('a-aaaaaaaaaa-de')?.updated_at).toBe('2026-03-01T00:00:00.000Z');
  });

  it('is outdated from the run in which its source changed until it changes itself', async () => {
    const changed = [withBodies('1', 'eins'), withBodies('1', 'zwei')] as const;
    expect(outdated(await buildAll(...changed))).toBe(false);
    expect(outdated(await buildAll(...changed, withBodies('2', 'zwei')))).toBe(true);
    expect(outdated(await buildAll(...changed, withBodies('2', 'zwei'), withBodies('2', 'zwei')))).toBe(true);
    expect(outdated(await buildAll(...changed, withBodies('2', 'zwei'), withBodies('2', 'drei')))).toBe(
      false,
    );
  });

  it('does not say of which version of its source it is until it has changed or appeared in a later run', async () => {
    const first = withBodies('1', 'eins');
    expect(outdated(await buildAll(first))).toBe(null);
    expect(outdated(await buildAll(first, withBodies('2', 'eins')))).toBe(null);
    expect(outdated(await buildAll(first, withBodies('2', 'eins'), withBodies('2', 'zwei')))).toBe(false);
    const without: SampleSite = { ...first, articles: others };
    expect(outdated(await buildAll(without, { ...first, articles: [...first.articles, ...others] }))).toBe(
      false,
    );
  });
});

describe('a consumer that reads only manifest and changes', () => {
  type Step =
    | { readonly kind: 'write'; readonly id: string; readonly language: string; readonly text: string }
    | { readonly kind: 'rename'; readonly id: string; readonly slug: string }
    | { readonly kind: 'hide'; readonly id: string; readonly reason: ExclusionReason }
    | { readonly kind: 'delete' | 'show'; readonly id: string }
    | { readonly kind: 'withdraw'; readonly id: string; readonly language: string };

  interface World {
    readonly pages: Map<string, Map<string, string>>;
    readonly slugs: Map<string, string>;
    readonly hidden: Map<string, ExclusionReason>;
  }

  const languages = ['en', 'de', 'ja'];
  const id = fc.constantFrom('aaaaaaaaaa', 'Aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd');
  const language = fc.constantFrom(...languages);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        id,
        language,
        text: fc.string({ maxLength: 9 }),
      }),
    },
    fc.record({ kind: fc.constant('rename' as const), id, slug: fc.constantFrom('one', 'two', 'three') }),
    fc.record({
      kind: fc.constant('hide' as const),
      id,
      reason: fc.constantFrom<ExclusionReason>('draft', 'private', 'restricted'),
    }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'show' as const), id }),
    fc.record({ kind: fc.constant('withdraw' as const), id, language }),
  );

  function apply(world: World, step: Step): void {
    const pages = world.pages.get(step.id);
    if (step.kind === 'write') {
      world.pages.set(step.id, new Map([...(pages ?? []), [step.language, step.text]]));
    } else if (step.kind === 'rename') world.slugs.set(step.id, step.slug);
    else if (step.kind === 'hide') world.hidden.set(step.id, step.reason);
    else if (step.kind === 'show') world.hidden.delete(step.id);
    else if (step.kind === 'withdraw') pages?.delete(step.language);
    else world.pages.delete(step.id);
  }

  function siteOf(world: World): SampleSite {
    const visible = [...world.pages].filter(([id, pages]) => pages.size > 0 && !world.hidden.has(id));
    return {
      languages,
      articles: [
        ...others,
        ...visible.map(([id, pages]) => ({
          id,
          slug: world.slugs.get(id) ?? 'page',
          pages: Object.fromEntries(
            [...pages].map(([language, text]) => [language, { title: `T ${text}`, markdown: `${text}\n` }]),
          ),
        })),
      ],
    };
  }

  /** What docs/chatbot-feed.md tells a consumer to do. */
  function consume(state: Map<string, DocumentRecord>, seq: number, output: MemoryOutput): number {
    const { changes, run } = manifestOf(output);
    if (seq < (changes?.first ?? run.seq + 1) - 1) {
      state.clear();
      for (const [id, document] of snapshot(output)) state.set(id, document);
      return run.seq;
    }
    for (let next = seq + 1; next <= run.seq; next += 1) {
      for (const change of changesOf(output, next)) {
        if (change.op === 'delete') state.delete(change.id);
        else state.set(change.document.id, change.document);
      }
    }
    return run.seq;
  }

  it('ends in the state of a fresh snapshot, also when it skips runs, and never contains a hidden article', {
    tags: 'property',
  }, async () => {
    const history = fc.array(fc.array(step, { minLength: 1, maxLength: 10 }), {
      minLength: 20,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(history, fc.infiniteStream(fc.boolean()), async (runs, reads) => {
        const world: World = { pages: new Map(), slugs: new Map(), hidden: new Map() };
        const state = new Map<string, DocumentRecord>();
        let output: MemoryOutput | null = null;
        let seq = 0;
        for (const [at, steps] of runs.entries()) {
          for (const step of steps) apply(world, step);
          output = await buildSample(siteOf(world), {
            previous: output,
            excluded: world.hidden,
            settings: { keepRuns: 4 },
          });
          const skips = at < runs.length - 1 && reads.next().value === true;
          if (skips) continue;
          seq = consume(state, seq, output);
          expect(state).toEqual(snapshot(output));
          for (const hidden of world.hidden.keys()) {
            for (const tag of languages) expect(state.has(documentId(hidden, tag))).toBe(false);
          }
        }
      }),
      { numRuns: runs(15) },
    );
  });
});

describe('the id and run of a feed', () => {
  const oldId = '0'.repeat(32);
  const newFeedId = 'f'.repeat(32);
  const runOf = (output: MemoryOutput) => {
    const { run, changes } = manifestOf(output);
    return { id: run.feed_id, seq: run.seq, ...changes };
  };
  const edited: SampleSite = { ...site, articles: [reset, ...others] };

  it('stay as long as the previous feed is continued', async () => {
    const first = await buildSample(site);
    const lastFeed = { feedId: oldId, seq: 1 };
    const second = await buildSample(edited, { previous: first, newFeedId, lastFeed });
    expect(runOf(second)).toEqual({ id: oldId, seq: 2, first: 2, last: 2 });
  });

  it('change if the output is lost; the run number goes on from the cache, and no earlier run can be followed', async () => {
    const lastFeed = { feedId: oldId, seq: 7 };
    const output = createMemoryOutput();
    const problems = await buildSampleInto(output, site, { newFeedId, lastFeed });
    expect(runOf(output)).toEqual({ id: newFeedId, seq: 8 });
    expect(problems).toMatchInlineSnapshot(`
      [
        {
          "articleId": null,
          "categoryId": null,
          "code": "FEED_RESTARTED",
          "file": null,
          "language": null,
          "line": null,
          "message": "the last build published run 7, and this build found no previous feed",
        },
      ]
    `);
  });

  it('change if the output was restored from an earlier run, also when nothing else changed', async () => {
    const first = await buildSample(site);
    const lastFeed = { feedId: oldId, seq: 3 };
    const next = await buildSample(site, { previous: first, newFeedId, lastFeed });
    expect(runOf(next)).toEqual({ id: newFeedId, seq: 4 });
    expect(next.paths().filter((path) => path.startsWith('feed/changes/'))).toEqual([]);
  });

  it('do not follow the cache if that knows another feed', async () => {
    const first = await buildSample(site);
    const lastFeed = { feedId: '9'.repeat(32), seq: 30 };
    const next = await buildSample(edited, { previous: first, newFeedId, lastFeed });
    expect(runOf(next)).toMatchObject({ id: oldId, seq: 2 });
  });
});
