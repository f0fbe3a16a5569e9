import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Tree, writeTree } from '../support/folder-layouts.ts';
import { finish, runLectern, startLectern } from '../support/lectern.ts';
import { makePipe } from '../support/make-pipe.ts';
import { listen } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a file is replaced by: reading the first one never ends, and reading the other one waits for a writer. */
const endless: Readonly<Record<string, (path: string) => void>> = {
  'a link to a device': (path) => symlinkSync(path.endsWith('.png') ? '/dev/urandom' : '/dev/zero', path),
  'a pipe': makePipe,
};

const site = ['--site-url', 'https://help.example.com'];
/** Far more than a command needs on a busy machine. */
const endsWithinMs = 60_000;

function makeFolder(files: Tree = {}): string {
  const folder = temporaryFolder();
  writeTree(folder, files);
  return folder;
}

let published: string;
beforeAll(async () => {
  published = temporaryFolder();
  mkdirSync(join(published, 'docs'));
  writeFileSync(join(published, 'docs/index.md'), '# Home\n\nHello there.\n');
  await runLectern(['build', '--source', './docs', ...site], { cwd: published });
}, endsWithinMs);

describe.each(Object.entries(endless))('%s', (_name, make) => {
  it(
    'in the place of a page or an image is skipped and reported, and the other pages are published',
    async () => {
      const cwd = makeFolder({ 'docs/index.md': '# Home\n\nHello ![x](r.png)\n' });
      make(join(cwd, 'docs/z.md'));
      make(join(cwd, 'docs/r.png'));
      const { code, stdout } = await runLectern(['build', '--source', './docs', ...site], { cwd });
      expect(stdout).toMatch(/warning FILE_IGNORED\n\s+docs\/r\.png\n.*\n\s+docs\/z\.md\n/);
      expect(stdout).toContain('Published 1 article');
      expect(code).toBe(0);
    },
    endsWithinMs,
  );

  it.each(['feed/manifest.json', 'feed/en/documents.jsonl'])(
    'in the place of %s ends every reader of the feed with a message that names it',
    async (file) => {
      const cwd = makeFolder();
      cpSync(join(published, 'dist'), join(cwd, 'dist'), { recursive: true });
      rmSync(join(cwd, 'dist', file));
      make(join(cwd, 'dist', file));
      for (const command of [
        ['verify', 'dist'],
        ['export', 'dist', '--to', 'qdrant', '--out', 'exported'],
        ['mcp', 'dist'],
        ['diff', join(published, 'dist'), 'dist'],
      ]) {
        const { code, stderr } = await runLectern(command, { cwd });
        expect(stderr).toMatch(
          new RegExp(
            `error (?:FILE_OUTSIDE|FEED_INVALID): ${file} is (?:outside the folder|not a regular file)`,
          ),
        );
        expect(code).toBe(1);
      }
    },
    endsWithinMs,
  );

  it(
    'in a pulled folder ends a push with a message that names it',
    async () => {
      const article = '---\ntitle: A\n---\n![x](i.png)\n';
      const cwd = makeFolder({ 'kb/articles/a/en.md': article });
      make(join(cwd, 'kb/articles/a/i.png'));
      const env = { LECTERN_API_KEY: 'k'.repeat(20), LECTERN_BASE_URL: 'http://127.0.0.1:9/v1' };
      const { code, stderr } = await runLectern(['push', 'kb', '--insecure-loopback'], { cwd, env });
      expect(stderr).toMatch(
        /error PATH_UNUSABLE: articles\/a\/en\.md: the image i\.png is (?:outside|not a)/,
      );
      expect(code).toBe(1);
    },
    endsWithinMs,
  );

  it.each(['lectern.config.json', 'lectern.config.mjs'])(
    'in the place of %s ends a build with a message that names it',
    async (file) => {
      const cwd = makeFolder();
      make(join(cwd, file));
      const { code, stderr } = await runLectern(['build'], { cwd });
      expect(stderr).toContain(`error CONFIG_INVALID: the configuration file ${file} cannot be read`);
      expect(code).toBe(2);
    },
    endsWithinMs,
  );

  it(
    'in the folders of templates and public files is reported, and the site is published',
    async () => {
      const cwd = makeFolder({
        'docs/index.md': '# Home\n\nHello\n',
        'templates/a.txt': '',
        'public/a.txt': '',
      });
      make(join(cwd, 'templates/article.eta'));
      make(join(cwd, 'public/favicon.ico'));
      const { code, stdout } = await runLectern(['build', '--source', './docs', ...site], { cwd });
      expect(stdout).toContain('public/favicon.ico is ');
      expect(stdout).toContain('templates/article.eta is ');
      expect(code).toBe(0);
    },
    endsWithinMs,
  );
});

describe('SIGTERM', () => {
  it.each([
    ['build', '--insecure-loopback'],
    ['pull', 'kb', '--insecure-loopback'],
    ['kb', 'article', 'list', '--insecure-loopback'],
    ['verify', 'URL'],
    ['export', 'URL', '--to', 'qdrant', '--out', 'exported'],
    ['mcp', 'URL', '--port', '0'],
    ['diff', 'URL', 'URL'],
  ])(
    'ends "%s %s" within two seconds while a server does not answer',
    async (...command) => {
      const server = createServer(() => {});
      const asked = once(server, 'request');
      const url = `http://127.0.0.1:${await listen(server)}`;
      const child = startLectern(
        command.map((part) => part.replace('URL', url)),
        { cwd: makeFolder(), env: { LECTERN_API_KEY: 'k'.repeat(20), LECTERN_BASE_URL: `${url}/v1` } },
      );
      const finished = finish(child);
      await Promise.race([asked, finished]);
      child.kill('SIGTERM');
      const result = await Promise.race([finished, setTimeout(2_000, null)]);
      child.kill('SIGKILL');
      // A server that a client started ends without an error.
      expect([result?.code, result?.stderr]).toEqual([command[0] === 'mcp' ? 0 : 143, expect.anything()]);
    },
    endsWithinMs,
  );
});
