import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderFetcher } from '../../src/source/folder/folder-fetcher.ts';
import { deriveId } from '../../src/source/folder/folder-read.ts';
import { scanFiles } from '../../src/source/folder/safe-files.ts';
import { page, type Tree } from '../support/folder-layouts.ts';
import { makePipe } from '../support/make-pipe.ts';
import { bodyOf, messages, openFolderProject, outline } from './support/folder-source.ts';
import { errorOf } from './support/open-http.ts';

const good = { 'good.md': '# Good\n\nText.' };

/** What the user sees of an error, without the folder of the test. */
async function refusal(files: Readonly<Record<string, string | Uint8Array>>, location = {}) {
  const project = openFolderProject(files, location);
  const { code, message, hint } = await errorOf(project.read());
  return { code, message: message.replaceAll(project.base, '<base>'), hint };
}

/** The problems of a folder with a good page and others: code, message, file and line. */
async function skipped(files: Tree) {
  const project = openFolderProject({ ...good, ...files });
  const source = await project.read();
  return {
    published: Object.entries(outline(project, source)).flatMap(([path, found]) =>
      String(found).includes(': ') ? [path] : [],
    ),
    excluded: source.stats.excluded,
    problems: source.problems.map(({ code, message, file, line }) => `${code} ${file}:${line} ${message}`),
  };
}

