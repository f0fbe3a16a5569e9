import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../service/support/service.ts';
import { runLectern } from '../support/lectern.ts';
import { runInTerminal } from '../support/terminal.ts';
import { describeWith } from '../support/tools.ts';

/** Runs a command against a service, with that service's key. */
const run = (service: TestService, argv: readonly string[], input = '', key = service.apiKey) =>
  runLectern(argv, { cwd: service.folder, env: { ...connectionTo(service), LECTERN_API_KEY: key }, input });

const connectionTo = ({ baseUrl, apiKey, caFile }: TestService) => ({
  LECTERN_BASE_URL: baseUrl,
  LECTERN_API_KEY: apiKey,
  NODE_EXTRA_CA_CERTS: caFile ?? '',
});

async function runJson(service: TestService, argv: readonly string[], input?: string) {
  const { code, stdout, stderr } = await run(service, argv, input);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('lectern push', () => {
  it('refuses a folder without a knowledge base', async () => {
    const service = await startTestService();
    mkdirSync(join(service.folder, 'empty'));
    const { code, stdout, stderr } = await run(service, ['push', 'empty']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('PATH_UNUSABLE: empty has no folder "articles" or "categories"');
  });
});

describe('lectern kb article', () => {
  it('creates, lists, reads, updates and deletes, with bodies from a file or stdin', async () => {
    const service = await startTestService();
    const translation = '{"multilingual":[{"language_code":"de","title":"Hallo"}]}';
    writeFileSync(join(service.folder, 'german.json'), translation);
    const created = await runJson(
      service,
      ['kb', 'article', 'create', '--input', '-', '--set', 'is_published=true', '--set', 'title=2026'],
      '{"title":"Overridden","tags":["a"],"body":"<p>Hi</p>"}',
    );
    expect(created).toMatchObject({
      title: '2026',
      tags: ['a'],
      body: '<p>Hi</p>',
      is_published: true,
    });
    const id = created.article_id;

    expect(await runJson(service, ['kb', 'article', 'list', '--tag', 'a'])).toMatchObject([
      { title: '2026', article_id: id },
    ]);
    const updated = await runJson(service, [
      'kb',
      'article',
      'update',
      id,
      '--input',
      'german.json',
      '--set',
      'tags=["b","c"]',
    ]);
    expect(updated).toMatchObject({
      title: '2026',
      tags: ['b', 'c'],
      multilingual: [{ language_code: 'de', title: 'Hallo' }],
    });
    expect(
      await runJson(service, ['kb', 'article', 'update', id, '--set', 'is_published=false']),
    ).toMatchObject({
      is_published: false,
    });
    for (const [set, error] of [
      ['titel=A', 'Unknown field "titel"\nhint: did you mean "title"?'],
      ['title', '--set title is no FIELD=VALUE'],
      ['is_published=maybe', 'is_published must be'],
      ['tags=b,c', 'tags must be'],
    ] as const) {
      const refused = await run(service, ['kb', 'article', 'update', id, '--set', set]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(error)]);
    }
    const former = await run(service, ['kb', 'article', 'update', id, '--title', 'A']);
    expect([former.code, former.stderr]).toEqual([2, expect.stringContaining('--set title=')]);
    const nothing = await run(service, ['kb', 'article', 'update', id]);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringContaining('error USAGE: No field to change is given'),
    ]);
    expect(await runJson(service, ['kb', 'article', 'get', id])).toMatchObject({ body: '<p>Hi</p>' });
    expect(await runJson(service, ['kb', 'article', 'delete', id])).toEqual({ deleted: id });
    expect(await runJson(service, ['kb', 'article', 'list'])).toEqual([]);
  });

  it('exits with 1 and quotes the service if a record does not exist', async () => {
    const service = await startTestService();
    const { code, stdout, stderr } = await run(service, ['kb', 'article', 'get', 'aaaaaaaaaa']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error NOT_FOUND');
    expect(stderr).toContain('There is no article aaaaaaaaaa.');
  });

  it('exits with 2 before anything is sent when the record is not valid or there is no key', async () => {
    const service = await startTestService();
    const untitled = await run(service, ['kb', 'article', 'create', '--set', 'tags=["a"]']);
    expect([untitled.code, untitled.stderr.includes('title')]).toEqual([2, true]);
    const noJson = await run(service, ['kb', 'article', 'create', '--input', '-'], 'oops');
    expect([noJson.code, noJson.stderr.includes('USAGE')]).toEqual([2, true]);
    const keyless = await run(service, ['kb', 'article', 'list'], '', '');
    expect([keyless.code, keyless.stderr.includes('LECTERN_API_KEY')]).toEqual([2, true]);
  });
});

