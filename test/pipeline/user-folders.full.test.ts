import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listRunSecrets } from '../../src/core/run-secrets.ts';
import { readFileIn } from '../../src/core/user-folder.ts';
import { listPublicFiles } from '../../src/site/pages/public-files.ts';
import { png } from '../site/media/images.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

const secret = 'TOP-SECRET-4711';
let project: OfflineProject;

beforeEach(async () => {
  project = createOfflineProject();
  const texts = { en: { title: 'A', body: '<p>Text.</p>' } };
  await project.write([{ id: 'article000', categoryId: null, texts }], []);
  write('outside/secret.txt', secret);
  write('public/own.txt', 'own');
});

const write = (path: string, text: string | Uint8Array) => writeTree(project.folder, { [path]: text });

async function link(target: string, path: string): Promise<void> {
  const file = join(project.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await symlink(target, file);
}

const inProject = (path: string): string => join(project.folder, path);

/** Paths of the output whose content contains the secret. */
async function leaks(): Promise<readonly string[]> {
  const tree = await readTree(project.out);
  return [...tree].filter(([, bytes]) => bytes.includes(secret)).map(([path]) => path);
}

describe('a link out of a folder of the user', () => {
  const cases: readonly (readonly [
    what: string,
    prepare: () => Promise<void>,
    reported: readonly string[],
  ])[] = [
    [
      'an absolute link to a file',
      () => link(inProject('outside/secret.txt'), 'public/a.txt'),
      ['public/a.txt'],
    ],
    ['a relative link to a file', () => link('../outside/secret.txt', 'public/a.txt'), ['public/a.txt']],
    ['a link to a folder', () => link('../outside', 'public/a'), ['public/a']],
    [
      'a link to a link',
      async () => {
        await link('../outside/secret.txt', 'elsewhere/b');
        await link('../elsewhere/b', 'public/a.txt');
      },
      ['public/a.txt'],
    ],
    [
      'a link in a linked folder inside',
      async () => {
        await link('../../outside/secret.txt', 'public/x/deep.txt');
        await link('x', 'public/y');
      },
      ['public/x/deep.txt', 'public/y/deep.txt'],
    ],
    [
      'a folder whose name only begins like the folder',
      async () => {
        write('public-private/secret.txt', secret);
        await link('../public-private/secret.txt', 'public/a.txt');
      },
      ['public/a.txt'],
    ],
    [
      'an asset of the templates',
      () => link('../../outside/secret.txt', 'templates/assets/a.txt'),
      ['templates/assets/a.txt'],
    ],
    [
      'a part of the style sheet',
      () => link('../../../outside/secret.txt', 'templates/assets/css/base.css'),
      ['templates/assets/css/base.css'],
    ],
    ['the folder of the assets', () => link('../outside', 'templates/assets'), ['templates/assets']],
    [
      'a template',
      () => link('../../outside/secret.txt', 'templates/hooks/article-after.eta'),
      ['templates/hooks/article-after.eta'],
    ],
    [
      'texts',
      async () => {
        write('outside/en.json', JSON.stringify({ home: secret }));
        await link('../../outside/en.json', 'templates/locales/en.json');
      },
      ['templates/locales/en.json'],
    ],
  ];

  it.each(cases)('is not followed, and is an error of the report: %s', async (_what, prepare, paths) => {
    await prepare();
    const report = await project.build();
    expect(await leaks()).toEqual([]);
    expect(report.problems).toMatchObject(
      paths.map((path) => ({
        code: 'FILE_OUTSIDE',
        severity: 'error',
        message: expect.stringContaining(`${path} is a link that leads out of`),
      })),
    );
    expect(await readFile(join(project.out, 'own.txt'), 'utf8')).toBe('own');
    await expect(project.build({ site: { title: 'Other' } }, { strict: true })).rejects.toMatchObject({
      code: 'STRICT',
      exitCode: 1,
    });
  });

  it('is still an error if nothing else changed', async () => {
    await link('../outside', 'public/a');
    await project.build();
    const second = await project.build();
    expect(second.renderedPages).toBe(0);
    expect(second.problems).toMatchObject([{ code: 'FILE_OUTSIDE' }]);
  });

  it.each(['public', 'templates'])('stops the run if the folder itself is the link: %s', async (name) => {
    await rm(inProject('public'), { recursive: true });
    const outside = createOfflineProject();
    await symlink(outside.folder, inProject(name));
    await expect(project.build()).rejects.toMatchObject({ code: 'FILE_OUTSIDE', exitCode: 2 });
    await rm(inProject(name));
    await mkdir(inProject('.git'));
    await symlink('.git', inProject(name));
    await expect(project.build()).rejects.toMatchObject({ code: 'FILE_OUTSIDE', exitCode: 2 });
  });

  it('may not be the folder of a source either', async () => {
    const outside = createOfflineProject();
    await symlink(outside.folder, inProject('docs'));
    const source = { kind: 'folder', path: './docs' } as const;
    await expect(project.build({ source }, { offline: false })).rejects.toMatchObject({
      code: 'FILE_OUTSIDE',
      exitCode: 2,
    });
  });

  it.each(['/../outside/secret.txt', '/%2e%2e/outside/secret.txt', '/environ.txt'])(
    'is not read although a setting names it: %s',
    async (logo) => {
      await link('/proc/self/environ', 'public/environ.txt');
      await expect(project.build({ site: { logo } })).rejects.toMatchObject({ code: 'SITE_FILE_MISSING' });
      await expect(project.build({ site: { ogImage: logo } })).rejects.toMatchObject({
        code: 'SITE_FILE_MISSING',
      });
    },
  );

  it('is refused if it takes the place of a file after the folder was listed', async () => {
    write('public/a/b.txt', 'harmless');
    const files = listPublicFiles(inProject('public'));
    await rename(inProject('public/a'), inProject('moved'));
    write('outside/b.txt', secret);
    await link('../outside', 'public/a');
    expect([...files.read()].map(({ path }) => path)).toEqual(['own.txt']);
    expect(files.problems()).toMatchObject([{ code: 'FILE_OUTSIDE' }]);
  });

  it('is never read, however often it takes the place of a folder while that is read', async () => {
    write('public/a/b.txt', 'harmless');
    write('outside/b.txt', secret);
    const swap = `
      const { renameSync, symlinkSync } = require('node:fs');
      symlinkSync('../outside', 'public/link');
      process.send('ready');
      for (;;) {
        renameSync('public/a', 'public/real'); renameSync('public/link', 'public/a');
        renameSync('public/a', 'public/link'); renameSync('public/real', 'public/a');
      }`;
    const child = spawn(process.execPath, ['-e', swap], {
      cwd: project.folder,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    let harmless = 0;
    try {
      for (let attempt = 0; attempt < 200_000 && harmless < 500; attempt += 1) {
        try {
          const text = readFileIn(inProject('public'), 'a/b.txt').toString();
          expect(text).toBe('harmless');
          harmless += 1;
        } catch (error) {
          if (!['ENOENT', 'FILE_OUTSIDE'].includes((error as { code?: string }).code ?? '')) throw error;
        }
      }
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect(harmless).toBe(500);
  });
});

describe('a file whose name starts with a dot', () => {
  it('is not published, also behind a link, except .well-known', async () => {
    write('public/.env', secret);
    write('public/.git/config', secret);
    write('public/a/.htpasswd', secret);
    await link('.env', 'public/env.txt');
    write('public/.well-known/security.txt', 'Contact');
    write('templates/assets/.env', secret);
    const { problems } = await project.build();
    expect(await leaks()).toEqual([]);
    expect(problems.map(({ code, message }) => `${code}: ${message}`).sort()).toEqual([
      'PUBLIC_FILE_SKIPPED: public/.env was not published',
      'PUBLIC_FILE_SKIPPED: public/a/.htpasswd was not published',
      'PUBLIC_FILE_SKIPPED: public/env.txt was not published',
      'PUBLIC_FILE_SKIPPED: templates/assets/.env was not published',
    ]);
    expect(await readFile(join(project.out, '.well-known/security.txt'), 'utf8')).toBe('Contact');
  });
});

describe('a file with a secret of the run', () => {
  const environment = {
    DEPLOY_TOKEN: secret,
    HOME: 'public knowledge',
    SHORT_KEY: 'own',
    npm_config_password: 'p4ss/word+1',
  };
  const messagesOf = async (options: Parameters<OfflineProject['build']>[1]) =>
    (await project.build({}, options)).problems.map(
      ({ code, severity, message }) => `${severity} ${code}: ${message}`,
    );

  it.each([
    ['an environment variable', { environment }, 'DEPLOY_TOKEN'],
    ['the API key', { apiKey: `${secret}\n` }, 'the API key of this run'],
  ])(
    'is not published, and an error names the secret without its value: %s',
    async (_what, options, name) => {
      write(
        'public/big.bin',
        Buffer.concat([Buffer.alloc(1024 * 1024 - 5), Buffer.from(secret), Buffer.alloc(100)]),
      );
      write('templates/assets/page.js', `const token = '${secret}';`);
      write('templates/assets/css/base.css', `/* ${secret} */`);
      expect((await messagesOf(options)).sort()).toEqual([
        `error SECRET_FOUND: public/big.bin contains the value of ${name} and was not published`,
        `error SECRET_FOUND: templates/assets/css/base.css contains the value of ${name} and was not published`,
        `error SECRET_FOUND: templates/assets/page.js contains the value of ${name} and was not published`,
      ]);
      expect(await leaks()).toEqual([]);
      expect(await readFile(join(project.out, 'own.txt'), 'utf8')).toBe('own');
    },
  );

  it('is withdrawn by a build that has a new secret and nothing else to do', async () => {
    write('public/config.txt', secret);
    await project.build();
    expect(await leaks()).toEqual(['config.txt']);
    expect((await project.build({}, { environment: { OTHER_KEY: 'something else' } })).renderedPages).toBe(0);
    await messagesOf({ environment });
    expect(await leaks()).toEqual([]);
  });

  it('ignores short values, other variables and values that only begin like it', async () => {
    write('public/config.txt', `public knowledge own ${secret.slice(0, -1)}`);
    expect(await messagesOf({ environment })).toEqual([]);
    expect(listRunSecrets(null, environment).map(({ name }) => name)).toEqual([
      'DEPLOY_TOKEN',
      'npm_config_password',
    ]);
  });
});

describe('the media of a folder source', () => {
  const source = { kind: 'folder', path: './kb' } as const;

  it('never contain a secret of the run, and an error says which file does', async () => {
    write('kb/a.md', '# A\n\n![one](one.png) and [two](two.pdf)\n');
    write('kb/one.png', Buffer.concat([png(2, 2), Buffer.from(secret)]));
    write('kb/two.pdf', `%PDF ${secret}`);
    const options = { offline: false, environment: { DEPLOY_TOKEN: secret } };
    const { problems } = await project.build({ source }, options);
    expect(await leaks()).toEqual([]);
    const found = problems.filter(({ code }) => code === 'SECRET_FOUND');
    expect(found.map(({ severity, message }) => `${severity}: ${message}`).sort()).toEqual([
      'error: one.png was not copied: it contains the value of DEPLOY_TOKEN',
      'error: two.pdf was not copied: it contains the value of DEPLOY_TOKEN',
    ]);
  });
});
