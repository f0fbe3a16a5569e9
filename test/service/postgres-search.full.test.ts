import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../src/service/store/store.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';
import { openTestStore } from './support/service.ts';

describeWith('postgres', 'a search in PostgreSQL', (program) => {
  let server: PostgresServer;
  beforeAll(() => {
    server = startPostgres(program, '-c fsync=off');
  });
  afterAll(() => server.remove());

  async function find(store: Store | undefined, text: string): Promise<readonly string[]> {
    const scope = { include_draft: true, include_private: true };
    const result = await store?.search({ query: text, limit: 1000, ...scope });
    return (result?.hits ?? []).map(({ title }) => title).sort();
  }

  it('finds on every replica what any of them has acknowledged, while both write', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all([openTestStore(url), openTestStore(url)]);
    const kept: string[] = [];
    const write = async (writer: number) => {
      for (let step = 0; step < 12; step += 1) {
        const [here, there] = (writer + step) % 2 === 0 ? stores : [...stores].reverse();
        const word = `word${writer}x${step}x`;
        const id = (await here?.createArticle({ title: word, is_published: true }))?.articleId ?? '';
        expect(await find(there, word)).toEqual([word]);
        await there?.updateArticle(id, { title: `new${word}` }, undefined);
        expect([await find(here, word), await find(here, `new${word}`)]).toEqual([[], [`new${word}`]]);
        if (step % 3 === 0) {
          await here?.deleteArticle(id, undefined);
          expect(await find(there, `new${word}`)).toEqual([]);
        } else kept.push(`new${word}`);
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    for (const store of stores) expect(await find(store, 'newword')).toEqual(kept.sort());
  });

  it('finds everything again in a database whose index was made by other rules', async () => {
    const url = await server.createDatabase();
    const first = await openTestStore(url);
    await first.createArticle({ title: 'Word 1' });
    server.query(
      url,
      "DELETE FROM search_index; UPDATE setting SET value = '1' WHERE name = 'index_version'",
    );
    expect(await find(first, 'word')).toEqual([]);
    const again = await openTestStore(url);
    expect(await find(again, 'word')).toEqual(['Word 1']);
    expect(await again.revision()).toBe('2');
  });

  it('works at once in a replica that has just started, which keeps no files', async () => {
    const folder = temporaryFolder();
    const url = await server.createDatabase();
    const first = await openTestStore(url);
    for (let n = 0; n < 50; n += 1) await first.createArticle({ title: `Word ${n}` });
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const second = await openTestStore(url);
    await second.checkReady();
    expect(await find(second, 'word')).toHaveLength(50);
    expect(readdirSync(folder)).toEqual([]);
  });
});
