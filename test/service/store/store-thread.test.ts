import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../src/service/store/database.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = new URL('../../../lib/service/store/store-worker.js', import.meta.url).href;
const request = { limit: 10, include_private: true, include_draft: true };

/** A store whose thread hangs while the gate is there and it searches for `slow`, and ends when it searches for `crash`. */
async function openStore() {
  const folder = temporaryFolder();
  const gate = join(folder, 'gate');
  const script = `
    import { existsSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const clock = new Int32Array(new SharedArrayBuffer(4));
    const stop = ({ call }) => {
      const text = call?.method === 'search' ? call.values[0].query : '';
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

it('records are read while searches wait for the thread, and a write does not wait for all of them', async () => {
  const { store, openGate } = await openStore();
  const answers: string[] = [];
  const made = await store.createArticle({ title: 'Slow' });
  const searches = Array.from({ length: 6 }, async () => {
    const found = await store.search({ query: 'slow', ...request });
    answers.push('search');
    return found;
  });
  const written = store.createArticle({ title: 'Later', body: `<p>${'long '.repeat(50_000)}</p>` });
  void written.then(() => answers.push('write'));
  const page = { includeBody: true, after: 0, skip: 0, limit: 10 };
  expect(await store.readArticle(made?.articleId ?? '')).toEqual(made);
  expect(await store.listArticles({}, page)).toEqual([made]);
  answers.push('reads');
  openGate();
  for (const { total } of await Promise.all(searches)) expect(total).toBe(1);
  expect(await store.readArticle((await written)?.articleId ?? '')).toEqual(await written);
  expect(answers.indexOf('reads')).toBe(0);
  expect(answers.indexOf('write')).toBeLessThan(4);
});

it('a thread that ends fails what it was doing, and another takes its place', async () => {
  const { store, openGate } = await openStore();
  openGate();
  await store.createArticle({ title: 'Here' });
  const crashes = Array.from({ length: 3 }, () => store.search({ query: 'crash', ...request }));
  for (const crash of await Promise.allSettled(crashes)) {
    expect(crash).toMatchObject({
      status: 'rejected',
      reason: { message: 'a thread ended with 7' },
    });
  }
  expect((await store.search({ query: 'here', ...request })).total).toBe(1);
  expect(await store.createArticle({ title: 'There' })).not.toBeNull();
});

it.runIf(process.platform === 'linux')('no thread maps the data file into memory', async () => {
  const { store: filled, file: original } = await openStore();
  await filled.createArticle({ title: 'Word' });
  const file = `${original}.copy`;
  // Without a log, from which pages are read otherwise.
  copyDatabase(original, file);
  const store = await openSqliteStore(file, { defaultLanguage: 'en', clock: Date.now });
  expect((await store.search({ ...request, query: 'word' })).total).toBe(1);
  // The system would end the process with SIGBUS if the file became shorter or its disk failed.
  const mapped = readFileSync('/proc/self/maps', 'utf8').split('\n');
  expect(mapped.filter((line) => line.endsWith(file))).toEqual([]);
  await store.close();
});
