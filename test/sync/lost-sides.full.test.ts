import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/output/lock.ts';
import type { Client } from '../../src/source/api/client-types.ts';
import { startTestService, type TestService } from '../service/support/service.ts';
import { page, writeTree } from '../support/folder-layouts.ts';
import { runLectern, runLecternProcess } from '../support/lectern.ts';
import { clientOf, readFiles } from './support.ts';

const titles = ['One', 'Two', 'Three', 'Four'];
const multilingual = [{ language_code: 'de', title: 'Deutsch', body: '<p>Deutsch</p>' }];

async function startPulled() {
  const service = await startTestService();
  const client = clientOf(service);
  const ids: string[] = [];
  for (const title of titles)
    ids.push((await client.createArticle({ title, body: `<p>${title}</p>`, multilingual })).article_id);
  expect(await run(service, 'pull', 'kb')).toMatchObject({ code: 0 });
  return { service, client, ids, root: join(service.folder, 'kb') };
}

function optionsOf({ folder, baseUrl, apiKey, caFile }: TestService) {
  const env = { LECTERN_BASE_URL: baseUrl, LECTERN_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: caFile ?? '' };
  return { cwd: folder, env };
}

function run(service: TestService, ...argv: readonly string[]) {
  return runLectern(argv, optionsOf(service));
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
    expect(Object.keys(readFiles(root)).filter((path) => path.endsWith('en.md'))).toHaveLength(
      titles.length - 1,
    );
  });
});

describe('a language that most articles would lose', () => {
  const message = 'error MASS_DELETE: 1 article in de, down from 4';
  const languages = async (client: Client) =>
    (await client.listArticles()).filter((one) => one.multilingual.length > 0).length;

  it('stays in the service if its files are gone, unless the user says so', async () => {
    const { service, client, root } = await startPulled();
    const files = Object.keys(readFiles(root)).filter((path) => path.endsWith('/de.md'));
    rmSync(join(root, files[0] ?? ''));
    expect(await run(service, 'push', 'kb')).toMatchObject({ code: 0 });
    expect(await languages(client)).toBe(3);
    for (const path of files.slice(1, 3)) rmSync(join(root, path));
    const refused = await run(service, 'push', 'kb');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('error MASS_DELETE: 1 article in de, down from 3 at the service'),
    ]);
    expect(await languages(client)).toBe(3);
    expect(await run(service, 'push', 'kb', '--allow-mass-delete')).toMatchObject({ code: 0 });
    expect(await languages(client)).toBe(1);
  });

  it('stays in the folder if the service lost it, unless the user says so', async () => {
    const { service, client, ids, root } = await startPulled();
    const files = readFiles(root);
    for (const id of ids.slice(1))
      await client.updateArticle(id, { multilingual: [{ language_code: 'de', is_deleted: true }] });
    const refused = await run(service, 'pull', 'kb');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`${message} in the folder`)]);
    expect(readFiles(root)).toEqual(files);
    expect(await run(service, 'pull', 'kb', '--allow-mass-delete')).toMatchObject({ code: 0 });
    expect(Object.keys(readFiles(root)).filter((path) => path.endsWith('/de.md'))).toHaveLength(1);
  });
});

describe('a state that is not JSON', () => {
  it.each([
    [
      'with the marks of a merge conflict',
      (state: string) => state.replace('  "articles"', '<<<<<<< HEAD\n=======\n>>>>>>> main\n  "articles"'),
    ],
    ['that is empty, as after a full disk', () => ''],
  ])(
    '%s is not taken for none: a push would create again what was deleted in the service',
    async (_what, damage) => {
      const { service, client, ids, root } = await startPulled();
      await client.deleteArticle(ids[0] ?? '');
      const file = join(root, '.lectern-sync.json');
      const state = readFileSync(file, 'utf8');
      writeFileSync(file, damage(state));
      for (const command of ['push', 'pull']) {
        const refused = await run(service, command, 'kb');
        expect([refused.code, refused.stderr]).toEqual([
          1,
          expect.stringMatching(
            /error PATH_UNUSABLE: .*\.lectern-sync\.json is not JSON[\s\S]*or delete it: then/,
          ),
        ]);
      }
      expect(await client.listArticles()).toHaveLength(titles.length - 1);
      writeFileSync(file, state);
      expect(await run(service, 'pull', 'kb')).toMatchObject({ code: 0 });
    },
  );
});

describe('two pushes of a folder at once', () => {
  it('create every new record once', async () => {
    const { service, client, root } = await startPulled();
    const added = Array.from({ length: 30 }, (_, at) => `New ${at}`);
    writeTree(
      root,
      Object.fromEntries(added.map((title, at) => [`articles/new-${at}/en.md`, page(`title: ${title}`, '')])),
    );
    const push = () => runLecternProcess(['push', 'kb'], optionsOf(service));
    const results = await Promise.all([push(), push()]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const found = (await client.listArticles()).map(({ title }) => title);
    expect(found.sort()).toEqual([...titles, ...added].sort());
    expect(readdirSync(root).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('do not keep a dry run waiting', async () => {
    const { service, root } = await startPulled();
    const lock = await acquireLock(join(root, '.lectern-sync.json.lock'), { folder: root });
    expect(await run(service, 'push', 'kb', '--dry-run')).toMatchObject({ code: 0 });
    lock.release();
  });
});

describe('a file with a merge conflict', () => {
  it('is not pushed, unless it is code or the service has the same text', async () => {
    const { service, client, ids, root } = await startPulled();
    const [id = '', other = ''] = ids;
    const text = '<p>&lt;&lt;&lt;&lt;&lt;&lt;&lt; HEAD</p>';
    await client.updateArticle(other, { body: text });
    for (const command of ['pull', 'push'])
      expect(await run(service, command, 'kb')).toMatchObject({ code: 0 });
    const path = Object.keys(readFiles(root)).find((one) => one.includes(id) && one.endsWith('en.md')) ?? '';
    const file = readFileSync(join(root, path), 'utf8');
    const conflict = '<<<<<<< HEAD\nOne\n=======\nUno\n>>>>>>> main';
    writeFileSync(join(root, path), file.replace('\nOne\n', `\n${conflict}\n`));
    for (const more of [[], ['--dry-run']]) {
      const refused = await run(service, 'push', 'kb', ...more);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`error PATH_UNUSABLE: ${path}: a line begins with <<<<<<<`),
      ]);
    }
    expect(await client.readArticle(id)).toMatchObject({ body: '<p>One</p>' });
    writeFileSync(join(root, path), file.replace('\nOne\n', `\n\`\`\`\n${conflict}\n\`\`\`\n`));
    expect(await run(service, 'push', 'kb')).toMatchObject({ code: 0 });
    expect((await client.readArticle(id)).body).toContain('&lt;&lt;&lt;');
    expect((await client.readArticle(other)).body).toBe(text);
  });
});
