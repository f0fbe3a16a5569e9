import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lecternProgram } from '../support/lectern.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';
import { describeWith } from '../support/tools.ts';

const origin = 'https://help.example.com';
const uploads = ['1-assets', '2-new-pages', '3-changed-files', '4-changed-pages', '5-feed', '6-manifest'];

describeWith('rclone', 'an upload with rclone', (rclone) => {
  let project: OfflineProject;
  beforeEach(async () => {
    project = await createOfflineProject();
    mkdirSync(path('target'));
  });
  afterEach(() => project.remove());

  const path = (name: string) => join(project.folder, name);

  function run(program: string, ...args: readonly string[]): void {
    const { status, stderr } = spawnSync(program, args, { cwd: project.folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  }
  const planUpload = () =>
    run(process.execPath, lecternProgram, 'upload-plan', 'dist', '--previous', 'target');
  const copyListed = (list: string) =>
    run(rclone, 'copy', 'dist', 'target', '--files-from-raw', list, '--ignore-times', '--no-traverse');

  async function publish(texts: Readonly<Record<string, string>>): Promise<void> {
    await project.write(Object.entries(texts).map(article), []);
    await project.build({ site: { title: `Help ${Object.keys(texts).length}` } });
  }

  /** Carries a plan out: a list at a time; stops after `end` files. */
  function upload(end = Infinity): void {
    let left = end;
    run(rclone, 'copy', 'upload/0-begin', 'target', '--ignore-times');
    for (const step of [...uploads, '7-delete', '8-end']) {
      const files = shuffled(linesOf(path(`upload/${step}.txt`))).slice(0, left);
      left -= files.length;
      carryOut(step, files);
    }
  }

  /** The same file by file, in an order that no program promises. */
  function uploadSingly(steps: readonly string[], onFile: (step: string) => void): void {
    run(rclone, 'copy', 'upload/0-begin', 'target', '--ignore-times');
    for (const step of [...steps, '7-delete', '8-end']) {
      for (const file of shuffled(linesOf(path(`upload/${step}.txt`)))) {
        carryOut(step, [file]);
        onFile(step);
      }
    }
  }

  function carryOut(step: string, files: readonly string[]): void {
    writeFileSync(path('some.txt'), files.map((file) => `${file}\n`).join(''));
    if (step === '7-delete') run(rclone, 'delete', 'target', '--files-from-raw', 'some.txt');
    else copyListed('some.txt');
  }

  const expectPublished = async () => {
    expect(await readTree(path('target'))).toEqual(await readTree(path('dist')));
  };

  it('never shows a reader a link to a file that is not there', async () => {
    await publish(first);
    planUpload();
    let found: string[] = [];
    uploadSingly(uploads, () => found.push(...findDeadLinks(path('target'), []).dead));
    expect(found).toEqual([]);
    await expectPublished();

    const bookmarked = pagesOf(path('target'));
    cpSync(path('target'), path('saved'), { recursive: true });
    await publish(second);
    planUpload();
    const sizes = uploads.map((step) => linesOf(path(`upload/${step}.txt`)).length);
    expect(Math.min(...sizes, linesOf(path('upload/7-delete.txt')).length)).toBeGreaterThan(0);
    const planned = pagesOf(path('dist'));
    let links = 0;
    uploadSingly(uploads, (step) => {
      // A reader with the URL of a deleted page sees it disappear.
      const seen = findDeadLinks(path('target'), step.startsWith('7') ? planned : bookmarked);
      found.push(...seen.dead.map((link) => `${step}: ${link}`));
      links += seen.links;
    });
    expect(found).toEqual([]);
    expect(links).toBeGreaterThan(1000);
    await expectPublished();

    // In another order this observer does find them.
    found = [];
    rmSync(path('target'), { recursive: true });
    cpSync(path('saved'), path('target'), { recursive: true });
    uploadSingly(uploads.toReversed(), () => found.push(...findDeadLinks(path('target'), bookmarked).dead));
    expect(found.length).toBeGreaterThan(0);
  });

  it('that was interrupted anywhere is completed by the next one, whatever that publishes', async () => {
    await publish(first);
    planUpload();
    upload();
    for (const [at, end] of [1, 9, 25].entries()) {
      await publish(second);
      planUpload();
      upload(end);
      await publish(at % 2 === 0 ? first : { ...second, dddddddddd: 'More' });
      planUpload();
      upload();
      await expectPublished();
    }
  });

  it('takes files of any name, and deletes no other', async () => {
    const names = [' a', '#b', ';c', '-d', 'e*[x]?', '"q"\'$(x)`', 'ä – 日本', '{a,b}', '%20', 'f ', '~g'];
    for (const folder of ['public/odd', 'public/odd/#deep']) {
      mkdirSync(path(folder), { recursive: true });
      for (const name of names) writeFileSync(path(`${folder}/${name}.txt`), name);
    }
    await publish(first);
    planUpload();
    writeFileSync(path('target/own.txt'), 'not in any list');
    for (const step of uploads) copyListed(`upload/${step}.txt`);
    copyListed('upload/8-end.txt');
    expect(readFileSync(path('target/own.txt'), 'utf8')).toBe('not in any list');
    rmSync(path('target/own.txt'));
    await expectPublished();

    rmSync(path('public/odd/#deep'), { recursive: true });
    await publish(first);
    planUpload();
    expect(linesOf(path('upload/7-delete.txt'))).toHaveLength(names.length);
    run(rclone, 'delete', 'target', '--files-from-raw', 'upload/7-delete.txt');
    copyListed('upload/6-manifest.txt');
    copyListed('upload/8-end.txt');
    await expectPublished();

    planUpload();
    expect(linesOf(path('upload/7-delete.txt'))).toEqual([]);
    run(rclone, 'delete', 'target', '--files-from-raw', 'upload/7-delete.txt');
    await expectPublished();
  });
});

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

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);

const shuffled = (paths: readonly string[]) =>
  paths.toSorted((a, b) => (hash('sha256', a) < hash('sha256', b) ? -1 : 1));
