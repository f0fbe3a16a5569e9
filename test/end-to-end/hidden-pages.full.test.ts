import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const future = '2099-01-01T00:00:00Z';
const past = '2020-01-01T00:00:00Z';

/** Front matter that hides a page, as the documentation says. */
const documented = [
  'draft: true',
  'Draft: true',
  'DRAFT: "true"',
  'draft: yes',
  'published: false',
  'is_published: false',
  'Is_Published: False',
  'isPublished: false',
  'publish: off',
  'is_live: 0',
  'private: true',
  'is_private: true',
  'internal: true',
  'hidden: true',
  'unlisted: true',
  'protected: true',
  'status: draft',
  'Status: Draft',
  'visibility: team',
  'permission_groups: [staff]',
  `publish_at: ${future}`,
  `Publish_At: ${future}`,
  `publishAt: "${future}"`,
  `unpublish_at: ${past}`,
  `publishDate: ${future}`,
  `publish_at: ${future}\nunpublish_at: ${past}`,
  `date: ${future}`,
  `expiryDate: ${past}`,
];

/** Front matter that probably hides a page; it is reported. */
const doubtful = [
  'is_published: null',
  'is_published: soon',
  'is_private: maybe',
  'draft: 2',
  'publish_at: 2099-01-01',
  'publish_at: tomorrow',
  'drafft: true',
  'darft: true',
  'draf: true',
  'dradt: true',
  'pubished: false',
  'is_publised: false',
  'hiden: true',
  'privat: true',
  'statsu: draft',
  `publsh_at: ${future}`,
  'visiblity: team',
  'is_draft: true',
  'isDraft: true',
  'state: draft',
  'stage: draft',
  'wip: true',
  'unpublished: true',
  'public: false',
  'visible: false',
  'listed: false',
  'live: false',
  'enabled: false',
  'restricted: true',
  'confidential: true',
  'archived: true',
  'archived: yes',
  `expires: ${past}`,
  'expires: 2020-01-01',
  'expires: tomorrow',
  `published_at: ${future}`,
  'robots: noindex',
  'robots: noindex, nofollow',
  'robots: {index: false}',
  'noindex: true',
  'exclude: true',
  'hide: true',
];

/** Front matter that sounds similar and hides nothing. */
const shown = [
  'draft: false',
  'draft: no',
  'Draft: "false"',
  'is_published: true',
  'published: 2020-01-01',
  'publish_at: null',
  `publish_at: ${past}`,
  `unpublish_at: ${future}`,
  'visibility: public',
  'drafft: false',
  'wip: false',
  'wip:',
  'archived: no',
  'public: true',
  'robots: index, follow',
  'noindex: false',
  'expires: never',
  `expires: ${future}`,
  'status: new',
  'state: California',
  'hide: [toc, navigation]',
  'exclude: [search]',
  'released: 2.0',
  'interval: 5',
  'group: Settings',
  'role: editor',
  'link: https://example.com',
  'data: x',
  'level: 3',
  'removed: v3',
];

/** Whole files that look as if they had front matter, which Lectern does not read. Each contains the word in fields or text. */
const unread = [
  '<!-- note -->\n---\ntitle: WORD\ndraft: true\n---\nWORD\n',
  '---yaml\ntitle: WORD\ndraft: true\n---\nWORD\n',
  '----\ntitle: WORD\ndraft: true\n----\nWORD\n',
  '--\ntitle: WORD\ndraft: true\n--\nWORD\n',
  '—\ntitle: WORD\ndraft: true\n—\nWORD\n',
  ';;;\n{"title": "WORD", "draft": true}\n;;;\nWORD\n',
  '\n{\n  "title": "WORD",\n  "draft": true\n}\nWORD\n',
  '++++\ntitle = "WORD"\ndraft = true\n++++\nWORD\n',
  '\n+++\ntitle = "WORD"\ndraft = true\n+++\nWORD\n',
  '+++\ntitle = "WORD"\ndraft = true\n+++\nWORD\n',
  'title: WORD\ndraft: true\n---\nWORD\n',
  '---\ntitle: WORD\ndraft: true\n\nWORD\n',
];

/** Whole files with front matter in an unusual place or form that is read: their pages are drafts. */
const unusual = [
  '\n---\ntitle: WORD\ndraft: true\n---\nWORD\n',
  '\n\n  \n---\ntitle: WORD\ndraft: true\n---\nWORD\n',
  '\uFEFF---\ntitle: WORD\ndraft: true\n---\nWORD\n',
  '\uFEFF\uFEFF---\ntitle: WORD\ndraft: true\n---\nWORD\n',
  '---\rtitle: WORD\rdraft: true\r---\rWORD\r',
  '---\r\ntitle: WORD\r\ndraft: true\r\n---\r\nWORD\r\n',
];

/** Comments for writers. */
const comments = [
  '[comment]: <> (WORD)',
  '[comment]: # (WORD)',
  '[comment]: # "WORD"',
  "[//]: # 'WORD'",
  '[//]: # (WORD (with brackets) in it)',
  '[//]: <> (WORD\nWORD)',
  '[any]: # (WORD)',
  '[comment]: WORD',
  'Text before\n[//]: # (WORD)\nand after.',
  'Text %%WORD%% and more.',
  '%%\nWORD\n\nWORD\n%%',
  '%% WORD\n\nWORD\n\n- WORD %%',
  '<!-- WORD -->',
  'Text <!-- WORD --> and more.',
  'Text <!-- WORD\n\nWORD --> and more.',
  '- a\n\n<!-- WORD -->\n\n- b',
  '> Quoted\n> <!-- WORD -->',
  '| a |\n| - |\n| b <!-- WORD --> |',
  'Text\n\n<!-- WORD\n\nWORD',
];

