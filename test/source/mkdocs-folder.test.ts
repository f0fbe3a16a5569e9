import { describe, expect, it } from 'vitest';
import { layouts, type Tree } from '../support/folder-layouts.ts';
import { messages, openFolderProject, outline } from './support/folder-source.ts';

async function read(files: Tree) {
  const project = openFolderProject(files);
  const source = await project.read({ allowMassDelete: true });
  return { project, source, outline: outline(project, source) };
}

/** The public paths among `paths`, by the patterns of `exclude_docs`. */
async function published(patterns: readonly string[], paths: readonly string[]): Promise<readonly string[]> {
  const pages = Object.fromEntries(paths.map((path) => [`docs/${path}`, 'Text.']));
  const lines = patterns.map((line) => `  ${line}\n`).join('');
  const { outline } = await read({
    'mkdocs.yml': `exclude_docs: |\n${lines}`,
    'docs/z.md': 'Text.',
    ...pages,
  });
  return paths.filter((path) => outline[`docs/${path}`] !== 'private');
}

describe('a folder of MkDocs', () => {
  it('keeps the pages hidden that MkDocs does not publish, and publishes those only missing in the navigation', async () => {
    const { source, outline } = await read({
      'mkdocs.yml': [
        'theme:\n  custom: !!python/name:a.b',
        'exclude_docs: |\n  # Notes of the team\n  /staff/\n\n  *.tmp.md\n  !/keep.tmp.md\n',
        'draft_docs: |\n  drafts/\n  *_later.md',
        'not_in_nav: |\n  /quiet.md\nnav:\n- index.md',
      ].join('\n'),
      'docs/index.md': '[s](staff/wages.md) [p](staff/plan.pdf) [d](drafts/new.md) ![i](staff/oil.png)',
      'docs/staff/wages.md': 'TOPSECRET',
      'docs/staff/broken.md': '---\ntitle: [\n---\nTOPSECRET',
      'docs/staff/plan.pdf': 'TOPSECRET',
      'docs/staff/oil.png': layouts.pulled['images/oil.png'],
      'docs/a.tmp.md': 'TOPSECRET',
      'docs/keep.tmp.md': 'Kept.',
      'docs/drafts/new.md': 'TOPSECRET',
      'docs/basics/brakes_later.md': 'TOPSECRET',
      'docs/basics/staff/open.md': 'Public.',
      'docs/templates/page.md': 'TOPSECRET',
      'docs/basics/templates/page.md': 'Public.',
      'docs/quiet.md': 'Public.',
    });
    expect(outline).toMatchInlineSnapshot(`
      {
        "docs/a.tmp.md": "private",
        "docs/basics/brakes_later.md": "draft",
        "docs/basics/staff/open.md": "en: Open (open)",
        "docs/basics/templates/page.md": "en: Page (page)",
        "docs/drafts/new.md": "draft",
        "docs/index.md": "en: Index (null)",
        "docs/keep.tmp.md": "en: Keep.tmp (keep.tmp)",
        "docs/quiet.md": "en: Quiet (quiet)",
        "docs/staff/broken.md": "private",
        "docs/staff/wages.md": "private",
        "docs/templates/page.md": "private",
      }
    `);
    const [index] = source.knowledgeBase.articles.filter(
      ({ translations }) => translations[0]?.title === 'Index',
    );
    const bodies = index === undefined ? null : await source.readBodies(index.id);
    expect([...(bodies ?? [])].join()).not.toMatch(/folder\.invalid/);
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "IMAGE_MISSING: the image "staff/oil.png" in docs/index.md points to a file that does not exist",
        "LINK_BROKEN: the link "staff/plan.pdf" in docs/index.md points to a file that does not exist",
      ]
    `);
  });

  it.each([
    [['a.md'], ['a.md', 'b/a.md', 'b/xa.md'], ['b/xa.md']],
    [['/a.md'], ['a.md', 'b/a.md'], ['b/a.md']],
    [['b/a.md'], ['b/a.md', 'c/b/a.md'], ['c/b/a.md']],
    [['b/'], ['b.md', 'b/a.md', 'c/b/d/a.md'], ['b.md']],
    [['b'], ['b.md', 'b/a.md', 'c/b/a.md'], ['b.md']],
    [['/b/*.md'], ['b/a.md', 'b/c/a.md'], ['b/c/a.md']],
    [['b/**/a.md'], ['b/a.md', 'b/c/d/a.md', 'a.md'], ['a.md']],
    [['**/b/a.md'], ['b/a.md', 'c/b/a.md', 'a.md'], ['a.md']],
    [['b/**'], ['b/a.md', 'b/c/a.md', 'c/b/a.md'], ['c/b/a.md']],
    [['*'], ['a.md', 'b/a.md'], []],
    [
      ['*', '!a.md'],
      ['a.md', 'b/a.md', 'b/c.md'],
      ['a.md', 'b/a.md'],
    ],
    [['*/'], ['a.md', 'b/a.md'], ['a.md']],
    [
      ['?.md', 'v[0-9]*'],
      ['a.md', 'ab.md', 'v1/a.md', 'v/ab.md'],
      ['ab.md', 'v/ab.md'],
    ],
    [
      ['A.md', 'a+(b).md'],
      ['a.md', 'aab.md'],
      ['a.md', 'aab.md'],
    ],
    [['*.md', '!b/'], ['b/a.md'], []],
    [['b/', '!b/a.md'], ['b/a.md', 'b/c.md'], ['b/a.md']],
    [['b/', '!b/a.md', 'b/'], ['b/a.md'], []],
    [['a.md', 'b/', '!/b/'], ['b/a.md'], []],
    [['!a.md', 'a.md'], ['a.md'], []],
    [['!/templates/'], ['templates/a.md'], ['templates/a.md']],
  ])('reads patterns of .gitignore as MkDocs does: %j', async (patterns, paths, expected) => {
    expect(await published(patterns, paths)).toEqual(expected);
  });

  it.each([
    ['exclude_docs: a.md', 'exclude_docs: ""'],
    ['exclude_docs: "a.md"', 'exclude_docs:'],
    ["'exclude_docs' : >\r\n  a.md\r\n", 'site_name: A'],
    ['exclude_docs: ""\nexclude_docs: |-\n\n    a.md\n# end\n', '# exclude_docs: a.md'],
    ['{exclude_docs: a.md}', '{exclude_docs: }'],
    ['  exclude_docs: a.md', '  draft_docs: '],
    ['x: &x\n  exclude_docs: a.md\n<<: *x', 'x: &x\n  exclude_docs: a.md'],
    ['--- {exclude_docs: a.md}', '---'],
    ['site_name: A\n!!str exclude_docs: a.md', 'site_name: A'],
  ])('reads the setting however it is written: %j', async (hidden, shown) => {
    const pages = { 'docs/a.md': 'TOPSECRET', 'docs/b.md': 'Text.' };
    expect((await read({ 'mkdocs.yml': hidden, ...pages })).outline).toMatchObject({
      'docs/a.md': 'private',
    });
    expect((await read({ 'mkdocs.yml': shown, ...pages })).outline).not.toMatchObject({
      'docs/a.md': 'private',
    });
  });

  it('inherits settings that its own file does not have', async () => {
    const { outline } = await read({
      'mkdocs.yml': 'INHERIT: ./config/base.yml\ndraft_docs:\n',
      'config/base.yml': 'INHERIT: ../top.yml\nexclude_docs: /a.md\ndraft_docs: /b.md\nx: !ENV [A, b]',
      'top.yml': 'docs_dir: pages\nexclude_docs: /c.md',
      'pages/a.md': 'TOPSECRET',
      'pages/b.md': 'Text.',
      'pages/c.md': 'Text.',
    });
    expect(outline).toMatchObject({
      'pages/a.md': 'private',
      'pages/b.md': 'en: B (b)',
      'pages/c.md': 'en: C (c)',
    });
  });

  it('reads docs if docs_dir is empty', async () => {
    const { outline } = await read({ 'mkdocs.yml': 'docs_dir:\nsite_name: A', 'docs/a.md': 'Text.' });
    expect(outline).toEqual({ 'docs/a.md': 'en: A (a)' });
  });

  it('publishes a page although a hidden file would be the same page', async () => {
    const { source, outline } = await read({
      'mkdocs.yml': 'exclude_docs: "*.en.md"',
      'docs/a.en.md': 'TOPSECRET',
      'docs/a.md': 'Text.',
    });
    expect(outline).toEqual({ 'docs/a.md': 'en: A (a)' });
    expect(messages(source.problems)).toEqual([
      'FILE_IGNORED: docs/a.en.md is not published by the project, and docs/a.md is the same page',
    ]);
  });

  it.each([
    [
      'exclude_docs: [a.md]',
      'mkdocs.yml: exclude_docs must be text with one pattern a line ("exclude_docs: |")',
    ],
    [
      'exclude_docs:\n- a.md',
      'mkdocs.yml: exclude_docs must be text with one pattern a line ("exclude_docs: |")',
    ],
    [
      'draft_docs: !ENV HIDDEN',
      expect.stringContaining('mkdocs.yml cannot be read: line 1: quote the value, because it begins with !'),
    ],
    ['exclude_docs: *hidden', expect.stringContaining('mkdocs.yml cannot be read: ')],
    ['exclude_docs: |\n  a.md\n# x\n  b.md', expect.stringContaining('mkdocs.yml cannot be read: ')],
    ['exclude_docs:\n  !ENV HIDDEN', expect.stringContaining('mkdocs.yml cannot be read: line 2: quote')],
    ['{site_name: A, exclude_docs: !ENV HIDDEN}', expect.stringContaining('cannot be read: line 1: quote')],
    ['x: &x !ENV HIDDEN\nexclude_docs: *x', expect.stringContaining('mkdocs.yml cannot be read: ')],
    ['x: !ENV &x HIDDEN\nexclude_docs: *x', expect.stringContaining('line 2: quote the value, because it')],
    ['exclude_docs: *.en.md', expect.stringContaining('line 1: quote the value, because it begins with *')],
    ['exclude_docs: a.md\n---', expect.stringContaining('mkdocs.yml cannot be read: ')],
    [
      'exclude_docs: |\n  a.md # ours',
      expect.stringContaining('exclude_docs has the pattern "a.md # ours"; write the'),
    ],
    ...['a\\.md', '[!a].md', '[z-a].md', '[a', './a.md', 'b//a.md', '!', '/', '../a.md', ' a.md'].map(
      (pattern) => [
        `draft_docs: ${JSON.stringify(pattern)}`,
        expect.stringContaining(`mkdocs.yml: draft_docs has the pattern ${JSON.stringify(pattern)}; `),
      ],
    ),
    ['INHERIT: base.yml', 'base.yml cannot be read (ENOENT)'],
    ['INHERIT: ../base.yml', 'mkdocs.yml: INHERIT "../base.yml" must be a file inside the project'],
    ['INHERIT:', 'mkdocs.yml: INHERIT null must be a file inside the project'],
    ['INHERIT: mkdocs.yml', 'INHERIT of mkdocs.yml leads back to mkdocs.yml'],
  ])('is not read if what it hides is unclear: %j', async (configuration, message) => {
    const project = openFolderProject({ 'mkdocs.yml': configuration as string, 'docs/a.md': 'TOPSECRET' });
    await expect(project.read()).rejects.toMatchObject({ code: 'FOLDER_INVALID', message });
  });
});
