import { hash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ArticleUpdate } from '../../../src/api/article.ts';
import { connectDatabase, copyDatabase } from '../../../src/service/store/database.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite-store.ts';
import type { WrittenArticle } from '../../../src/service/store/store.ts';
import { makeFolder } from '../support/service.ts';

const program = new URL('../../../lib/service/store/sqlite-thread.js', import.meta.url).href;
const request = { limit: 10, includePrivate: true, includeDraft: true };

/** A store whose threads hang while the gate is there and they search for `slow`, and end when they search for `crash`. */
async function openStore() {
  const folder = makeFolder();
  const gate = join(folder, 'gate');
  const script = `
    import { existsSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const clock = new Int32Array(new SharedArrayBuffer(4));
    const stop = ({ task }) => {
      const text = task?.method === 'search' ? task.values[0].text : '';
      while (text === 'slow' && existsSync(${JSON.stringify(gate)})) Atomics.wait(clock, 0, 0, 5);
      if (text === 'crash') process.exit(7);
    };
    const on = parentPort.on.bind(parentPort);
    parentPort.on = (event, listen) => on(event, (value) => {
      if (event === 'message') stop(value);
      listen(value);
    });
    await import(${JSON.stringify(program)});`;
  const file = join(folder, 'kb.sqlite');
  const store = await openSqliteStore(file, {
    defaultLanguage: 'en',
    clock: Date.now,
    threadScript: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
  });
  onTestFinished(() => {
    rmSync(gate, { force: true });
    return store.close();
  });
  writeFileSync(gate, '');
  return { store, file, openGate: () => rmSync(gate) };
}

/** A written article as it is read: a long one is written as bytes. */
function withText(article: WrittenArticle | null) {
  return article && { ...article, json: Buffer.from(article.json as Uint8Array).toString() };
}

it('reads and writes of records are answered while searches occupy every thread that reads', async () => {
  const { store, openGate } = await openStore();
  const answers: string[] = [];
  const searches = Array.from({ length: 12 }, async () => {
    const found = await store.search({ text: 'slow', ...request });
    answers.push('search');
    return found;
  });
  const made = await store.createArticle({ title: 'Slow' });
  answers.push('write');
  const long = await store.createArticle({ title: 'Long', body: `<p>${'long '.repeat(50_000)}</p>` });
  answers.push('long body');
  expect(await store.readArticle(made?.articleId ?? '')).toEqual(made);
  expect(await store.readArticle(long?.articleId ?? '')).toEqual(withText(long));
  answers.push('reads');
  openGate();
  for (const { total } of await Promise.all(searches)) expect(total).toBe(1);
  expect(answers).toEqual(['write', 'long body', 'reads', ...searches.map(() => 'search')]);
});

it('a thread that ends fails what it was doing, and another takes its place', async () => {
  const { store, openGate } = await openStore();
  openGate();
  await store.createArticle({ title: 'Here' });
  const crashes = Array.from({ length: 6 }, () => store.search({ text: 'crash', ...request }));
  for (const crash of await Promise.allSettled(crashes)) {
    expect(crash).toMatchObject({
      status: 'rejected',
      reason: { message: 'a thread of the store ended with 7' },
    });
  }
  expect((await store.search({ text: 'here', ...request })).total).toBe(1);
  expect(await store.createArticle({ title: 'There' })).not.toBeNull();
});

it('long bodies in several languages are stored as they are, beside short ones that look like their placeholders', async () => {
  const { store } = await openStore();
  const longBody = (word: string) => `<p title="\\u00000">${`"${word}\\u00001" `.repeat(20_000)}</p>`;
  const bodies = ['\\u00000', longBody('größer'), '"\\u00001"', longBody('短'), null];
  const multilingual = bodies.map((body, index) => ({
    language_code: `de-x-n${index}`,
    title: 'Titel',
    body,
  }));
  const made = await store.createArticle({ title: 'Own', body: longBody('own') });
  const changed = await store.updateArticle(made?.articleId ?? '', { multilingual }, undefined);
  if (changed.outcome !== 'done') throw new Error(changed.outcome);
  const read = await store.readArticle(made?.articleId ?? '');
  expect(read).toEqual(withText(changed.record));
  const record = JSON.parse(read?.json ?? '');
  expect(record.body).toBe(longBody('own'));
  expect(record.multilingual.map(({ body }: { body: string | null }) => body)).toEqual(bodies);
  expect((await store.search({ ...request, text: 'größer' })).total).toBe(1);
});

