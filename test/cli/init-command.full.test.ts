import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/core/yaml.ts';
import { sendJson, startServer } from '../source/support/test-server.ts';
import { createZendesk } from '../source/support/zendesk-server.ts';
import { layouts, writeTree } from '../support/folder-layouts.ts';
import { finish, runLectern, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bin = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));
const pseudoTerminal = '/usr/bin/script';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const flags = ['--base-url', 'https://kb.example.com/v1', '--no-check'];
const init = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runLectern(['init', ...args], { cwd: folder, env });
const siteUrl = ['--site-url', 'https://help.example.com'];
const read = (path: string) => readFile(join(folder, path), 'utf8');

describe('lectern init', () => {
  it('writes a configuration that a build accepts, and a .gitignore', async () => {
    const all = [
      '--site-url',
      'https://help.example.com',
      '--languages',
      'en,de',
      '--title',
      'Pebblepost Help',
    ];
    const { code, stdout } = await init([...flags, ...all]);
    expect(code).toBe(0);
    expect(stdout).toContain('Wrote     lectern.config.json\nWrote     .gitignore\n');
    expect(JSON.parse(await read('lectern.config.json'))).toEqual({
      $schema: './node_modules/lectern/docs/schema/config.json',
      baseUrl: 'https://kb.example.com/v1',
      siteUrl: 'https://help.example.com',
      defaultLanguage: 'en',
      languages: ['en', 'de'],
      site: { title: 'Pebblepost Help' },
    });
    expect(await read('.gitignore')).toBe(
      '/node_modules/\n/dist/\n/.dist.*\n/.lectern/\n/export/\n/lectern.env\n/*-tls/\n',
    );
    expect((await runLectern(['config'], { cwd: folder })).code).toBe(0);
  });

  it('takes the address and the key of the service that was started in the folder', async () => {
    const service = { baseUrl: 'https://localhost:8443/v1', apiKey: 'lk_secret_of_the_service', ca: null };
    await mkdir(join(folder, 'lectern.sqlite-tls'));
    await writeFile(join(folder, 'lectern.sqlite-tls/service.json'), JSON.stringify(service));
    const { code, stdout } = await init(['--no-check']);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('LECTERN_API_KEY')]);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({ baseUrl: service.baseUrl });
  });

  it('prints the next steps, with npx if npx ran it', async () => {
    const plain = await init(flags, { npm_command: '' });
    expect((await init([...flags, '--force'], { npm_command: 'exec' })).stdout).toContain(
      ' npx lectern build\n',
    );
    expect(plain.stdout).toMatch(/\n {10}lectern build\n {10}lectern preview\n$/);
  });

  it('adds to a .gitignore only missing lines', async () => {
    await writeFile(join(folder, '.gitignore'), '/node_modules/\n/dist/');
    await init(flags);
    expect(await read('.gitignore')).toBe(
      '/node_modules/\n/dist/\n/.dist.*\n/.lectern/\n/export/\n/lectern.env\n/*-tls/\n',
    );
  });

  it('changes no byte of the lines of a .gitignore that is not UTF-8', async () => {
    await writeFile(join(folder, '.gitignore'), '/Entw\xfcrfe/\n', 'latin1');
    await init(flags);
    expect(await readFile(join(folder, '.gitignore'), 'latin1')).toMatch(
      /^\/Entw\xfcrfe\/\n\/node_modules\/\n/,
    );
  });

  it('writes a GitHub workflow that builds on a schedule and carries the last output over', async () => {
    await init([...flags, ...siteUrl, '--ci', 'github']);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({ redirects: { formats: ['html'] } });
    const workflow = parseYaml(await read('.github/workflows/publish-help.yml'));
    expect(workflow).toMatchObject({
      on: { schedule: [{ cron: '17 * * * *' }] },
      jobs: { publish: { 'runs-on': 'ubuntu-latest' } },
    });
    const text = JSON.stringify(workflow);
    for (const part of [
      'secrets.LECTERN_API_KEY',
      '.lectern\\ndist',
      'npm ci',
      'npx --no lectern build',
      'deploy-pages',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('writes a GitLab pipeline that keeps the report', async () => {
    await init([...flags, ...siteUrl, '--ci', 'gitlab']);
    expect(parseYaml(await read('.gitlab-ci.yml'))).toMatchObject({
      pages: {
        cache: { paths: ['.lectern/', 'dist/'] },
        artifacts: { paths: expect.arrayContaining(['lectern-report.html']) },
      },
    });
  });

  it('names every action of the GitHub workflow by commit, with its version', async () => {
    await init([...flags, ...siteUrl, '--ci', 'github']);
    const uses = (await read('.github/workflows/publish-help.yml')).match(/uses: .*/g) ?? [];
    expect(uses).toHaveLength(6);
    for (const line of uses) expect(line).toMatch(/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('installs Lectern for scheduled builds as the package.json says, not from the network beside the key', async () => {
    await writeFile(join(folder, 'package.json'), '{"devDependencies":{"lectern":"^0.1.0"}}');
    for (const ci of ['github', 'gitlab', 'cron']) {
      await init([...flags, ...siteUrl, '--ci', ci, '--force']);
    }
    for (const path of ['.github/workflows/publish-help.yml', '.gitlab-ci.yml', 'publish-help.sh']) {
      const text = await read(path);
      expect(text).toContain('npx --no lectern build');
      expect(text).not.toContain('--yes');
      if (path !== 'publish-help.sh') expect(text).toContain('npm ci --ignore-scripts\n');
    }
  });

  it('lets the job build Lectern when it is installed from a repository', async () => {
    const spec = 'git+https://git.example.com/acme/lectern.git';
    await writeFile(join(folder, 'package.json'), JSON.stringify({ devDependencies: { lectern: spec } }));
    await init([...flags, ...siteUrl, '--ci', 'github']);
    await init([...flags, ...siteUrl, '--ci', 'gitlab', '--force']);
    const workflow = await read('.github/workflows/publish-help.yml');
    expect(workflow).toMatch(/run: npm ci\n/);
    expect(workflow).not.toContain('--ignore-scripts');
    const pipeline = parseYaml(await read('.gitlab-ci.yml'));
    expect(pipeline.pages).toMatchObject({
      image: 'node:24',
      script: ['npm ci', expect.any(String), expect.any(String)],
    });
  });

  it('does not change an existing package.json, and says what to install', async () => {
    await writeFile(join(folder, 'package.json'), '{"name":"mine"}');
    const { stdout } = await init([...flags, ...siteUrl, '--ci', 'gitlab']);
    expect(await read('package.json')).toBe('{"name":"mine"}');
    expect(stdout).toMatch(
      /Next {6}(?:install Lectern here as you did before, with )?npm install --save-dev/,
    );
    expect(stdout).not.toContain('lectern@0');
  });

  it('proposes no version of the registry where Lectern is installed from elsewhere', async () => {
    await writeFile(join(folder, 'package.json'), '{"devDependencies":{"lectern":"file:lectern-0.1.0.tgz"}}');
    const { stdout } = await init([...flags, ...siteUrl, '--ci', 'gitlab']);
    expect(stdout).toMatch(/Next {6}commit package\.json and package-lock\.json/);
    expect(stdout).not.toContain('npm install');
  });

  it.each([
    ['github', '.github/workflows/publish-help.yml'],
    ['gitlab', '.gitlab-ci.yml'],
    ['cron', 'publish-help.sh'],
  ])('continues the published feed on %s where the last output is lost', async (ci, path) => {
    await init([...flags, '--ci', ci, '--site-url', "https://help.example.com/it's"]);
    const given = ci === 'cron' ? '"$@" ' : '';
    expect(await read(path)).toContain(
      `if [ ! -f dist/feed/manifest.json ]; then set -- ${given}--since 'https://help.example.com/it%27s'; fi`,
    );
  });

  it('does not continue a feed whose URL is unknown', async () => {
    await init([...flags, '--ci', 'cron']);
    expect(await read('publish-help.sh')).not.toContain('--since');
  });

  it.each([
    ['github', 'https://github.com/acme/help.git', 'https://acme.github.io/help'],
    ['gitlab', 'git@gitlab.com:acme/docs/help.git', 'https://acme.gitlab.io/docs/help'],
  ])(
    'uses the URL that the git remote implies on %s: pages there link to files below its path',
    async (ci, remote, url) => {
      execFileSync('git', ['init', '--quiet'], { cwd: folder });
      execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: folder });
      writeTree(join(folder, 'help'), layouts.plain);
      const { code, stdout } = await init(['--source', './help', '--ci', ci]);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`\nSite      ${url}\nWrote `)]);
      expect(stdout.includes('turn off "Use unique domain" under Deploy > Pages')).toBe(ci === 'gitlab');
      expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({ siteUrl: url });
      expect((await runLectern(['build', '--quiet'], { cwd: folder, env: {} })).code).toBe(0);
      const sheet = /<link rel="stylesheet" href="([^"]+)"/.exec(await read('dist/index.html'))?.[1];
      expect(sheet).toMatch(new RegExp(`^${new URL(url).pathname}/assets/`));
    },
  );

  it.each(['github', 'gitlab'])('refuses %s without a URL: its sites are below a path', async (ci) => {
    const { code, stderr } = await init([...flags, '--ci', ci]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('error CONFIG_INVALID: --ci')]);
    expect(stderr).toContain(`hint: pass --site-url, e.g. https://acme.${ci}.io/help\n`);
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  it.each(['github', 'gitlab'])(
    'says that a job of %s never runs in a folder of a repository',
    async (ci) => {
      execFileSync('git', ['init', '--quiet'], { cwd: folder });
      await writeTree(join(folder, 'website/docs'), { 'a.md': '# A\n\nText.\n' });
      const args = ['init', '--source', 'docs', '--ci', ci, ...siteUrl];
      const cwd = join(folder, 'website');
      const step =
        'Next      make website/ a repository of its own, or move its files to the top of this one: jobs run only there\n';
      const { code, stdout } = await runLectern(args, { cwd });
      expect([code, stdout]).toEqual([0, expect.stringContaining(step)]);
      await rm(join(cwd, ci === 'github' ? '.github' : '.gitlab-ci.yml'), { recursive: true });
      expect((await runLectern(['init', '--ci', ci], { cwd })).stdout).toContain(step);
    },
  );

  it('writes a folder of the project relative to it, and refuses one outside of it for a job', async () => {
    await writeTree(join(folder, 'docs'), { 'a.md': '# A\n\nText.\n' });
    await init(['--source', join(folder, 'docs'), '--ci', 'github', ...siteUrl]);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({ source: { path: 'docs' } });
    await mkdir(join(folder, 'site'));
    const args = ['init', '--source', '../docs', '--ci', 'github', ...siteUrl];
    const { code, stderr } = await runLectern(args, { cwd: join(folder, 'site') });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'the source ../docs is outside of the project, so that a job does not have it\n',
      ),
    ]);
  });

  it('refuses a language no build takes', async () => {
    const { code, stderr } = await init([...flags, '--default-language', 'english']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('defaultLanguage: must be a BCP 47')]);
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  it('refuses a URL that no build accepts', async () => {
    const { code, stderr } = await init(['--base-url', 'http://kb.example.com/v1', '--no-check']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('error CONFIG_INVALID')]);
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  it('replaces nothing without --force', async () => {
    await writeFile(join(folder, 'lectern.config.json'), 'mine');
    const { code, stderr } = await init(flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error TARGET_EXISTS: lectern\.config\.json /);
    expect(await read('lectern.config.json')).toBe('mine');
    expect((await init([...flags, '--force'])).code).toBe(0);
  });

  describe('in a project with a configuration', () => {
    const settings = { siteUrl: 'https://acme.github.io/help', source: { kind: 'folder', path: 'docs' } };
    const write = (changes: object = {}) =>
      writeFile(join(folder, 'lectern.config.json'), JSON.stringify({ ...settings, ...changes }));

    it('adds only the job with --ci, and takes its values from the file', async () => {
      await write({ out: 'site', cache: '.cache' });
      await writeFile(join(folder, 'package.json'), '{"devDependencies":{"lectern":"^0.1.0"}}');
      const before = await read('lectern.config.json');
      const { code, stdout, stderr } = await init(['--ci', 'github']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatchInlineSnapshot(`
        "Kept      lectern.config.json
        Wrote     .github/workflows/publish-help.yml
        Wrote     .gitignore
        Next      add "redirects": { "formats": ["html"] } to lectern.config.json, because GitHub Pages has no redirects
                  commit package.json and package-lock.json, if you have not yet
                  choose "GitHub Actions" under Settings > Pages
                  commit everything, and push
        "
      `);
      expect(await read('lectern.config.json')).toBe(before);
      expect(await read('.gitignore')).toBe(
        '/node_modules/\n/site/\n/.site.*\n/.cache/\n/export/\n/lectern.env\n/*-tls/\n',
      );
      const workflow = await read('.github/workflows/publish-help.yml');
      expect(workflow).toContain(
        "if [ ! -f site/feed/manifest.json ]; then set -- --since 'https://acme.github.io/help'",
      );
      expect(workflow).not.toMatch(/LECTERN_API_KEY|\bdist\b|\.lectern\b/);
      expect(parseYaml(workflow)).toMatchObject({ on: { pull_request: null } });
    });

    it('adds a job that needs a key if the file names an API, also in YAML, and installs as the lock file says', async () => {
      await writeFile(join(folder, 'pnpm-lock.yaml'), '');
      await writeFile(
        join(folder, 'lectern.config.yaml'),
        'baseUrl: https://kb.example.com/v1\nsiteUrl: https://help.example.com\nout: public\n',
      );
      const { code, stdout } = await init(['--ci', 'gitlab']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('add a pipeline schedule\n')]);
      expect(stdout).toContain('with pnpm add --save-dev, and commit package.json and pnpm-lock.yaml\n');
      const pipeline = await read('.gitlab-ci.yml');
      expect(pipeline).toContain('LECTERN_API_KEY');
      expect(pipeline).toContain(
        '    - corepack enable\n    - pnpm install --frozen-lockfile --ignore-scripts\n',
      );
      // GitLab publishes this folder, so it is not copied to itself.
      expect(pipeline).not.toContain('rm -rf public');
    });

    it.each([
      [
        { siteUrl: undefined },
        ['--ci', 'gitlab'],
        'CONFIG_INVALID',
        'add "siteUrl": "https://acme.gitlab.io/help"',
      ],
      [{ source: undefined }, ['--ci', 'github'], 'SOURCE_MISSING', 'add "baseUrl": '],
      [{}, ['--ci', 'github', '--title', 'Mine'], 'TARGET_EXISTS', 'without --title, init adds only the job'],
      [{}, [], 'TARGET_EXISTS', 'pass --ci (e.g. --ci github) to add only a job'],
    ] as const)('with %j and %j fails with %s before it writes', async (changes, args, code, hint) => {
      await write(changes);
      const { code: exit, stderr } = await init(args);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`error ${code}: `)]);
      expect(stderr).toContain(hint);
      expect(existsSync(join(folder, '.github'))).toBe(false);
    });

    it.each([
      ['github', '.github/workflows/publish-help.yml', ["[ ! -f 'my site'/feed/manifest.json ]"]],
      ['gitlab', '.gitlab-ci.yml', ["[ ! -f 'my site'/feed/manifest.json ]", "cp -R 'my site' public"]],
      [
        'cron',
        'publish-help.sh',
        ["[ ! -f 'my site'/feed/manifest.json ]", "rsync --archive --delete-after 'my site'/ "],
      ],
    ])('quotes the folder of the output in the commands of a job for %s', async (ci, path, commands) => {
      const config = {
        baseUrl: 'https://kb.example.com/v1',
        siteUrl: 'https://help.example.com',
        out: 'my site',
      };
      await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(config));
      expect((await init(['--ci', ci])).code).toBe(0);
      const job = await read(path);
      for (const command of commands) expect(job).toContain(command);
    });

    it('does not replace a job', async () => {
      await write();
      await writeFile(join(folder, '.gitlab-ci.yml'), 'mine');
      const { code, stderr } = await init(['--ci', 'gitlab']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('TARGET_EXISTS: .gitlab-ci.yml ')]);
      expect(await read('.gitlab-ci.yml')).toBe('mine');
    });
  });

  it('asks for the base URL by name if there is no terminal, and refuses a wrong one', async () => {
    expect(await init([])).toMatchObject({ code: 2, stderr: expect.stringContaining('--base-url') });
    const wrong = await init(['--base-url', 'kb.example.com', '--no-check']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('baseUrl: must be a URL') });
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  it('checks the key against the service, and writes nothing when it is wrong', async () => {
    await writeFile(join(folder, 'seed.json'), '{ "articles": [], "categories": [] }');
    const service = await serveSeed('seed.json', folder);
    const wrong = await init([], { ...service.env, LECTERN_API_KEY: 'lk_wrong' });
    const right = await init([], service.env);
    await service.stop();
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/401/);
    expect(right.stdout).toContain('Key       accepted\nArticles  0 public\n');
    expect(await read('lectern.config.json')).not.toContain(service.apiKey);
  });

  it('prints the number of articles of a service before it writes', async () => {
    const service = await serveSeed(join(import.meta.dirname, '../../sample'), folder);
    const { code, stdout } = await init([], service.env);
    await service.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Key {7}accepted\nArticles {2}29 public \(.*\ben 29\b.*\); not public: 1 draft, 1 hidden translation, 1 private\nWrote /,
    );
  });

  it('checks the key of Zendesk, and prints the number of articles per language before it writes', async () => {
    const zendesk = createZendesk();
    const updated = '2026-01-02T00:00:00Z';
    const german = { title: 'Kette', body: '<p>Tropfen.</p>' };
    zendesk.hold({
      chain: { title: 'Chain', body: '<p>Drop.</p>', updated, german },
      brake: { title: 'Brakes', body: '<p>Turn.</p>', updated, german: { ...german, hidden: true } },
      maybe: { title: 'Maybe', body: '<p>x</p>', updated, state: 'unknown' },
      staff: { title: 'Staff', body: '<p>x</p>', updated, state: 'restricted' },
    });
    const server = await startServer((request, response) =>
      request.headers.authorization === 'Bearer right-key'
        ? zendesk.handle(request, response)
        : sendJson(response, { error: 'no' }, 401),
    );
    try {
      await writeFile(join(folder, 'ca.pem'), server.ca);
      const args = ['--source', 'zendesk', '--base-url', server.origin];
      const env = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
      const wrong = await init(args, { ...env, LECTERN_API_KEY: 'wrong-key' });
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('UNAUTHORIZED')]);
      expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
      const right = await init(args, { ...env, LECTERN_API_KEY: 'right-key' });
      expect([right.stderr, right.code]).toEqual(['', 0]);
      expect(right.stdout).toMatch(
        /^Key {7}accepted \(Zendesk Guide\)\nArticles {2}2 public \(de 1, en 2\); not public: 1 hidden translation, 1 restricted, 1 with unknown visibility\nWrote /,
      );
      const french = await init([...args, '--default-language', 'fr', '--force'], {
        ...env,
        LECTERN_API_KEY: 'right-key',
      });
      expect(french.stdout).toContain('; none in the default language, fr\n');
    } finally {
      await server.close();
    }
  });

  it('creates a project for a folder without a key, and prints its number of articles', async () => {
    writeTree(join(folder, 'help'), layouts.plain);
    const { code, stdout } = await init(['--source', './help', '--ci', 'github', ...siteUrl]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Articles {2}4 public \(de 1, en 4\); not public: 1 draft\nWrote /);
    expect(stdout).not.toContain('LECTERN_API_KEY');
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      source: { kind: 'folder', path: './help' },
    });
    expect(await read('.github/workflows/publish-help.yml')).not.toContain('LECTERN_API_KEY');
    const built = await runLectern(['build', '--quiet'], { cwd: folder, env: {} });
    expect([built.code, built.stderr]).toEqual([0, '']);
    const cron = await init(['--source', './help', '--ci', 'cron', '--force']);
    expect(cron.stdout).toContain('add publish-help.sh to your crontab\n');
    expect(cron.stdout).toContain(
      'set UPLOAD_TO in that line, e.g. to deploy@www.example.com:/var/www/help/; ',
    );
  });

  it('writes the configuration of a folder with files to correct, and lists them', async () => {
    writeTree(join(folder, 'help'), { 'a.md': '---\ntitle: Foo: bar\n---\nx', 'b.md': '# B' });
    const { code, stdout } = await init(['--source', './help']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Errors    1 to correct; lectern build lists them\n          a.md: line 2: quote the value',
    );
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(true);
  });

  it('writes nothing for a folder that a site generator publishes', async () => {
    writeTree(folder, { 'mkdocs.yml': 'site_name: A', 'docs/a.md': '# A\n\nText.' });
    const { code, stderr } = await init(['--source', 'docs']);
    expect(code).toBe(2);
    expect(stderr).toContain('mkdocs.yml belongs to MkDocs');
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  it('writes nothing for a folder that does not exist', async () => {
    expect(await init(['--source', './nowhere'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error PATH_UNUSABLE: '),
    });
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  /** Answers one question after the other on a terminal. */
  async function answer(answers: readonly (readonly [question: string, answer: string])[]) {
    const command = `stty cols 80 rows 40 && '${process.execPath}' '${bin}' init --no-check`;
    const child = spawn(pseudoTerminal, ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, CI: '', TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let seen = '';
    let next = 0;
    child.stdout.on('data', (text: Buffer) => {
      seen += stripVTControlCharacters(text.toString());
      const [question, typed] = answers[next] ?? [];
      if (question === undefined || typed === undefined || !seen.includes(question)) return;
      next += 1;
      child.stdin.write(typed);
    });
    const { code } = await finish(child);
    return { code, seen };
  }

  it.skipIf(!existsSync(pseudoTerminal))('asks on a terminal for what no flag says', async () => {
    const { code } = await answer([
      ['Where are your articles?', '\r'],
      ['URL of the knowledge-base API?', 'https://kb.example.com/v1\r'],
      ['Name of the help centre?', 'Pebblepost Help\r'],
      ['Default language', 'de\r'],
      ['Where should scheduled builds run?', '\r'],
      ['Public URL of the help site?', 'https://help.example.com\r'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      siteUrl: 'https://help.example.com',
      defaultLanguage: 'de',
      site: { title: 'Pebblepost Help' },
    });
    expect(existsSync(join(folder, '.github/workflows/publish-help.yml'))).toBe(true);
  });

  it.skipIf(!existsSync(pseudoTerminal))('offers the URL that the git remote implies', async () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:acme/help.git'], { cwd: folder });
    const { code, seen } = await answer([
      ['Where are your articles?', '\r'],
      ['URL of the knowledge-base API?', 'https://kb.example.com/v1\r'],
      ['Name of the help centre?', '\r'],
      ['Default language', '\r'],
      ['Where should scheduled builds run?', '\r'],
      ['Public URL of the help site? (from the git remote)', '\r'],
    ]);
    expect(code).toBe(0);
    expect(seen).toContain('https://acme.github.io/help');
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      siteUrl: 'https://acme.github.io/help',
    });
  });

  it.skipIf(!existsSync(pseudoTerminal))('asks for a folder', async () => {
    writeTree(join(folder, 'help'), layouts.plain);
    const { code } = await answer([
      ['Where are your articles?', '\u001b[B\u001b[B\r'],
      ['Which folder?', './nowhere\r'],
      ['There is no such folder', '\u0015./help\r'],
      ['Default language', '\r'],
      ['Where should scheduled builds run?', '\u001b[B\u001b[B\u001b[B\r'],
      ['Public URL of the help site? (empty: not known yet)', '\r'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      source: { kind: 'folder', path: './help' },
    });
    // The home page of the folder has the name of the site.
    expect(await read('lectern.config.json')).not.toContain('title');
  });

  it.skipIf(!existsSync(pseudoTerminal))('offers the folder of Markdown that is there', async () => {
    writeTree(join(folder, 'help'), layouts.plain);
    const { code, seen } = await answer([
      ['Where are your articles?', '\r'],
      ['Default language', '\r'],
      ['Where should scheduled builds run?', '\u001b[B\u001b[B\u001b[B\r'],
      ['Public URL of the help site? (empty: not known yet)', '\r'],
    ]);
    expect([code, seen]).toEqual([0, expect.stringMatching(/In help\/ \(\d+ Markdown files\)/)]);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      source: { kind: 'folder', path: 'help' },
    });
  });

  it.skipIf(!existsSync(pseudoTerminal))(
    'asks for the URL and the locale of a Zendesk help centre',
    async () => {
      const { code } = await answer([
        ['Where are your articles?', '\u001b[B\u001b[B\r'],
        ['URL of the help centre?', 'https://acme.zendesk.com\r'],
        ['Name of the help centre?', '\r'],
        ['Default locale of the help centre', 'en-us\r'],
        ['Where should scheduled builds run?', '\u001b[B\u001b[B\u001b[B\r'],
        ['Public URL', '\r'],
      ]);
      expect(code).toBe(0);
      expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
        baseUrl: 'https://acme.zendesk.com',
        source: { kind: 'zendesk' },
        defaultLanguage: 'en-us',
      });
    },
  );

  it.skipIf(!existsSync(pseudoTerminal))('asks again, at once, for an answer no build takes', async () => {
    const again = '\x15';
    const { code } = await answer([
      ['Where are your articles?', '\r'],
      ['URL of the knowledge-base API?', 'http://kb.example.com/v1\r'],
      ['is not https', `${again}https://kb.example.com/v1\r`],
      ['Name of the help centre?', 'Help\r'],
      ['Default language', 'english\r'],
      ['"english" is not a language tag', `${again}pt-BR\r`],
      ['Where should scheduled builds run?', '\r'],
      ['Public URL', '\r'],
      ['Pages need the URL', 'help\r'],
      ['Must be a URL', `${again}https://help.example.com\r`],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      baseUrl: 'https://kb.example.com/v1',
      defaultLanguage: 'pt-BR',
    });
  });

  it.skipIf(!existsSync(pseudoTerminal))('asks nothing in a folder that has a project', async () => {
    await writeFile(join(folder, 'lectern.config.json'), '{}');
    const { code, seen } = await answer([]);
    expect(code).toBe(2);
    expect(seen).toContain('error TARGET_EXISTS: lectern.config.json already exists');
    expect(seen).not.toContain('Address');
  });
});