describe('lectern kb category, search, stats and source', () => {
  it('reach every other operation', async () => {
    const service = await startTestService();
    const category = await runJson(service, [
      'kb',
      'category',
      'create',
      '--set',
      'title=Basics',
      '--set',
      'description=First steps',
    ]);
    const id = category.category_id;
    expect(
      await runJson(service, [
        'kb',
        'category',
        'update',
        id,
        '--set',
        'multilingual=[{"language_code":"fr","title":"Bases"}]',
      ]),
    ).toMatchObject({
      title: 'Basics',
      multilingual: [{ language_code: 'fr', title: 'Bases' }],
    });
    expect(await runJson(service, ['kb', 'category', 'get', id])).toMatchObject({
      description: 'First steps',
    });
    expect(await runJson(service, ['kb', 'category', 'list'])).toMatchObject([{ title: 'Basics' }]);

    const article = {
      title: 'Hello world',
      body: '<p>Words</p>',
      is_published: true,
      article_id: 'aaaaaaaaaa',
      category_id: id,
    };
    await service.call('/article', { method: 'POST', body: article });
    await service.call('/stats/article/aaaaaaaaaa', { method: 'POST', body: { count: 3 } });
    expect(await runJson(service, ['kb', 'search', 'hello'])).toMatchObject({
      articles: [{ title: 'Hello world' }],
      ...{ totalHits: 1, query: 'hello' },
    });
    expect(await runJson(service, ['kb', 'stats', 'articles', '--limit', '1'])).toEqual([
      { article_id: 'aaaaaaaaaa', count: 3, title: 'Hello world' },
    ]);
    expect(await runJson(service, ['kb', 'source'])).toMatchObject({
      articles: [{ title: 'Hello world', text: 'Words' }],
    });
  });
});