it('a long body that is sent unchanged is not indexed again, but one of the same length is', async () => {
  const { store, file } = await openStore();
  const database = connectDatabase(file);
  onTestFinished(() => database.close());
  const readIndex = () =>
    hash('sha256', JSON.stringify(database.rows('SELECT id, block FROM search_index_data')));
  const own = `<p>${'größer "own" '.repeat(20_000)}</p>`;
  const german = `<p>${'lang '.repeat(30_000)}</p>`;
  const translate = (body: string) => [{ language_code: 'de', title: 'Titel', body }];
  const made = await store.createArticle({ title: 'Own', body: own, multilingual: translate(german) });
  const before = readIndex();
  const update = async (change: ArticleUpdate) => {
    const changed = await store.updateArticle(made?.articleId ?? '', change, undefined);
    if (changed.outcome !== 'done') throw new Error(changed.outcome);
    expect(changed.record.updatedAt > (made?.updatedAt ?? '')).toBe(true);
    // The thread that writes does not convert the bodies to JSON.
    expect(changed.record.json).toBeInstanceOf(Uint8Array);
    return JSON.parse(Buffer.from(changed.record.json as Uint8Array).toString());
  };
  const same = await update({ sort_order: 3, body: own, multilingual: translate(german) });
  expect(same).toMatchObject({ sort_order: 3, body: own, multilingual: [{ body: german }] });
  expect(readIndex()).toEqual(before);
  const other = german.replace('lang', 'kurz');
  expect(await update({ body: own, multilingual: translate(other) })).toMatchObject({
    body: own,
    multilingual: [{ body: other }],
  });
  expect((await store.search({ ...request, text: 'kurz' })).total).toBe(1);
});

it('a long body is copied from the log into the file by the thread that reads bodies', async () => {
  const file = join(makeFolder(), 'kb.sqlite');
  const store = await openSqliteStore(file, { defaultLanguage: 'en', clock: Date.now });
  onTestFinished(() => store.close());
  const body = `<p>${'long '.repeat(200_000)}</p>`;
  const sizeBefore = statSync(file).size;
  await store.createArticle({ title: 'First', body });
  // Its body is read after the first one was copied.
  await store.createArticle({ title: 'Second', body });
  expect(statSync(file).size - sizeBefore).toBeGreaterThan(body.length);
});

it('a long body that a later element of the same write replaces is not in the answer', async () => {
  const { store } = await openStore();
  const translate = (body: string) => ({ language_code: 'de', title: 'Titel', body });
  const multilingual = [translate(`<p>${'lang '.repeat(30_000)}</p>`), translate('<p>kurz</p>')];
  const made = await store.createArticle({ title: 'Own', multilingual });
  // Bytes would be part of memory that the writing thread shares with others.
  expect(made).toEqual(await store.readArticle(made?.articleId ?? ''));
});

it.runIf(process.platform === 'linux')('no thread maps the data file into memory', async () => {
  const { store: filled, file: original } = await openStore();
  await filled.createArticle({ title: 'Word' });
  const file = `${original}.copy`;
  // Without a log, from which pages are read otherwise.
  copyDatabase(original, file);
  const store = await openSqliteStore(file, { defaultLanguage: 'en', clock: Date.now });
  expect((await store.search({ ...request, text: 'word' })).total).toBe(1);
  // The system would end the process with SIGBUS if the file became shorter or its disk failed.
  const mapped = readFileSync('/proc/self/maps', 'utf8').split('\n');
  expect(mapped.filter((line) => line.endsWith(file))).toEqual([]);
  await store.close();
});
