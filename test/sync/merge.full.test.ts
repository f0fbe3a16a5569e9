import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Comparable, hashFieldsOf } from '../../src/sync/comparable.ts';
import { compareSides } from '../../src/sync/compare-sides.ts';
import { formatPlan } from '../../src/sync/format-plan.ts';
import { type AgreedRecord, agreeOn } from '../../src/sync/merge-fields.ts';
import {
  decideConflicts,
  forFolder,
  forService,
  planSync,
  type SyncEntry,
} from '../../src/sync/plan-sync.ts';
import { startTestService } from '../service/support/service.ts';
import { fc, runs } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clientOf, pull, push, toForm } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Language (`''`: the record itself) → field → value. */
type TextHashes = Readonly<Record<string, Fields>>;

const toComparable = ({ '': fields = {}, ...translations }: TextHashes): Comparable => ({
  fields,
  translations,
});

function plan(local: Comparable, remote: Comparable, agreed: AgreedRecord | null): SyncEntry {
  const [entry] = planSync({
    kind: 'article',
    agreed: agreed === null ? {} : { id: agreed },
    local: [{ id: 'id', folder: 'f', written: local, withServiceBodies: () => local }],
    remote: new Map([['id', remote]]),
  });
  return entry as SyncEntry;
}

const names = ['title', 'body', 'description'];
const value = fc.constantFrom<unknown>('a', 'b', 'c', '', null, ['x']);
const language = fc.record(Object.fromEntries(names.map((name) => [name, value])));
const texts = fc
  .record({ own: language, others: fc.dictionary(fc.constantFrom('de', 'fr', 'ja'), language) })
  .map(({ own, others }): TextHashes => ({ '': own, ...others }));

/** What one side does to a language: nothing, new values for some fields, or (not to the record itself) removing or adding it. */
type Edit = { readonly set: Fields } | 'remove' | null;

function apply(base: TextHashes, edits: Readonly<Record<string, Edit>>): TextHashes {
  const result: Record<string, Fields> = { ...base };
  for (const [code, edit] of Object.entries(edits)) {
    if (edit === 'remove') delete result[code];
    else if (edit !== null) result[code] = { ...result[code], ...edit.set };
  }
  return result;
}

/** A base and edits of both sides that share no field. */
const disjoint = fc
  .record({
    base: texts,
    who: fc.array(fc.constantFrom('folder', 'service', 'nobody'), { minLength: 12, maxLength: 12 }),
    whole: fc.array(fc.constantFrom('folder', 'service', 'fields'), { minLength: 4, maxLength: 4 }),
    edit: fc.array(fc.oneof(language, fc.constant('remove' as const)), { minLength: 4, maxLength: 4 }),
  })
  .map(({ base, who, whole, edit }) => {
    const edits: Record<'folder' | 'service', Record<string, Edit>> = { folder: {}, service: {} };
    for (const [at, code] of ['', 'de', 'fr', 'ja'].entries()) {
      const change = edit[at] as Fields | 'remove';
      const owner = whole[at];
      if (owner === 'fields' && code in base && change !== 'remove') {
        for (const side of ['folder', 'service'] as const) {
          const own = names.filter((_, index) => who[at * 3 + index] === side);
          edits[side][code] = { set: Object.fromEntries(own.map((name) => [name, change[name]])) };
        }
      } else if ((owner === 'folder' || owner === 'service') && (code in base || change !== 'remove')) {
        if (code !== '' || change !== 'remove')
          edits[owner][code] = change === 'remove' ? change : { set: change };
      }
    }
    return { base, ...edits };
  });

