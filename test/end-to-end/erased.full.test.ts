import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyFeed } from '../../src/consumers/follow/apply-feed.ts';
import { runLecternProcess, serveSeed } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** What an article says, where it says it. */
const markers = {
  title: 'Zebulonia',
  slug: 'jane-doe-dismissal',
  description: 'Quokkadescription',
  tag: 'wombattag',
  body: 'Numbatbody',
};

const fromFolder = ['--source', 'docs', '--site-url', 'https://help.example.com'];

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stderr } = await runLecternProcess(args, { cwd: folder, env });
  return { code, error: /^error .*$/m.exec(stderr)?.[0] ?? '' };
}

const done = { code: 0, error: '' };

/** Files of the output and the cache that have one of these texts in their bytes, in any case. */
async function filesWith(texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of ['dist', '.lectern']) {
    for (const [path, bytes] of await readTree(join(folder, name))) {
      const content = `${path} ${bytes.toString('latin1')}`.toLowerCase();
      if (texts.some((text) => content.includes(text.toLowerCase()))) found.push(`${name}/${path}`);
    }
  }
  return found.sort();
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

describe('an article of a service that was hidden', () => {
  it('leaves nothing but its id, in no byte of output and cache', async () => {
    const article = (id: string, fields: object) => ({
      ...{ article_id: id, is_published: true, is_private: false, title: `Title of ${id}` },
      ...{ body: `<p>Text of ${id} for everybody.</p>`, ...fields },
    });
    const { title, slug, description, tag, body } = markers;
    const secret = { title, slug, description, tags: [tag], body: `<p>${body} about her.</p>` };
    const articles = Array.from({ length: 40 }, (_, at) => article(`aaaaaaaa${10 + at}`, {}));
    writeFileSync(
      join(folder, 'seed.json'),
      JSON.stringify({ articles: [...articles, article('9xk2m1p0qz', secret)], categories: [] }),
    );
    const service = await serveSeed('seed.json', folder);
    try {
      const build = ['build', '--site-url', 'https://help.example.com'];
      expect(await run(build, service.env)).toEqual(done);
      for (const marker of Object.values(markers)) expect(await filesWith([marker])).not.toEqual([]);
      const hide = ['kb', 'article', 'update', '9xk2m1p0qz', '--set', 'is_published=false'];
      expect(await run(hide, service.env)).toEqual(done);
      expect(await run([...build, '--report', 'report.json'], service.env)).toEqual(done);
    } finally {
      await service.stop();
    }
    expect(await filesWith(Object.values(markers))).toEqual([]);
    expect(read('dist/feed/changes/2.jsonl')).toEqual(
      expect.stringMatching(
        /^\{"op":"delete","id":"a-9xk2m1p0qz-en","reason":"unpublished","was":"[0-9a-f]{64}"\}\n$/,
      ),
    );
  });
});

describe('lectern forget', () => {
  const id = '9xk2m1p0qz';
  const page = (path: string, title: string, text: string): void => {
    mkdirSync(join(folder, 'docs'), { recursive: true });
    writeFileSync(join(folder, 'docs', path), `---\n${text}title: ${title}\n---\n\nAbout ${title}.\n`);
  };
  const build = () => run(['build', ...fromFolder]);

  /** What a follower of the feed is told since its last call. */
  async function follow() {
    const told = { upserted: 0, deleted: [] as string[] };
    await applyFeed(join(folder, 'dist'), {
      cursor: join(folder, 'cursor'),
      upsert: (documents) => {
        told.upserted += documents.length;
      },
      delete: (documents) => void told.deleted.push(...documents.map(({ id }) => id)),
    });
    return told;
  }

  beforeEach(async () => {
    for (let at = 0; at < 12; at += 1) page(`page-${at}.md`, `Page ${at}`, '');
    page(`${markers.slug}.md`, markers.title, `article_id: ${id}\n`);
    expect(await build()).toEqual(done);
  });

  it('erases the id of a deleted article, and followers still learn that it is gone', async () => {
    expect(await follow()).toEqual({ upserted: 13, deleted: [] });
    rmSync(join(folder, 'docs', `${markers.slug}.md`));
    page('page-1.md', 'Page 1, edited', '');
    expect(await build()).toEqual(done);
    page('page-2.md', 'Page 2, edited', '');
    expect(await build()).toEqual(done);
    expect(await filesWith([id])).toEqual(['dist/feed/changes/2.jsonl']);
    expect(await run(['forget', id])).toEqual(done);
    expect(await filesWith([id, ...Object.values(markers)])).toEqual([]);
    const { run: state, changes } = JSON.parse(read('dist/feed/manifest.json'));
    expect([state.seq, changes]).toEqual([3, { first: 3, last: 3 }]);
    expect(await run(['verify', 'dist'])).toEqual(done);
    expect((await follow()).deleted).toEqual([`a-${id}-en`]);
    expect(await build()).toEqual(done);
    expect(await run(['forget', id])).toEqual({
      code: 1,
      error: `error FORGET_REFUSED: nothing is left of an article ${id}`,
    });
  });

  it('erases a former URL of a page that is still public', async () => {
    renameSync(join(folder, 'docs', `${markers.slug}.md`), join(folder, 'docs/staff.md'));
    expect(await build()).toEqual(done);
    expect(await filesWith([markers.slug])).toEqual(['dist/_redirects', 'dist/addresses.json']);
    expect(await run(['forget', `https://help.example.com/${markers.slug}/`])).toEqual(done);
    expect(await filesWith([markers.slug])).toEqual([]);
    page('staff.md', 'Staff, edited', `article_id: ${id}\n`);
    expect(await build()).toEqual(done);
    expect(await filesWith([markers.slug])).toEqual([]);
  });

  it('refuses what is public or unknown, and changes nothing', async () => {
    const before = read('dist/feed/manifest.json');
    expect(await run(['forget', id])).toEqual({
      code: 1,
      error: `error FORGET_REFUSED: the article ${id} is public`,
    });
    expect(await run(['forget', `/${markers.slug}`])).toEqual({
      code: 1,
      error: `error FORGET_REFUSED: /${markers.slug} is the URL of a page`,
    });
    expect(await run(['forget', 'aaaaaaaaaa', '/nothing/'])).toMatchObject({ code: 1 });
    expect(await run(['forget', '/nothing/'])).toEqual({
      code: 1,
      error: 'error FORGET_REFUSED: /nothing/ is not a former URL of a page',
    });
    expect(await run(['forget', 'a-page'])).toEqual({
      code: 2,
      error: 'error USAGE: "a-page" is neither the id of an article nor a URL',
    });
    expect(read('dist/feed/manifest.json')).toBe(before);
    rmSync(join(folder, 'dist'), { recursive: true });
    expect(await run(['forget', id])).toEqual({
      code: 2,
      error: 'error PATH_UNUSABLE: there is no published site in dist',
    });
  });
});
