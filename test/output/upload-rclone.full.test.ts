import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBlocks } from '../docs/support/read-blocks.ts';
import { freePort } from '../support/free-port.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';
import { describeWith } from '../support/tools.ts';

const origin = 'https://help.example.com';

const root = join(import.meta.dirname, '../..');

/** The commands of docs/deploy.md, without the line that sets the target. */
const commands = (
  readBlocks(join(root, 'docs/deploy.md')).find(({ code }) => code.includes('rclone sync'))?.code ?? ''
)
  .trim()
  .split('\n')
  .slice(1);

/** What a command does to one file of the target. */
interface Step {
  readonly kind: 'copy' | 'delete';
  readonly path: string;
}

describeWith('rclone', 'an upload with rclone, as the documentation says,', (rclone) => {
  let project: OfflineProject;
  let server: ChildProcess;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    project = createOfflineProject();
    mkdirSync(path('target'));
    const port = await freePort();
    env = {
      ...process.env,
      HOME: project.folder,
      XDG_CACHE_HOME: project.folder,
      RCLONE_CONFIG: '/notfound',
      // It waits a tenth of a second before each new connection.
      RCLONE_CHECKERS: '1',
      RCLONE_TRANSFERS: '1',
    };
    const pass = spawnSync(rclone, ['obscure', 'secret'], { env, encoding: 'utf8' }).stdout.trim();
    const remote = {
      TYPE: 'sftp',
      HOST: '127.0.0.1',
      PORT: String(port),
      USER: 'me',
      PASS: pass,
      SHELL_TYPE: 'unix',
    };
    for (const [name, value] of Object.entries(remote)) env[`RCLONE_CONFIG_HELP_${name}`] = value;
    const address = `127.0.0.1:${port}`;
    // The test also changes the target behind the server.
    const flags = ['--addr', address, '--user', 'me', '--pass', 'secret', '--dir-cache-time', '0s'];
    server = spawn(rclone, ['serve', 'sftp', 'target', ...flags], {
      cwd: project.folder,
      env,
      stdio: 'ignore',
    });
    await untilListening(port, server);
  });
  afterEach(async () => {
    const closed = once(server, 'close');
    server.kill();
    await closed;
  });

  const path = (name: string) => join(project.folder, name);

  /** Runs a command of the page with the server as target. @returns its log */
  function run(command: string, flags = ''): string {
    const line = `target=help:; ${command} ${flags}`;
    const { status, stderr } = spawnSync('sh', ['-ec', line], { cwd: project.folder, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${line}: ${stderr}`);
    return stderr;
  }

  async function publish(texts: Readonly<Record<string, string>>): Promise<void> {
    await project.write(Object.entries(texts).map(article), []);
    await project.build({ site: { title: `Help ${Object.keys(texts).length}` } });
  }

  const upload = () => {
    for (const command of commands) run(command);
  };

  /** What a command would do; it deletes last. */
  function plan(command: string): readonly Step[] {
    const steps = run(command, '--dry-run --use-json-log')
      .split('\n')
      .filter((line) => line.includes('"skipped"'))
      .map((line) => JSON.parse(line) as { readonly skipped: string; readonly object: string })
      .filter(({ skipped }) => skipped === 'copy' || skipped === 'delete')
      .map(({ skipped, object }) => ({ kind: skipped, path: object }) as Step);
    const ofKind = (kind: Step['kind']) => shuffled(steps.filter((step) => step.kind === kind));
    return [...ofKind('copy'), ...ofKind('delete')];
  }

  function carryOut({ kind, path: file }: Step): void {
    const inTarget = path(`target/${file}`);
    if (kind === 'delete') {
      rmSync(inTarget);
      return;
    }
    mkdirSync(dirname(inTarget), { recursive: true });
    cpSync(path(`dist/${file}`), inTarget);
  }

  /** Carries commands out file by file, in an order that rclone does not promise. */
  function uploadSingly(lines: readonly string[], onFile: (step: Step) => void): void {
    for (const line of lines) {
      for (const step of plan(line)) {
        carryOut(step);
        onFile(step);
      }
    }
  }

  const expectPublished = async () => {
    expect(await readTree(path('target'))).toEqual(await readTree(path('dist')));
  };

  it('never shows a reader a link to a file that is not there', async () => {
    await publish(first);
    upload();
    await expectPublished();

    const bookmarked = pagesOf(path('target'));
    cpSync(path('target'), path('saved'), { recursive: true });
    await publish(second);
    const planned = pagesOf(path('dist'));
    const found: string[] = [];
    const counts = { copy: 0, delete: 0 };
    let links = 0;
    uploadSingly(commands, ({ kind }) => {
      counts[kind] += 1;
      // A reader with the URL of a deleted page sees it disappear.
      const seen = findDeadLinks(path('target'), kind === 'delete' ? planned : bookmarked);
      found.push(...seen.dead.map((link) => `${kind}: ${link}`));
      links += seen.links;
    });
    expect(found).toEqual([]);
    expect(Math.min(counts.copy, counts.delete)).toBeGreaterThan(2);
    expect(links).toBeGreaterThan(1000);
    await expectPublished();

    // This observer does find them if there is only the last command.
    rmSync(path('target'), { recursive: true });
    cpSync(path('saved'), path('target'), { recursive: true });
    uploadSingly(commands.slice(1), () => found.push(...findDeadLinks(path('target'), bookmarked).dead));
    expect(found.length).toBeGreaterThan(0);
  });

  it('that was interrupted anywhere is completed by the next one, whatever that publishes', async () => {
    await publish(first);
    upload();
    for (const [at, end] of [1, 9, 25].entries()) {
      await publish(second);
      const [add = '', replace = ''] = commands;
      const steps = plan(add);
      for (const step of steps.slice(0, end)) carryOut(step);
      if (end > steps.length) for (const step of plan(replace).slice(0, end - steps.length)) carryOut(step);
      await publish(at % 2 === 0 ? first : { ...second, dddddddddd: 'More' });
      upload();
      await expectPublished();
    }
  });

  it('takes files of any name, and deletes those that are not in the output', async () => {
    const names = [' a', '#b', ';c', '-d', 'e*[x]?', '"q"\'$(x)`', 'ä – 日本', '{a,b}', '%20', 'f ', '~g'];
    for (const folder of ['public/odd', 'public/odd/#deep']) {
      mkdirSync(path(folder), { recursive: true });
      for (const name of names) writeFileSync(path(`${folder}/${name}.txt`), name);
    }
    await publish(first);
    writeFileSync(path('target/own.txt'), 'of someone else');
    upload();
    await expectPublished();
    rmSync(path('public/odd/#deep'), { recursive: true });
    await publish(first);
    upload();
    await expectPublished();
  });
});