describe('a folder with files that cannot be read publishes the others, and reports every mistake', () => {
  it('of front matter, encoding, and two files for one page', async () => {
    const found = await skipped({
      'broken.md': '---\ntitle: [\n---\nx',
      'colon.md': '---\ntitle: Foo: bar\n---\nx',
      'open.md': '---\ntitle: x\nx',
      'list.md': '---\n- a\n---\nx',
      'toml.md': '+++\ntitle = "x"\ndraft = true\ndraft = false\n+++\nx',
      'json.md': '{\n  "draft": true\nx',
      'hidden.md': '<!-- note -->\n---\ndraft: true\n---\nx',
      'script.md': '---js\n{ title: process.exit(9) }\n---\nx',
      'latin1.md': Buffer.from('# caf\xe9', 'latin1'),
      'utf16.md': Buffer.from('\ufeff# Hello', 'utf16le'),
      'twice.md': '# One\n\nText.',
      'en/twice.md': '# Two\n\nText.',
      'sub/a.md': '# A\n\nText.',
    });
    expect(found).toMatchInlineSnapshot(`
      {
        "excluded": {
          "invalid": 9,
        },
        "problems": [
          "FILE_SKIPPED kb/broken.md:2 broken.md: line 2: the value begins with [ but does not end with ]; add it, or quote the value if it is a text",
          "FILE_SKIPPED kb/colon.md:2 colon.md: line 2: quote the value, because it contains a colon",
          "FILE_SKIPPED kb/hidden.md:2 hidden.md: the first lines look like front matter, but are not read as such; begin the file with a line of three hyphens ("---"), write the fields as YAML, and end them with another such line",
          "FILE_SKIPPED kb/json.md:1 json.md: the first lines look like front matter, but are not read as such; begin the file with a line of three hyphens ("---"), write the fields as YAML, and end them with another such line",
          "FILE_SKIPPED kb/latin1.md:null latin1.md: the file is not UTF-8; save it as UTF-8",
          "FILE_SKIPPED kb/list.md:2 list.md: the front matter must be a list of fields, e.g. "title: Hello"",
          "FILE_SKIPPED kb/open.md:1 open.md: the front matter is not closed with a line "---"",
          "FILE_SKIPPED kb/toml.md:1 toml.md: the first lines look like front matter, but are not read as such; begin the file with a line of three hyphens ("---"), write the fields as YAML, and end them with another such line",
          "FILE_SKIPPED kb/twice.md:null twice.md: en/twice.md is the same page in the same language",
          "FILE_SKIPPED kb/utf16.md:null utf16.md: the file is UTF-16; save it as UTF-8",
        ],
        "published": [
          "en/twice.md",
          "good.md",
          "script.md",
          "sub/a.md",
        ],
      }
    `);
  });

  it('of a folder as pulled, too', async () => {
    const project = openFolderProject({
      'articles/a/en.md': page('article_id: aaaaaaaaaa\ntitel: x', 'x'),
      'articles/b/en.md': 'no front matter',
      'articles/c/en.md': page(
        'article_id: cccccccccc\ntitle: C\nis_published: true\nis_private: false',
        'x',
      ),
      'articles/d/en.md': page(
        'article_id: cccccccccc\ntitle: D\nis_published: true\nis_private: false',
        'x',
      ),
    });
    const source = await project.read();
    expect(source.knowledgeBase.articles.map(({ id }) => id)).toEqual(['cccccccccc']);
    expect(source.stats.excluded).toEqual({ invalid: 3 });
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "FILE_SKIPPED: articles/a: en.md: title is missing; en.md: must not have "titel"",
        "FILE_SKIPPED: articles/b/en.md: the file must begin with a line "---" and its front matter",
        "FILE_SKIPPED: articles/d: articles/c has the same id cccccccccc",
      ]
    `);
  });

  it('of ids: two articles with one, two for one article, and none that can be used', async () => {
    expect(
      await skipped({
        'a.md': page('article_id: aaaaaaaaaa', 'x'),
        'b.md': page('article_id: aaaaaaaaaa', 'x'),
        'c.md': page('article_id: cccccccccc', 'x'),
        'de/c.md': page('article_id: dddddddddd', 'x'),
        'e.md': page('article_id: not-an-id', 'x'),
        'later.md': page(`article_id: ${deriveId('article', 'good')}`, 'x'),
      }),
    ).toMatchInlineSnapshot(`
      {
        "excluded": {
          "invalid": 3,
        },
        "problems": [
          "FILE_SKIPPED kb/b.md:null b.md: a.md has the same id aaaaaaaaaa; give one of them another article_id",
          "FILE_SKIPPED kb/de/c.md:null de/c.md: its article_id is dddddddddd, that of c.md is cccccccccc",
          "FILE_SKIPPED kb/e.md:null e.md: article_id "not-an-id" is not ten letters or digits",
          "FILE_SKIPPED kb/later.md:null later.md: good.md has the same id 566iHbwRyE; give one of them another article_id",
        ],
        "published": [
          "a.md",
          "c.md",
          "good.md",
        ],
      }
    `);
  });

  it('and reads blanks after the hyphens, a field that is given twice, and front matter of comments', async () => {
    const project = openFolderProject({
      'blanks.md': '--- \ntitle: Blanks\n---\t\nx',
      'repeated.md': '---\ntitle: First\ntitle: Repeated\n---\nx',
      'ruled.md': '---\n# Welcome\n---\nx',
    });
    const source = await project.read();
    expect(outline(project, source)).toEqual({
      'blanks.md': 'en: Blanks (blanks)',
      'repeated.md': 'en: Repeated (repeated)',
      'ruled.md': 'en: Ruled (ruled)',
    });
    expect(messages(source.problems)).toEqual([
      'FIELD_INVALID: repeated.md has title twice',
      'FIELD_INVALID: ruled.md has only comments in its front matter, which are not published',
    ]);
  });

  it('unless the pages of many are lost: the guard counts them as deleted', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`page-${at}.md`, `# Page ${at}\n\nText.`]),
    );
    const project = openFolderProject(many);
    await project.read();
    const broken = Object.keys(many)
      .slice(0, 5)
      .map((path) => [path, '---\ntitle: [\n---\n']);
    project.write(Object.fromEntries(broken));
    expect((await errorOf(project.read())).code).toBe('MASS_DELETE');
  });

  it('has one id for each path', () => {
    // Ten digits of base 62: the same for the same path, others for other kinds and paths.
    expect(deriveId('article', 'guides/start')).toBe(deriveId('article', 'guides/start'));
    const ids = ['guides/start', 'guides/star', 'guides'].flatMap((path) => [
      deriveId('article', path),
      deriveId('category', path),
    ]);
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{10}$/);
  });
});

describe('a folder that is not there', () => {
  it('is named', async () => {
    const project = openFolderProject({}, { root: '/nowhere/at/all' });
    expect(await errorOf(project.read())).toMatchInlineSnapshot(`
      {
        "code": "PATH_UNUSABLE",
        "hint": "check the path of the source; other sources are zendesk and api",
        "message": "the folder /nowhere/at/all does not exist",
      }
    `);
  });

  it('is named if it is a file', async () => {
    const project = openFolderProject(good);
    const file = openFolderProject(good, { root: join(project.root, 'good.md') });
    const { code, message } = await errorOf(file.read());
    expect(code).toBe('PATH_UNUSABLE');
    expect(message).toBe(`${join(project.root, 'good.md')} is a file, not a folder`);
  });
});

