import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../service/support/service.ts';
import { runLectern } from '../support/lectern.ts';
import { clientOf, readFiles } from './support.ts';

const titles = ['One', 'Two', 'Three', 'Four'];

async function startPulled() {
  const service = await startTestService();
  const client = clientOf(service);
  const ids: string[] = [];
  for (const title of titles)
    ids.push((await client.createArticle({ title, body: `<p>${title}</p>` })).article_id);
  expect(await run(service, 'pull', 'kb')).toMatchObject({ code: 0 });
  return { service, client, ids, root: join(service.folder, 'kb') };
}

function run({ folder, baseUrl, apiKey, caFile }: TestService, ...argv: readonly string[]) {
  const env = { LECTERN_BASE_URL: baseUrl, LECTERN_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: caFile ?? '' };
  return runLectern(argv, { cwd: folder, env });
}

describe('a service that lost its articles', () => {
  it('does not take those of the folder along, unless the user says so', async () => {
    const { service, client, ids, root } = await startPulled();
    const files = readFiles(root);
    for (const id of ids) await client.deleteArticle(id);
    const refused = await run(service, 'pull', 'kb');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('error MASS_DELETE: 0 articles, down from 4 in the folder'),
    ]);
    expect(readFiles(root)).toEqual(files);
    expect(await run(service, 'pull', 'kb', '--allow-mass-delete')).toMatchObject({ code: 0 });
    expect(readFiles(root)).toEqual({});
  });

  it('may have lost one', async () => {
    const { service, client, ids, root } = await startPulled();
    await client.deleteArticle(ids[0] ?? '');
    expect(await run(service, 'pull', 'kb')).toMatchObject({ code: 0 });
    expect(Object.keys(readFiles(root)).filter((path) => path.endsWith('.md'))).toHaveLength(
      titles.length - 1,
    );
  });
});

describe('a state with the marks of a merge conflict', () => {
  it('is not taken for none: a push would create again what was deleted in the service', async () => {
    const { service, client, ids, root } = await startPulled();
    await client.deleteArticle(ids[0] ?? '');
    const file = join(root, '.lectern-sync.json');
    const state = readFileSync(file, 'utf8');
    writeFileSync(file, state.replace('  "articles"', '<<<<<<< HEAD\n=======\n>>>>>>> main\n  "articles"'));
    for (const command of ['push', 'pull']) {
      const refused = await run(service, command, 'kb');
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/error PATH_UNUSABLE: .*\.lectern-sync\.json is not JSON/),
      ]);
    }
    expect(await client.listArticles()).toHaveLength(titles.length - 1);
    writeFileSync(file, state);
    expect(await run(service, 'pull', 'kb')).toMatchObject({ code: 0 });
  });
});