/** Connects until the server accepts. */
async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  while (child.exitCode === null) if (await accepts()) return;
  throw new Error(`the server ended with code ${child.exitCode}`);
}

const first = { aaaaaaaaaa: 'Text', bbbbbbbbbb: 'Old', cccccccccc: 'Gone soon' };
const second = { aaaaaaaaaa: 'Text', bbbbbbbbbb: 'Edited', dddddddddd: 'New', eeeeeeeeee: 'Also new' };

/** Every article links to all others. */
function article(
  [id, text]: readonly [string, string],
  _at: number,
  all: readonly (readonly [string, string])[],
) {
  const links = all.map(([other]) => `<li><a href="/article/${other}">${other}</a></li>`).join('');
  const body = `<h2>${text}</h2><p>${text}.</p><ul>${links}</ul>`;
  return { id, categoryId: null, texts: { en: { title: `About ${id[0]}`, body } } } satisfies WrittenArticle;
}

/** Follows links from the home page, the sitemap, the llms.txt and some pages through all that can be reached. */
function findDeadLinks(root: string, starts: readonly string[]): { dead: string[]; links: number } {
  const files = new Set(listFiles(root));
  const reached = new Set(
    ['index.html', 'sitemap.xml', 'llms.txt', 'feed/manifest.json', ...starts].filter((path) =>
      files.has(path),
    ),
  );
  const dead: string[] = [];
  let links = 0;
  for (const path of reached) {
    for (const link of linksOf(path, readFileSync(join(root, path), 'utf8'))) {
      links += 1;
      // The manifest is uploaded last, so the first llms.txt is there before it.
      if (path === 'llms.txt' && link === 'feed/manifest.json') continue;
      if (!files.has(link)) dead.push(`${path} -> ${link}`);
      else reached.add(link);
    }
  }
  return { dead, links };
}

const attributes =
  /\s(?:href|src|data-search|data-index|action)="([^"]*)"|http-equiv="refresh" content="[^"]*url=([^"]*)"/gi;

function linksOf(path: string, text: string): string[] {
  if (path === 'feed/manifest.json') {
    return (JSON.parse(text) as { files: { path: string }[] }).files.map((file) => file.path);
  }
  const pattern = path.endsWith('.html')
    ? attributes
    : path.endsWith('.xml')
      ? /<loc>([^<]*)</g
      : /llms[^/]*\.txt$/.test(path)
        ? /\]\((https:[^)\s]*)\)/g
        : null;
  if (pattern === null) return [];
  return [...text.matchAll(pattern)].flatMap(([, ...found]) => {
    const url = new URL(found.find(Boolean) ?? '', `${origin}/${path}`);
    if (url.origin !== origin) return [];
    return [
      decodeURIComponent(url.pathname)
        .slice(1)
        .replace(/(^|\/)$/, '$1index.html'),
    ];
  });
}

const listFiles = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

const pagesOf = (root: string) => listFiles(root).filter((path) => path.endsWith('.html'));

const shuffled = (steps: readonly Step[]) =>
  steps.toSorted((a, b) => (hash('sha256', a.path) < hash('sha256', b.path) ? -1 : 1));