describe('a folder that lost its pages', () => {
  const many = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`page-${at}.md`, `# Page ${at}\n\nText.`]),
  );

  it('wipes no site: an empty one is refused', async () => {
    const project = openFolderProject(many);
    await project.read();
    for (const path of Object.keys(many)) rmSync(join(project.root, path));
    expect(await errorOf(project.read())).toMatchInlineSnapshot(`
      {
        "code": "NOTHING_TO_PUBLISH",
        "hint": "nothing was published; if this is intended, pass --allow-mass-delete once, else check the folder of the source and the front matter of its pages",
        "message": "the folder kb contains no page: no .md file whose name does not begin with _ or .",
      }
    `);
    expect((await project.read({ allowMassDelete: true })).stats.published).toBe(0);
  });

  it('and one that lost many', async () => {
    const project = openFolderProject(many);
    await project.read();
    for (const path of Object.keys(many).slice(0, 3)) rmSync(join(project.root, path));
    expect((await errorOf(project.read())).code).toBe('MASS_DELETE');
    project.write(Object.fromEntries(Object.entries(many).slice(0, 2)));
    expect((await project.read()).stats.published).toBe(9);
  });

  it('or shows only drafts', async () => {
    expect((await refusal({ 'a.md': page('draft: true', 'x') })).code).toBe('NOTHING_TO_PUBLISH');
  });

  it('or has only pages without a text', async () => {
    expect(await refusal({ 'a.md': '---\ntitle: A\n---\n' })).toMatchInlineSnapshot(`
      {
        "code": "NOTHING_TO_PUBLISH",
        "hint": "nothing was published; give an article a title and a text below it, or pass --allow-mass-delete once",
        "message": "kb/a.md: there is a title but no text below it; no other article is public",
      }
    `);
  });
});