describe('edits of both sides', () => {
  it('merge to what applying both gives when they share no field, whichever command runs first', {
    tags: 'property',
  }, () => {
    fc.assert(
      fc.property(disjoint, fc.boolean(), ({ base, folder, service }, isPushFirst) => {
        let agreed: AgreedRecord = { service: hashFieldsOf(toComparable(base)) };
        let local = toComparable(apply(base, folder));
        let remote = toComparable(apply(base, service));
        const expected = toComparable(apply(apply(base, folder), service));
        for (const isPush of isPushFirst ? [true, false] : [false, true]) {
          const entry = plan(local, remote, agreed);
          expect(entry.outcome).not.toBe('conflict');
          if (isPush) remote = forService(entry) as Comparable;
          else local = forFolder(entry) as Comparable;
          const now = { written: local, remote };
          agreed = agreeOn(agreed, entry.fields, isPush ? 'folder' : 'service', now);
        }
        expect(local).toEqual(expected);
        expect(remote).toEqual(expected);
        expect(plan(local, remote, agreed).outcome).toBe('same');
      }),
      { numRuns: runs(2000) },
    );
  });

  it('conflict in exactly the fields that both changed, and the side that is chosen decides only these', {
    tags: 'property',
  }, () => {
    const slot = fc.tuple(fc.constantFrom('', 'de'), fc.constantFrom(...names));
    const both = fc.uniqueArray(slot, { minLength: 1, maxLength: 3, selector: String });
    fc.assert(
      fc.property(disjoint, both, ({ base: some, folder, service }, slots) => {
        const base = { ...some, de: some.de ?? { title: null, body: 'b', description: '' } };
        const ours: Record<string, Fields> = { ...apply(base, { ...folder, de: null }) };
        const theirs: Record<string, Fields> = { ...apply(base, { ...service, de: null }) };
        for (const [code, name] of slots) {
          ours[code] = { ...ours[code], [name]: 'ours' };
          theirs[code] = { ...theirs[code], [name]: 'theirs' };
        }
        const agreed = { service: hashFieldsOf(toComparable(base)) };
        const entry = plan(toComparable(ours), toComparable(theirs), agreed);
        expect(entry.outcome).toBe('conflict');
        const found = entry.fields.filter(({ changedBy }) => changedBy === 'both');
        expect(found.map(({ language: code, field }) => `${code ?? ''} ${field}`).sort()).toEqual(
          slots.map(([code, name]) => `${code} ${name}`).sort(),
        );
        for (const winner of ['ours', 'theirs'] as const) {
          const [decided] = decideConflicts([entry], winner);
          const expected = apply(apply(base, { ...folder, de: null }), { ...service, de: null });
          const chosen: Record<string, Fields> = { ...expected };
          for (const [code, name] of slots) chosen[code] = { ...chosen[code], [name]: winner };
          expect(forService(decided as SyncEntry)).toEqual(toComparable(chosen));
          expect(forFolder(decided as SyncEntry)).toEqual(toComparable(chosen));
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('conflict as a whole when one side removes a translation that the other changes, or nothing is known of before', () => {
    const base = { '': { title: 'A' }, de: { title: 'D', body: 'd' } };
    const agreed = { service: hashFieldsOf(toComparable(base)) };
    const without = toComparable({ '': base[''] });
    const changed = toComparable({ ...base, de: { title: 'D', body: 'other' } });
    expect(plan(without, changed, agreed).outcome).toBe('conflict');
    expect(plan(changed, without, agreed).outcome).toBe('conflict');
    const unknown = plan(without, changed, null);
    expect(unknown.outcome).toBe('conflict');
    expect(unknown.fields.filter(({ changedBy }) => changedBy === 'both')).toHaveLength(2);
    const [ours] = decideConflicts([plan(without, changed, agreed)], 'ours');
    expect(forService(ours as SyncEntry)).toEqual(without);
  });
});

const file = 'articles/aaaaaaaaaa-a';

async function start() {
  const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
  await client.createArticle({
    article_id: 'aaaaaaaaaa',
    title: 'A',
    // Its Markdown renders to other HTML, so the files never equal the service's body.
    body: '<p>One</p>\n\n<p>Two',
    multilingual: [{ language_code: 'de', title: 'D', body: '<p>Eins' }],
  });
  const root = join(temporaryFolder(), 'kb');
  await pull(client, root);
  const edit = (name: string, from: string | RegExp, to: string): void => {
    const path = join(root, file, name);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(from);
    writeFileSync(path, text.replace(from, to));
  };
  return { client, root, edit };
}

describe('a folder and a service that were both edited', () => {
  it.each(['push first', 'pull first'])('have both edits in the end: %s', async (order) => {
    const { client, root, edit } = await start();
    edit('en.md', 'title: A', 'title: From the folder');
    edit('de.md', 'Eins', 'Zwei');
    await client.updateArticle('aaaaaaaaaa', {
      body: '<p>From the service',
      multilingual: [
        { language_code: 'de', title: 'Vom Dienst' },
        { language_code: 'fr', title: 'F', body: '<p>Un</p>' },
      ],
    });
    const commands = order === 'push first' ? [push, pull] : [pull, push];
    const outcomes = ['article aaaaaaaaaa merged'];
    expect(await commands[0]?.(client, root)).toEqual(outcomes);
    await commands[1]?.(client, root);
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'From the folder',
      body: '<p>From the service',
      multilingual: [
        { language_code: 'de', title: 'Vom Dienst', body: '<p>Zwei</p>' },
        { language_code: 'fr', title: 'F', body: '<p>Un</p>' },
      ],
    });
    expect(readFileSync(join(root, file, 'en.md'), 'utf8')).toMatch(
      /title: From the folder[\s\S]*\n---\nFrom the service\n$/,
    );
    expect(readFileSync(join(root, file, 'de.md'), 'utf8')).toMatch(/title: Vom Dienst[\s\S]*\n---\nZwei\n$/);
    expect(await pull(client, root)).toEqual([]);
    expect(await push(client, root)).toEqual([]);
  });

  it('show a conflict as the difference of the fields that both changed, and no others', async () => {
    const { client, root, edit } = await start();
    edit('en.md', 'title: A', 'title: Ours');
    edit('de.md', 'Eins', 'Zwei');
    await client.updateArticle('aaaaaaaaaa', { title: 'Theirs', tags: ['new'] });
    const target = { root, baseUrl: 'https://kb/v1', defaultLanguage: 'en', toForm };
    const { entries } = await compareSides(client, target);
    expect(formatPlan(entries, 'service')).toMatchInlineSnapshot(`
      "! article aaaaaaaaaa articles/aaaaaaaaaa-a "Ours"
          title:
            folder: "Ours"
            service: "Theirs"
      "
    `);
    await expect(push(client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(pull(client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    // Editing decides it, too: the fields are equal then, and the rest merges.
    edit('en.md', 'title: Ours', 'title: Theirs');
    expect(await pull(client, root)).toEqual(['article aaaaaaaaaa merged']);
    expect(await push(client, root)).toEqual(['article aaaaaaaaaa local-changed']);
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'Theirs',
      tags: ['new'],
      body: '<p>One</p>\n\n<p>Two',
      multilingual: [{ title: 'D', body: '<p>Zwei</p>' }],
    });
  });
});

describe('one field that was edited in a folder and at the service', () => {
  const before = ['First paragraph.', 'Second paragraph.', 'Third paragraph.']
    .map((text) => `<p>${text}</p>`)
    .join('');

  it.each([
    ['body', 'Markdown', ''],
    ['body', 'HTML', '<p>A <span style="display:none">B</span></p>'],
    ['tags', 'Markdown', ''],
  ])(
    'is a conflict though other parts of it were edited (%s, %s), and both values are shown',
    async (field, form, frame) => {
      const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
      const article_id = 'aaaaaaaaaa';
      await client.createArticle({ article_id, title: 'A', body: before + frame, tags: ['one'] });
      const root = join(temporaryFolder(), 'kb');
      await pull(client, root);
      const name = join(root, file, form === 'HTML' ? 'en.html' : 'en.md');
      const text = readFileSync(name, 'utf8');
      const own =
        field === 'body' ? text.replace('First', 'Our first') : text.replace('- one', '- one\n  - ours');
      writeFileSync(name, own);
      const theirs =
        field === 'body'
          ? { body: (before + frame).replace('Third', 'Their third') }
          : { tags: ['one', 'theirs'] };
      await client.updateArticle(article_id, { ...theirs, description: 'Only theirs' });
      const target = { root, baseUrl: 'https://kb/v1', defaultLanguage: 'en', toForm };
      const { entries } = await compareSides(client, target);
      const shown =
        field === 'body'
          ? `    body:
      folder:
        <p>Our first paragraph.</p>
        <p>Third paragraph.</p>
      service:
        <p>First paragraph.</p>
        <p>Their third paragraph.</p>
`
          : `    tags:
      folder: ["one","ours"]
      service: ["one","theirs"]
`;
      expect(formatPlan(entries, 'service')).toBe(`! article aaaaaaaaaa articles/aaaaaaaaaa-a "A"\n${shown}`);
      for (const command of [push, pull])
        await expect(command(client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(readFileSync(name, 'utf8')).toBe(own);
      expect(await client.readArticle(article_id)).toMatchObject(theirs);

      await push(client, root, { deletes: false, ours: true });
      const { body, tags, description } = await client.readArticle(article_id);
      expect([body?.match(/\w+ first|\w+ third|Third/gi), tags, description]).toEqual([
        field === 'body' ? ['Our first', 'Third'] : ['Third'],
        field === 'body' ? ['one'] : ['one', 'ours'],
        'Only theirs',
      ]);
    },
  );
});