describe('lectern service keys', () => {
  it('does not create a data file, also not for a key that the service would refuse', async () => {
    const service = await startTestService();
    for (const argv of [['create', 'reader'], ['list'], ['revoke', 'k4fq8d7s9x']]) {
      const { code, stdout, stderr } = await run(service, [
        'service',
        'keys',
        ...argv,
        '--data',
        'typo.sqlite',
      ]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('DATA_UNUSABLE: the file typo.sqlite does not exist');
      expect(stderr).toContain('pass the same --data as to lectern serve');
    }
    expect(readdirSync(service.folder)).not.toContain('typo.sqlite');
  });

  it('creates a key that works, lists it without secrets, and revokes it', async () => {
    const service = await startTestService();
    const data = ['--data', join(service.folder, 'kb.sqlite')];
    const { key, keyId } = await runJson(service, ['service', 'keys', 'create', 'reader', ...data]);
    for (const [name, why] of [
      ['', 'The argument <name> is empty'],
      [' ', 'must have 1 to 200 characters'],
      ['x'.repeat(201), 'must have 1 to 200 characters'],
    ] as const) {
      const { code, stderr } = await run(service, ['service', 'keys', 'create', name, ...data]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    expect((await service.call('/article', { key })).status).toBe(200);
    const { stdout } = await run(service, ['service', 'keys', 'list', ...data]);
    expect(JSON.parse(stdout).keys).toMatchObject([
      { keyId, name: 'reader', access: 'read', revokedAt: null },
    ]);
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain('hash');
    await runJson(service, ['service', 'keys', 'revoke', keyId, ...data]);
    expect((await service.call('/article', { key })).status).toBe(401);
    const unknown = await run(service, ['service', 'keys', 'revoke', keyId, ...data]);
    expect([unknown.code, unknown.stderr.includes('USAGE')]).toEqual([1, true]);
  });
});

describe('lectern pull and push', () => {
  it('shows a plan like a diff, and carries it out unless it is a dry run', async () => {
    const service = await startTestService();
    await service.call('/article', {
      method: 'POST',
      body: { article_id: 'aaaaaaaaaa', title: 'Old', body: '<p>1</p>\n<p>2</p>' },
    });
    const dry = await run(service, ['pull', 'kb', '--dry-run']);
    expect([dry.code, dry.stdout, dry.stderr]).toEqual([
      0,
      '+ article aaaaaaaaaa "Old"\n',
      '1 record would be written\n',
    ]);
    const added = { change: 'added', kind: 'article', id: 'aaaaaaaaaa', folder: null, title: 'Old' };
    const planOf = async (command: string) =>
      JSON.parse((await run(service, [command, 'kb', '--dry-run', '--json'])).stdout) as unknown;
    expect(await planOf('pull')).toEqual([added]);
    expect(readdirSync(service.folder)).not.toContain('kb');
    await run(service, ['pull', 'kb']);

    const file = join(service.folder, 'kb/articles/aaaaaaaaaa-old/en.md');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('title: Old', 'title: New').replace('\n2\n', '\n3\n'),
    );
    mkdirSync(join(service.folder, 'kb/articles/more'));
    writeFileSync(join(service.folder, 'kb/articles/more/en.md'), '---\ntitle: More\n---\n');
    const plan = await run(service, ['push', 'kb', '--dry-run']);
    expect(plan.stdout).toMatchInlineSnapshot(`
      "~ article aaaaaaaaaa articles/aaaaaaaaaa-old "New"
          title: "Old" → "New"
          body:
            - <p>2</p>
            + <p>3</p>
      + article (new) articles/more "More"
      "
    `);
    expect(await planOf('push')).toMatchObject([
      { change: 'changed', id: 'aaaaaaaaaa', title: 'New' },
      { change: 'added', id: null, folder: 'articles/more', title: 'More' },
    ]);
    expect((await service.call('/article/aaaaaaaaaa')).json.article.title).toBe('Old');
    const pushed = await run(service, ['push', 'kb']);
    expect([pushed.code, pushed.stdout]).toEqual([0, plan.stdout]);
    expect((await service.call('/article/aaaaaaaaaa')).json.article).toMatchObject({
      title: 'New',
      body: '<p>1</p>\n<p>3</p>',
    });
    expect((await run(service, ['push', 'kb'])).stdout).toBe('');
  });

  it('name every page outside the folder of a record; a push refuses one with front matter', async () => {
    const service = await startTestService();
    await service.call('/article', { method: 'POST', body: { article_id: 'aaaaaaaaaa', title: 'Old' } });
    await run(service, ['pull', 'kb']);
    const write = (path: string, content: string) => writeFileSync(join(service.folder, 'kb', path), content);
    mkdirSync(join(service.folder, 'kb/drafts'));
    mkdirSync(join(service.folder, 'kb/articles/aaaaaaaaaa-old/old'));
    write('notes.md', 'Ask Ann.\n');
    write('README.md', '# Our help centre\n');
    write('articles/aaaaaaaaaa-old/old/en.md', 'An old state.\n');
    write('articles/aaaaaaaaaa-old/de.mdx', 'Hallo.\n');
    const warned = await run(service, ['push', 'kb']);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toMatchInlineSnapshot(`
      "warning: articles/aaaaaaaaaa-old/de.mdx is ignored: an article is a file such as articles/my-article/en.md: a folder for the article, a file for its language
      warning: articles/aaaaaaaaaa-old/old/en.md is ignored: an article is a file such as articles/my-article/en.md: a folder for the article, a file for its language
      warning: notes.md is ignored: an article is a file such as articles/my-article/en.md: a folder for the article, a file for its language
      0 records changed
      "
    `);
    for (const path of ['new.md', 'drafts/new.md', 'articles/new.md'])
      write(path, '---\ntitle: New\n---\n\nHello\n');
    const refused = await run(service, ['push', 'kb']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(
      refused.stderr,
    ).toContain(`error PATH_UNUSABLE: articles/new.md: the file is not in the folder of a record
  drafts/new.md: the file is not in the folder of a record
  new.md: the file is not in the folder of a record
hint: nothing was sent; move the file: an article is`);
    const pulled = await run(service, ['pull', 'kb']);
    expect([pulled.code, pulled.stderr.match(/is ignored/g)?.length]).toEqual([0, 6]);
  });

  it('exits with 2 when there is no folder to push', async () => {
    const { code, stderr } = await run(await startTestService(), ['push', 'nothing']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error PATH_UNUSABLE: the folder nothing does not exist\nhint: .*lectern pull nothing\n$/,
    );
  });

  it('exits with 1 at a conflict', async () => {
    const service = await startTestService();
    await service.call('/article', { method: 'POST', body: { article_id: 'aaaaaaaaaa', title: 'Old' } });
    await run(service, ['pull', 'kb']);
    const file = join(service.folder, 'kb/articles/aaaaaaaaaa-old/en.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('title: Old', 'title: Mine'));
    await service.call('/article/aaaaaaaaaa', { method: 'PATCH', body: { title: 'Theirs' } });
    const dry = await run(service, ['push', 'kb', '--dry-run']);
    expect([dry.code, dry.stderr.split(':', 1)]).toEqual([1, ['error CONFLICT']]);
    const { code, stderr } = await run(service, ['push', 'kb']);
    expect([
      code,
      stderr.includes('error CONFLICT: the folder and the service both changed article aaaaaaaaaa'),
    ]).toEqual([1, true]);
  });
});

describeWith('python', 'lectern kb in a terminal', (python) => {
  it('shows tables that fit, and JSON with --json or in a pipe, for every command', async () => {
    const service = await startTestService();
    const titles = [
      'Refunds',
      '返金についてのよくある質問と回答をまとめたとても長い題名のページです',
      'A long title '.repeat(9),
    ];
    for (const [at, title] of titles.entries()) {
      const body = {
        article_id: `aaaaaaaaa${at}`,
        title,
        body: '<p>Locker</p>\n<p>Door</p>',
        is_published: true,
      };
      await service.call('/article', { method: 'POST', body });
    }
    await service.call('/category', {
      method: 'POST',
      body: { category_id: 'ccccccccc1', title: 'Billing' },
    });
    const terminal = { cwd: service.folder, env: connectionTo(service), columns: 80 };
    const show = async (...argv: string[]) => (await runLectern(['kb', ...argv], terminal)).stdout;
    const columnsOf = (line: string) => [...line].reduce((sum, one) => sum + (one > '\u2e80' ? 2 : 1), 0);
    const commands = [
      ['article', 'list'],
      ['article', 'get', 'aaaaaaaaa0'],
      ['category', 'list'],
      ['category', 'get', 'ccccccccc1'],
      ['search', 'locker'],
      ['source'],
      ['stats', 'articles'],
      ['stats', 'searches'],
      ['stats', 'feedback'],
    ];
    for (const command of commands) {
      const [shown, json, piped] = [
        await show(...command),
        await show(...command, '--json'),
        await run(service, ['kb', ...command]),
      ];
      expect(shown, command.join(' ')).not.toMatch(/^[[{]/);
      expect(JSON.parse(json), command.join(' ')).toEqual(JSON.parse(piped.stdout));
      expect(piped.stdout).not.toContain('\u001b');
    }
    expect(await show('article', 'update', 'aaaaaaaaa0', '--set', 'tags=["a"]')).toMatch(/^tags +a$/m);
    const list = await show('article', 'list');
    expect(await runInTerminal(python, ['kb', 'article', 'list'], terminal)).toBe(list);
    const ids = list.split('\n').map((line) => line.slice(0, 10));
    expect(ids.sort()).toEqual(['', 'ARTICLE ID', ...titles.map((_, at) => `aaaaaaaaa${at}`)]);
    for (const line of `${list}${await show('search', 'locker')}${await show('source')}`.split('\n'))
      expect(columnsOf(line), line).toBeLessThanOrEqual(80);
    expect(list).toMatch(/返金.*…/);
    expect(await show('search', 'nothing')).toBe('There are no records.\n');
  });
});