describe('links out of the folder', () => {
  it('is neither followed nor read: links of the file system, pipes, and loops', async () => {
    const project = openFolderProject(good);
    writeFileSync(join(project.base, 'outside.md'), '# TOPSECRET\n\nTOPSECRET');
    mkdirSync(join(project.base, 'elsewhere'));
    writeFileSync(join(project.base, 'elsewhere/wages.md'), '# TOPSECRET\n\nTOPSECRET');
    symlinkSync('../outside.md', join(project.root, 'link.md'));
    symlinkSync('../elsewhere', join(project.root, 'folder'));
    symlinkSync('.', join(project.root, 'loop'));
    symlinkSync('nowhere', join(project.root, 'dangling.md'));
    await makePipe(join(project.root, 'pipe.md'));
    const source = await project.read();
    expect(outline(project, source)).toEqual({ 'good.md': 'en: Good (good)' });
    expect(messages(source.problems)).toEqual(
      ['dangling.md', 'folder', 'link.md', 'loop', 'pipe.md'].map(
        (path) => `FILE_IGNORED: ${path} is not a regular file`,
      ),
    );
  });

  it('is not read through links in a folder as pulled', async () => {
    const project = openFolderProject({
      'articles/a/en.md': page(
        'article_id: aaaaaaaaaa\ntitle: A\nis_published: true\nis_private: false',
        'x',
      ),
    });
    const foreign = page(
      'article_id: bbbbbbbbbb\ntitle: TOPSECRET\nis_published: true\nis_private: false',
      'x',
    );
    mkdirSync(join(project.base, 'elsewhere'));
    writeFileSync(join(project.base, 'elsewhere/en.md'), foreign);
    symlinkSync('../../elsewhere', join(project.root, 'articles/b'));
    const source = await project.read();
    expect(source.knowledgeBase.articles.map(({ id }) => id)).toEqual(['aaaaaaaaaa']);
    mkdirSync(join(project.root, 'articles/c'));
    symlinkSync('../../../elsewhere/en.md', join(project.root, 'articles/c/en.md'));
    const again = await project.read();
    expect(again.knowledgeBase.articles.map(({ id }) => id)).toEqual(['aaaaaaaaaa']);
    expect(messages(again.problems)).toContain(
      'FILE_SKIPPED: articles/c/en.md: articles/c/en.md is outside the folder',
    );
  });

  it('is reported with the article if an image or a link names it', async () => {
    const project = openFolderProject({
      'docs/a.md':
        '# A\n\n![one](../../outside.png) ![two](../../../../../../etc/passwd) ![three](link.png) ![four](gone.png) ![five](x.svg)\n\n' +
        '[six](../../../etc/passwd) [seven](gone.md) [eight](/from/the/top) <img src=%2e%2e/%2e%2e/outside.png alt=nine>',
      'docs/x.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    writeFileSync(join(project.base, 'outside.png'), 'TOPSECRET');
    symlinkSync('../../outside.png', join(project.root, 'docs/link.png'));
    const source = await project.read();
    const [article] = source.knowledgeBase.articles;
    expect((await source.readBodies(article?.id ?? '')).get('en')).toMatchInlineSnapshot(`
      "<p>one two three four <img src="https://folder.invalid/docs/x.svg" alt="five" /></p>
      <p><a>six</a> <a>seven</a> <a href="/from/the/top">eight</a> &lt;img src=%2e%2e/%2e%2e/outside.png alt=nine&gt;</p>"
    `);
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "FILE_IGNORED: docs/link.png is not a regular file",
        "FILE_OUTSIDE: the image "../../../../../../etc/passwd" in docs/a.md is outside the folder",
        "FILE_OUTSIDE: the image "../../outside.png" in docs/a.md is outside the folder",
        "FILE_OUTSIDE: the image "link.png" in docs/a.md is a symbolic link",
        "FILE_OUTSIDE: the link "../../../etc/passwd" in docs/a.md is outside the folder",
        "IMAGE_MISSING: the image "gone.png" in docs/a.md points to a file that does not exist",
        "LINK_BROKEN: the link "gone.md" in docs/a.md points to a file that does not exist",
      ]
    `);
    const placed = source.problems.filter(({ code }) => code !== 'FILE_IGNORED');
    for (const { articleId, language } of placed) expect([articleId, language]).toEqual([article?.id, 'en']);
  });

  it('is not read for a handwritten URL', async () => {
    const project = openFolderProject({ 'a.png': 'inside' });
    writeFileSync(join(project.base, 'outside.png'), 'TOPSECRET');
    symlinkSync('../outside.png', join(project.root, 'link.png'));
    const { fetch } = createFolderFetcher(project.root, 1000, null);
    const origin = 'https://folder.invalid';
    expect(await fetch(`${origin}/a.png`, null)).toMatchObject({ kind: 'file' });
    for (const path of [
      'link.png',
      '..%2foutside.png',
      '%2e%2e%2foutside.png',
      '..%2f..%2f..%2fetc%2fpasswd',
      '',
      'gone.png',
      '%2fetc%2fpasswd',
    ]) {
      expect((await errorOf(fetch(`${origin}/${path}`, null))).code).toBe('NOT_FOUND');
    }
    expect((await errorOf(fetch(`${origin}/gone.png`, null))).message).toBe('it cannot be read (ENOENT)');
    for (const path of ['link.png', '..%2foutside.png'])
      expect((await errorOf(fetch(`${origin}/${path}`, null))).message).toBe('it is outside the folder');
    expect((await errorOf(fetch('https://elsewhere.example/a.png', null))).code).toBe('FILE_REFUSED');
  });
});

it('looks for a URL that starts with / in the folder, and in those directly inside it', async () => {
  const files = { 'a.md': '# A\n\n![l](/img/l.png) [f](/f.pdf)', 'assets/img/l.png': 'x', 'more/f.pdf': 'y' };
  const project = openFolderProject(files);
  const source = await project.read();
  const body = await bodyOf(project, source, 'a.md');
  expect(body).toContain('https://folder.invalid/assets/img/l.png');
  expect(body).toContain('https://folder.invalid/more/f.pdf');
  expect(messages(source.problems)).toEqual([]);
  const twice = openFolderProject({ ...files, 'other/img/l.png': 'z' });
  expect(await bodyOf(twice, await twice.read(), 'a.md')).not.toContain('folder.invalid/assets');
  const nearer = openFolderProject({ ...files, 'img/l.png': 'z' });
  expect(await bodyOf(nearer, await nearer.read(), 'a.md')).toContain('https://folder.invalid/img/l.png');
});

describe('source.math', () => {
  const files = { 'a.md': '# A\n\nIt costs $5 or $10, and $x^2$.', 'b.md': '# B\n\n$$\ny\n$$' };
  const square = '<math alttext="x^2"></math>';

  it('reads formulas; prices stay text, and so does everything by default', async () => {
    const project = openFolderProject(files, { math: true });
    const source = await project.read();
    expect(await bodyOf(project, source, 'a.md')).toContain(`It costs $5 or $10, and ${square}.`);
    expect(await bodyOf(project, source, 'b.md')).toContain('<math display="block" alttext="y"></math>');
    const without = openFolderProject(files);
    expect(await bodyOf(without, await without.read(), 'a.md')).toContain('It costs $5 or $10, and $x^2$.');
  });
});

it('a folder of more files than any documentation has is refused, with all folders below it counted', () => {
  const { root } = openFolderProject({ 'a.md': '# A', 'b/c.md': '# C' });
  const scan = (most: number) => scanFiles(root, [], most);
  expect([...scan(3).stamps.keys()]).toEqual(['a.md', 'b/c.md']);
  expect(() => scan(2)).toThrow(
    expect.objectContaining({
      code: 'PATH_UNUSABLE',
      message: `${root} contains more than 2 files and folders`,
    }),
  );
});

describe('unreadable files', () => {
  // The superuser reads everything.
  it.skipIf(process.getuid?.() === 0)('stops the run, since it would look deleted', async () => {
    const { chmodSync } = await import('node:fs');
    const project = openFolderProject({ ...good, 'closed/a.md': '# A' });
    chmodSync(join(project.root, 'closed'), 0o000);
    expect((await errorOf(project.read())).code).toBe('PATH_UNUSABLE');
    chmodSync(join(project.root, 'closed'), 0o755);
    chmodSync(join(project.root, 'closed/a.md'), 0o000);
    expect((await errorOf(project.read())).code).toBe('PATH_UNUSABLE');
  });
});

it.runIf(process.platform === 'linux').each(['', 'x/'])(
  'a name that is not UTF-8 is reported, and the others are read: caf\\xe9/%s',
  async (below) => {
    const project = openFolderProject(good);
    const path = Buffer.concat([Buffer.from(`${project.root}/caf`), Buffer.from([0xe9])]);
    if (below === '') writeFileSync(Buffer.concat([path, Buffer.from('.md')]), '# A');
    else mkdirSync(path);
    const source = await project.read();
    expect(messages(source.problems)).toEqual([
      `FILE_SKIPPED: the name of caf\uFFFD${below === '' ? '.md' : ''} is not UTF-8; rename it`,
    ]);
    expect(source.knowledgeBase.articles.length).toBeGreaterThan(0);
  },
);

describe('visibility in front matter', () => {
  it.each([
    ['draft: true', 'draft'],
    ['draft: True', 'draft'],
    ['published: false', 'draft'],
    ['is_live: false', 'draft'],
    ['status: draft', 'draft'],
    ['status: internal', 'draft'],
    ['date: 2999-01-01', 'draft'],
    ['expiryDate: 2026-05-31', 'draft'],
    ['unlisted: true', 'private'],
    ['is_private: true', 'private'],
    ['permission_groups: [staff]', 'restricted'],
    ['audience: employees', 'restricted'],
    ['password: hunter2', 'restricted'],
    ['draft: maybe', 'visibility-unknown'],
    ['draft: 1', 'draft'],
    ['draft: yes', 'draft'],
    ['private: ["x"]', 'visibility-unknown'],
    ['expiryDate: someday', 'visibility-unknown'],
    ['build: { render: never }', 'visibility-unknown'],
    ['cascade: { draft: true }', 'visibility-unknown'],
  ])('%s: %s', async (fields, reason) => {
    const project = openFolderProject({ ...good, 'a.md': page(fields, 'TOPSECRET') });
    const source = await project.read();
    expect(outline(project, source)).toMatchObject({ 'a.md': reason });
    const unknown = source.problems.filter(({ code }) => code === 'VISIBILITY_UNKNOWN');
    expect(unknown.map(({ articleId }) => articleId)).toEqual(
      reason === 'visibility-unknown' ? [project.idOf('a.md')] : [],
    );
  });

  it.each([
    'draft: false',
    'draft: False',
    'published: true',
    'published: 2026-01-01',
    'status: new',
    'audience: everyone',
    'groups: []',
  ])('%s is public', async (fields) => {
    const project = openFolderProject({ 'a.md': page(`${fields}\ntitle: A`, 'x') });
    expect(outline(project, await project.read())).toEqual({ 'a.md': 'en: A (a)' });
  });

  it('hides one language of a page alone', async () => {
    const project = openFolderProject({
      'a.md': page('title: A', 'x'),
      'de/a.md': page('title: TOPSECRET\ndraft: true', 'x'),
      'fr/a.md': page('title: TOPSECRET\ndraft: perhaps', 'x'),
    });
    const source = await project.read();
    expect(outline(project, source)).toEqual({ 'a.md': 'en: A (a)' });
    expect(messages(source.problems)).toEqual([
      'VISIBILITY_UNKNOWN: fr/a.md: draft: "perhaps" is not a value that the field can have; correct or remove it',
    ]);
  });
});
