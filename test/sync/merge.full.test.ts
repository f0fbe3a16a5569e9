import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mergePieces } from '../../src/core/diff-lines.ts';
import { type Comparable, hashFieldsOf, type TextHashes as Values } from '../../src/sync/comparable.ts';
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
import { readState, writeState } from '../../src/sync/state-file.ts';
import { makeFolder, startTestService } from '../service/support/service.ts';
import { fc, runs } from '../support/properties.ts';
import { clientOf, pull, push, toForm } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Language (`''`: the record itself) → field → value. */
type TextHashes = Readonly<Record<string, Fields>>;

const toComparable = ({ '': fields = {}, ...translations }: TextHashes): Comparable => ({
  fields,
  translations,
});

function plan(local: Comparable, remote: Comparable, agreed: AgreedRecord | null, texts?: Values): SyncEntry {
  const bodyOf = (code: string | null) =>
    String((code === null ? local.fields : local.translations[code])?.body);
  const lines = (text: string) => text.split(/(?<=\n)/);
  const [entry] = planSync({
    kind: 'article',
    agreed: agreed === null ? {} : { id: agreed },
    local: [
      {
        id: 'id',
        folder: 'f',
        written: local,
        takeOver: () => local,
        mergeBody: (code, base, other) => mergePieces(lines(base), lines(bodyOf(code)), lines(other)),
      },
    ],
    remote: new Map([['id', remote]]),
    texts,
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

  it('merge tags as a set and bodies by lines, whichever command runs first', { tags: 'property' }, () => {
    const tag = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const tags = fc.uniqueArray(tag);
    const who = fc.constantFrom('folder', 'service', 'nobody');
    const lines = fc.array(fc.record({ who, to: fc.constantFrom('', 'x\n', 'x\ny\n', '<p>z</p>\n') }));
    fc.assert(
      fc.property(tags, tags, tags, lines, fc.boolean(), (before, ours, theirs, edits, isPushFirst) => {
        // An unchanged line follows each line that may change.
        const body = (side: string) =>
          edits.map((edit, n) => `${edit.who === side ? edit.to : `${n}\n`}kept ${n}\n`).join('');
        const both = edits
          .map((edit, n) => `${edit.who === 'nobody' ? `${n}\n` : edit.to}kept ${n}\n`)
          .join('');
        const texts: Values = new Map();
        const base = toComparable({ '': { tags: before, body: body('none') } });
        let agreed: AgreedRecord = { service: hashFieldsOf(base, texts) };
        let local = toComparable({ '': { tags: ours, body: body('folder') } });
        let remote = toComparable({ '': { tags: theirs, body: body('service') } });
        for (const isPush of isPushFirst ? [true, false] : [false, true]) {
          const entry = plan(local, remote, agreed, texts);
          expect(entry.outcome).not.toBe('conflict');
          if (isPush) remote = forService(entry) as Comparable;
          else local = forFolder(entry) as Comparable;
          const now = { written: local, remote };
          agreed = agreeOn(agreed, entry.fields, isPush ? 'folder' : 'service', now, texts);
        }
        expect(local).toEqual(remote);
        expect(plan(local, remote, agreed, texts).outcome).toBe('same');
        expect(remote.fields.body).toBe(both);
        const has = (side: readonly string[], name: string) => side.includes(name);
        const isWanted = (name: string) =>
          has(before, name) ? has(ours, name) && has(theirs, name) : has(ours, name) || has(theirs, name);
        expect([...(remote.fields.tags as string[])].sort()).toEqual([...'abcdef'].filter(isWanted));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('can be taken back by the side that pushed them, before it has pulled', () => {
    const texts: Values = new Map();
    const of = (body: string) => toComparable({ '': { body } });
    const base = of('one line\ntwo\nthree\n');
    const agreed = { service: hashFieldsOf(base, texts) };
    const [local, edited] = [of('ONE LINE\ntwo\nthree\n'), of('one line\ntwo\nTHREE\n')];
    const first = plan(local, edited, agreed, texts);
    const remote = forService(first) as Comparable;
    const pushed = agreeOn(agreed, first.fields, 'folder', { written: local, remote }, texts);
    const second = plan(base, remote, pushed, texts);
    expect([forService(second), forFolder(second)]).toEqual([edited, edited]);
  });

  it('conflict if lines overlap, or if it is only known that they changed', () => {
    const texts: Values = new Map();
    const of = (body: string, tags: readonly string[] = []) => toComparable({ '': { body, tags } });
    const agreed = { service: hashFieldsOf(of('One line\ntwo\nthree\n', ['first tag']), texts) };
    const [ours, theirs] = [of('Our line\ntwo\nthree\n'), of('One line\ntwo\nTHREE\n', ['first tag', 'b'])];
    expect(plan(ours, theirs, agreed, texts).outcome).toBe('merged');
    expect(plan(ours, theirs, agreed, new Map()).outcome).toBe('conflict');
    const overlapping = plan(ours, of('One line of theirs\ntwo\nthree\n'), agreed, texts);
    expect(overlapping.fields).toContainEqual({
      language: null,
      field: 'body',
      changedBy: 'both',
      base: { folder: 'One line\ntwo\nthree\n', service: 'One line\ntwo\nthree\n' },
    });
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
  const root = join(makeFolder(), 'kb');
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
            folder: "A" → "Ours"
            service: "A" → "Theirs"
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

const page = ['First paragraph.', 'Second paragraph.', 'Third paragraph.', 'Fourth paragraph.'];
const toHtml = (paragraphs: readonly string[], between: string) =>
  paragraphs.map((text) => `<p>${text}</p>`).join(between);

describe('one body that was edited in a folder and at the service', () => {
  it.each([
    ['Markdown', 'push first', '\n\n'],
    ['Markdown', 'pull first', '\n\n'],
    ['HTML', 'push first', ''],
    ['HTML', 'pull first', ''],
  ])('as %s is merged if the edits are in different paragraphs: %s', async (form, order, between) => {
    const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
    const article_id = 'aaaaaaaaaa';
    // A frame keeps the body HTML.
    const frame = form === 'HTML' ? '<iframe src="https://example.com/"></iframe>' : '';
    const html = (paragraphs: readonly string[]) => toHtml(paragraphs, between) + frame;
    await client.createArticle({ article_id, title: 'A', body: html(page), tags: ['one', 'two'] });
    const root = join(makeFolder(), 'kb');
    await pull(client, root);
    const name = join(root, file, form === 'HTML' ? 'en.html' : 'en.md');
    const edit = (from: string, to: string): void =>
      writeFileSync(name, readFileSync(name, 'utf8').replace(from, to));
    edit('First paragraph.', 'First paragraph of the folder.');
    edit('- two', '- three');
    await client.updateArticle(article_id, {
      body: html(['First paragraph.', 'Second paragraph.', 'Third paragraph of the service.']),
      tags: ['zero', 'one', 'two'],
    });
    for (const command of order === 'push first' ? [push, pull] : [pull, push])
      expect(await command(client, root)).not.toContain(`article ${article_id} conflict`);
    const article = await client.readArticle(article_id);
    expect(article.tags).toEqual(['zero', 'one', 'three']);
    expect(article.body?.replaceAll('\n', '')).toBe(
      toHtml(['First paragraph of the folder.', 'Second paragraph.', 'Third paragraph of the service.'], '') +
        frame,
    );
    expect(readFileSync(name, 'utf8')).toMatch(/of the folder[\s\S]*Second[\s\S]*of the service[\s\S]*$/);
    expect([await pull(client, root), await push(client, root)]).toEqual([[], []]);

    edit('Second paragraph.', 'Second, ours.');
    await client.updateArticle(article_id, {
      body: article.body?.replace('Second paragraph.', 'Second, theirs.'),
    });
    await expect(push(client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    const target = { root, baseUrl: 'https://kb/v1', defaultLanguage: 'en', toForm };
    const show = async () => formatPlan((await compareSides(client, target)).entries, 'service');
    expect(await show()).toMatch(
      /folder:[\s\S]*Second paragraph\.[\s\S]*Second, ours\.[\s\S]*service:[\s\S]*Second paragraph\.[\s\S]*Second, theirs\./,
    );
    // Compares folder with service, because the agreed values are unknown.
    rmSync(join(root, '.lectern-base.gz'));
    const unknown = await show();
    expect(unknown).toMatch(/body: ?[\s\S]*Second, theirs\.[\s\S]*Second, ours\./);
    expect(unknown).not.toContain('service:');
  });

  const paragraphs = toHtml(page, '\n\n');
  const image = '<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="dot"></p>\n\n';
  /** Both edit a body, the folder its first paragraph; returns the output of the push and the resulting body of the service. */
  const pushOver = async (before: string, theirs: string, toFile = (text: string) => text) => {
    const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
    const article_id = 'aaaaaaaaaa';
    await client.createArticle({ article_id, title: 'A', body: before });
    const root = join(makeFolder(), 'kb');
    await pull(client, root);
    const name = join(root, file, 'en.md');
    writeFileSync(name, toFile(readFileSync(name, 'utf8').replace('First', 'Our first')));
    await client.updateArticle(article_id, { body: theirs });
    const code = await push(client, root).then(
      () => null,
      (error: { readonly code: string }) => error.code,
    );
    return { code, body: (await client.readArticle(article_id)).body };
  };

  it.each([
    ['a comment', '<!-- legal --><p>Fourth'],
    ['attributes', '<p class="step-hint" data-widget="pricing">Fourth'],
    ['an element', '<p><x-draft></x-draft>Fourth'],
  ])('is a conflict if the service added %s, which the Markdown does not show', async (_what, markup) => {
    const theirs = paragraphs.replace('<p>Fourth', markup);
    expect(await pushOver(paragraphs, theirs)).toEqual({ code: 'CONFLICT', body: theirs });
    const more = theirs.replace('Third', 'Their third');
    expect(await pushOver(paragraphs, more)).toEqual({ code: 'CONFLICT', body: more });
  });

  it.each([
    ['attributes that it had before', paragraphs.replace('<p>Fourth', '<p class="step-hint">Fourth')],
    ['an image that it had before', image + paragraphs],
  ])('is merged though it has %s', async (_what, before) => {
    const { code, body } = await pushOver(before, before.replace('Third', 'Their third'));
    expect([code, body]).toEqual([null, expect.stringMatching(/Our first[\s\S]*Their third/)]);
  });

  it('is replaced as a whole by the side that wins a conflict, with paragraphs that only the other side edited', async () => {
    const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
    await client.createArticle({ article_id: 'aaaaaaaaaa', title: 'A', body: paragraphs });
    const root = join(makeFolder(), 'kb');
    await pull(client, root);
    const name = join(root, file, 'en.md');
    writeFileSync(name, readFileSync(name, 'utf8').replace('First', 'Our first'));
    const theirs = paragraphs.replace('First', 'Their first').replace('Third', 'Their third');
    await client.updateArticle('aaaaaaaaaa', { body: theirs, tags: ['theirs'] });
    await push(client, root, { deletes: false, ours: true });
    const { body, tags } = await client.readArticle('aaaaaaaaaa');
    expect(body?.match(/\w+ first|\w+ third|Third/gi)).toEqual(['Our first', 'Third']);
    expect(tags).toEqual(['theirs']);
  });

  it('is a conflict if the service added an image', async () => {
    expect((await pushOver(paragraphs, paragraphs + image)).code).toBe('CONFLICT');
  });

  it('is merged with a file of other line ends', async () => {
    const theirs = paragraphs.replace('Third', 'Their third');
    const { code, body } = await pushOver(paragraphs, theirs, (text) => text.replaceAll('\n', '\r\n'));
    expect([code, body]).toEqual([null, expect.stringMatching(/Our first[\s\S]*Their third/)]);
  });

  it('is a conflict if one side opens a code block in a list', () => {
    const before = ['- a\n', '- b\n', '- c\n', '- d\n'];
    const [, ...rest] = before;
    const edited = ['- a\n', '- b\n', '- c\n', '- e\n'];
    for (const opened of ['- ```\n', '1. ```\n', '> * ~~~\n'])
      expect(mergePieces(before, [opened, ...rest], edited)).toBeNull();
    expect(mergePieces(before, ['- x\n', ...rest], edited)).toBe('- x\n- b\n- c\n- e\n');
  });

  it('ignores a text that does not match its hash', () => {
    const root = makeFolder();
    const articles = { a: { service: { '': { body: 'hashhashhash' } } } };
    const texts: Values = new Map([['hashhashhash', '{"x']]);
    writeState(root, { version: 2, baseUrl: 'https://kb', accountId: '', articles, categories: {}, texts });
    expect(readState(root, 'https://kb', '').texts.size).toBe(0);
  });

  it('keeps no text that is too long, and reads a state without texts', () => {
    const root = makeFolder();
    const texts: Values = new Map();
    const of = (body: string) => hashFieldsOf(toComparable({ '': { body } }), texts);
    const [short, long] = [of('x'.repeat(1000)), of('y'.repeat(1_000_001))];
    const [shortHash, longHash] = [short, long].map((one) => one['']?.body ?? '');
    texts.set('unused', '"z"');
    const articles = { a: { service: short }, b: { service: long } };
    writeState(root, { version: 2, baseUrl: 'https://kb', accountId: '', articles, categories: {}, texts });
    const read = () => readState(root, 'https://kb', '');
    expect(read().articles).toEqual(articles);
    expect([...read().texts.keys()]).toEqual([shortHash]);
    expect(longHash).toHaveLength(12);
    writeFileSync(join(root, '.lectern-base.gz'), 'damaged');
    expect([read().articles, read().texts.size]).toEqual([articles, 0]);
  });
});