const words = new Map<string, string>();
/** A word that is in no other page. */
function wordOf(kind: string, at: number): string {
  const word = `zq${kind}${String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))}xw`;
  words.set(word, kind);
  return word;
}

const files: Record<string, string> = { 'index.md': '# Home\n\nHello\n' };
const pages = (kind: string, all: readonly string[], make: (one: string, word: string) => string): string[] =>
  all.map((one, at) => {
    const word = wordOf(kind, at);
    files[`${kind}/${word}-page.md`] = make(one, word);
    return word;
  });
const withFields = (fields: string, word: string): string =>
  `---\ntitle: Title ${word}\n${fields}\n---\nText ${word}.\n`;
const withWord = (text: string, word: string): string => text.replaceAll('WORD', word);

const known = {
  documented: pages('documented', documented, withFields),
  doubtful: pages('doubtful', doubtful, withFields),
  shown: pages('shown', shown, withFields),
  unread: pages('unread', unread, withWord),
  unusual: pages('unusual', unusual, withWord),
};
// The names of these pages must not have the word.
const commented = comments.map((text, at) => {
  const word = wordOf('comment', at);
  files[`comment/page-${at}.md`] = `# Page ${at}\n\nFirst.\n\n${withWord(text, word)}\n`;
  return word;
});
files['code.md'] =
  '# Code\n\nInline `%%zqinline%%` and `<!-- zqspan -->`.\n\n```md\n[comment]: # (zqdefinition)\n<!-- zqblock -->\n%% zqpercent %%\n```\n\n' +
  'Up to [top] and [comment].\n\n[top]: # (Go to the top)\n[comment]: https://example.com/zqtarget\n\nA hundred %% sure.\n';

let folder: string;
let stdout: string;
let problems: readonly { readonly code: string; readonly file: string | null; readonly message: string }[];
/** All bytes of the output, in one text. */
let output: string;

beforeAll(async () => {
  folder = temporaryFolder();
  writeTree(join(folder, 'docs'), files);
  // A name that is not UTF-8.
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/docs/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
    '# zqlatin\n',
  );
  mkdirSync(Buffer.concat([Buffer.from(`${folder}/docs/dir`), Buffer.from([0xe9])]));
  const command = [
    'build',
    '--source',
    './docs',
    '--site-url',
    'https://help.example.com',
    '--report',
    'report.json',
  ];
  const result = await runLectern(command, { cwd: folder });
  expect(result).toMatchObject({ code: 0 });
  stdout = result.stdout;
  problems = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).problems;
  output = [...(await readTree(join(folder, 'dist')))]
    .map(([path, bytes]) => `${path}\n${bytes.toString('latin1')}`)
    .join('\n');
}, 120_000);

/** How a page of a list hides, for the words that are in the output. */
function published(list: readonly string[], texts: readonly string[]): string[] {
  return texts.filter((_text, at) => output.includes(list[at] as string));
}

function unreported(kind: string, list: readonly string[], texts: readonly string[]): string[] {
  return texts.filter(
    (_text, at) => !problems.some(({ file }) => file === `docs/${kind}/${list[at]}-page.md`),
  );
}

describe('a page of a plain folder', () => {
  it('is not published with a field that hides it, in whatever spelling', () => {
    expect(published(known.documented, documented)).toEqual([]);
  });

  it('is not published, and reported, with a field that probably means to hide it', () => {
    expect(published(known.doubtful, doubtful)).toEqual([]);
    expect(unreported('doubtful', known.doubtful, doubtful)).toEqual([]);
    const of = (field: string) => problems.find(({ message }) => message.includes(`: ${field}`));
    expect(
      [of('drafft'), of('wip'), of('is_published: null')].map((one) => [
        one?.code,
        one?.message.replace(/^\S+ /, ''),
      ]),
    ).toEqual([
      ['VISIBILITY_UNKNOWN', 'drafft: true is probably meant to be draft; correct or remove the field'],
      [
        'VISIBILITY_UNKNOWN',
        'wip: true seems to hide the page; write draft: true to hide it, or remove the field to publish it',
      ],
      [
        'VISIBILITY_UNKNOWN',
        'is_published: null is not a value that the field can have; correct or remove it',
      ],
    ]);
  });

  it('is published with a field that plainly does not hide it', () => {
    expect(published(known.shown, shown)).toEqual(shown);
  });

  it('is not published if its first lines look like front matter that is not read, and reported as an error', () => {
    expect(published(known.unread, unread)).toEqual([]);
    expect(unreported('unread', known.unread, unread)).toEqual([]);
  });

  it('is a draft with front matter after blank lines, a mark of byte order, or with other line ends', () => {
    expect(published(known.unusual, unusual)).toEqual([]);
    expect(unreported('unusual', known.unusual, unusual)).toEqual(unusual);
  });

  it('is published without the comments of its writers', () => {
    expect(published(commented, comments)).toEqual([]);
    for (const [at] of comments.entries()) expect(output).toContain(`page-${at}/index.html`);
  });

  it('keeps comments in code, and definitions that links use', () => {
    for (const word of [
      'zqinline',
      'zqspan',
      'zqdefinition',
      'zqblock',
      'zqpercent',
      'zqtarget',
      'A hundred %% sure',
    ])
      expect([word, output.includes(word)]).toEqual([word, true]);
  });

  it('is reported if its name is not UTF-8, and the others are published', () => {
    expect(output).not.toContain('zqlatin');
    expect(stdout).toContain('is not UTF-8; rename it');
    expect(problems.filter(({ message }) => message.includes('is not UTF-8')).length).toBe(2);
  });
});
