import { beforeEach, describe, expect, it } from 'vitest';
import { locateSecrets } from '../../src/feed/guard/secrets.ts';
import { createFolderReader } from '../../src/feed/read/feed-reader.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
  type WrittenText,
} from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

const core = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7';
const token = `ghp_${core}`;
let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

const article = (id: string, en: Partial<WrittenText> = {}, rest: Partial<WrittenArticle> = {}) => ({
  id,
  categoryId: null,
  texts: { en: { title: 'Title', body: '<p>Text.</p>', ...en } },
  ...rest,
});

/** Paths of the output that contain a part of the credential. */
async function leaks(part = core.slice(8, 20)): Promise<readonly string[]> {
  const tree = await readTree(project.out);
  return [...tree]
    .filter(([, bytes]) => bytes.toString().toLowerCase().includes(part.toLowerCase()))
    .map(([path]) => path);
}

async function expectVerified(): Promise<void> {
  const files = [...(await readTree(project.out)).keys()];
  const { findings } = await verifyFeed(createFolderReader(project.out).read, files);
  expect(findings).toEqual([]);
}

const image = (src: string, alt = 'x') => `<p><img src="${src}" alt="${alt}"></p>`;

describe('a credential in an article', () => {
  const places: readonly (readonly [string, Partial<WrittenText>, Partial<WrittenArticle>?])[] = [
    ['the text', { body: `<p>Use ${token} here.</p>` }],
    ['code', { body: `<pre><code class="language-bash">curl -H "Authorization: ${token}"</code></pre>` }],
    [
      'text with an element in it',
      { body: `<p>Use ghp_${core.slice(0, 10)}<b>${core.slice(10, 15)}</b>${core.slice(15)}.</p>` },
    ],
    [
      'text with entities and invisible characters',
      { body: `<p>&#103;hp_${core.slice(0, 10)}&shy;${core.slice(10, 15)}\u200b${core.slice(15)}</p>` },
    ],
    ['a heading', { body: `<h2>About ${token}</h2><p>Text.</p>` }],
    ['an id', { body: `<h2 id="${token}">About</h2><p>Text.</p>` }],
    ['a link', { body: `<p><a href="https://x.example/?token=${token}">a</a></p>` }],
    ['an image', { body: image(`https://x.example/${token}.png`) }],
    ['an alt text', { body: image('https://x.example/a.png', token) }],
    ['a table', { body: `<table><tr><th>Key</th></tr><tr><td>${token}</td></tr></table>` }],
    ...(
      [
        ['a comment', '<!-- x -->'],
        ['a script', '<script>x()</script>'],
        ['an image', '<svg><text>x</text></svg>'],
      ] as const
    ).flatMap(([what, cut]): (readonly [string, Partial<WrittenText>])[] => [
      [`text cut by ${what}`, { body: `<p>Use ${token.slice(0, 20)}${cut}${token.slice(20)} here.</p>` }],
      [
        `text with ${what} after every second character`,
        { body: `<p>Use ${token.replaceAll(/../g, `$&${cut}`)} here.</p>` },
      ],
    ]),
    [
      'the columns of a link and its text',
      { body: `<p>${token.slice(0, 20)}<a href="https://x.example/">${token.slice(20)}</a></p>` },
    ],
    ['the title', { title: `About ${token}` }],
    [
      'the title with an invisible character',
      { title: `About ghp_${core.slice(0, 10)}\u200b${core.slice(10)}` },
    ],
    ['the slug', { slug: token }],
    ['the description', { description: `About ${token}` }],
    ['a tag', {}, { tags: ['a', token] }],
  ];

  it.each(places.map(([where, en, rest = {}]) => [where, en, rest] as const))(
    'is replaced everywhere, and reported with its place: %s',
    async (_where, en, rest) => {
      await project.write([article('aaaaaaaaaa'), article('bbbbbbbbbb', en, rest)], []);
      const { problems, articles } = await project.build();
      expect(articles).toBe(2);
      expect(await leaks()).toEqual([]);
      const found = problems.filter(({ code }) => code === 'SECRET_FOUND');
      expect(found).not.toEqual([]);
      for (const one of found) {
        expect(one).toMatchObject({ severity: 'error', articleId: 'bbbbbbbbbb' });
        expect(one.message).toMatch(
          /^GitHub token ghp_aB…A7 in .+ was replaced by REDACTED, fingerprint [0-9a-f]{16}$/,
        );
      }
      await expectVerified();
      await expect(project.build({ site: { title: 'Other' } }, { strict: true })).rejects.toMatchObject({
        code: 'STRICT',
        exitCode: 1,
      });
    },
  );

  it('leaves the rest of the text, and the same words in page, twin, records and search', async () => {
    const body = `<h2>Keys</h2><p>Use <b>${token}</b> or <code>?api_key=q7Zk2mXw9Lp4Vt8Rb3Nc&amp;page=2</code>.</p>`;
    await project.write([article('aaaaaaaaaa', { body })], []);
    const { problems } = await project.build();
    const tree = await readTree(project.out);
    const textOf = (path: string): string => tree.get(path)?.toString() ?? '';
    expect(textOf('en/article/aaaaaaaaaa-title/index.html')).toContain(
      'Use <b>REDACTED</b> or <code>?api_key=REDACTED&amp;page=2</code>.',
    );
    for (const path of [
      'en/article/aaaaaaaaaa-title/index.html.md',
      'feed/en/documents.jsonl',
      'feed/en/chunks.jsonl',
      'feed/en/documents.jsonl',
    ])
      expect(textOf(path)).toContain('Use **REDACTED** or `?api_key=REDACTED&page=2`.');
    expect(problems.map(({ message, language }) => `${language}: ${message.replace(/, .*/, '')}`)).toEqual([
      'en: GitHub token ghp_aB…A7 in the text below "Keys" was replaced by REDACTED',
      'en: credential in a URL ?api_k…Nc in the text below "Keys" was replaced by REDACTED',
    ]);
  });

  const cuts = ['<span hidden>not published</span>', '<x-y></x-y>'];

  it.each(
    cuts.flatMap((cut) => [
      [`${cut} in the middle`, token.replace(/^.{20}/, `$&${cut}`)],
      [`${cut} after every second character`, token.replaceAll(/../g, `$&${cut}`)],
    ]),
  )('leaves out the text of an article whose credential is cut by %s', async (_, credential) => {
    const body = `<h2 id="guide">Guide</h2><p>Call ${credential} and read the guide.</p>`;
    await project.write(
      [article('aaaaaaaaaa', { body }), article('bbbbbbbbbb', { body: '<p>Another guide.</p>' })],
      [],
    );
    const { problems, articles } = await project.build();
    expect(articles).toBe(2);
    expect(await leaks()).toEqual([]);
    const parts = [token.slice(0, 8), 'read the guide'].map((part) => leaks(part));
    expect((await Promise.all(parts)).flat()).toEqual([]);
    expect(problems.filter(({ code }) => code === 'SECRET_FOUND')).toMatchObject([
      {
        severity: 'error',
        articleId: 'aaaaaaaaaa',
        language: 'en',
        message: expect.stringMatching(
          /^the text was left out, because markup takes GitHub token ghp_aB…A7 apart, fingerprint [0-9a-f]{16}$/,
        ),
      },
    ]);
    const again = (await project.build()).problems.map(({ code }) => code);
    expect(again).toContain('SECRET_FOUND');
    await expectVerified();
  });

  it('is a whole private key', async () => {
    const lines = Array.from({ length: 6 }, (_, at) => `${'MIIEvQIBADANBgkqhkiG9w0BAQ'.repeat(2)}${at}`);
    const key = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`;
    await project.write([article('aaaaaaaaaa', { body: `<pre>${key}\nnext line</pre>` })], []);
    await project.build();
    expect(await leaks('MIIEvQIBADANBgkqhkiG9w0BAQ')).toEqual([]);
    expect((await readTree(project.out)).get('feed/en/documents.jsonl')?.toString()).toContain(
      'REDACTED\\nnext line',
    );
  });

  it('is replaced in a category, too', async () => {
    const translations = [{ language: 'en', title: `About ${token}`, slug: null, description: token }];
    const category = { id: 'cccccccccc', parentId: null, icon: null, updatedAt: null, translations };
    await project.write([article('aaaaaaaaaa', {}, { categoryId: 'cccccccccc' })], [category]);
    const { problems } = await project.build();
    expect(await leaks()).toEqual([]);
    expect(problems.filter(({ code }) => code === 'SECRET_FOUND')).toMatchObject([
      { categoryId: 'cccccccccc', language: 'en' },
      { categoryId: 'cccccccccc', language: 'en' },
    ]);
  });

  it('is reported by every build, and an incremental build publishes what a clean one does', async () => {
    const write = (text: string) =>
      project.write(
        [
          article('aaaaaaaaaa', { body: `<p>${token}</p>` }),
          article('bbbbbbbbbb', { body: `<p>${text}</p>` }),
        ],
        [],
      );
    await write('one');
    await project.build();
    await write('two');
    const { problems } = await project.build();
    expect(problems).toMatchObject([{ code: 'SECRET_FOUND', articleId: 'aaaaaaaaaa' }]);
    const pages = async () =>
      [...(await readTree(project.out))]
        .filter(([path]) => path.startsWith('en/'))
        .map(([path, bytes]) => [path, bytes.toString()]);
    const incremental = await pages();
    await project.forget();
    await project.build({ out: 'clean' });
    expect(incremental).toEqual(
      [...(await readTree(`${project.folder}/clean`))]
        .filter(([path]) => path.startsWith('en/'))
        .map(([path, bytes]) => [path, bytes.toString()]),
    );
  });

  it('stays if its fingerprint is allowed, and goes as soon as it is not', async () => {
    await project.write([article('aaaaaaaaaa', { body: `<p>${token}</p>` })], []);
    const allowSecrets = locateSecrets(token).map(({ fingerprint }) => fingerprint);
    expect((await project.build({ feed: { allowSecrets } })).problems).toEqual([]);
    expect(await leaks()).not.toEqual([]);
    await project.build();
    expect(await leaks()).toEqual([]);
  });
});

describe('a well-known sample of a credential', () => {
  const awsKey = 'AKIAIOSFODNN7EXAMPLE';
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: '1234567890', name: 'John Doe' })}.${core}`;
  const samples = [
    ['AWS access key', 'AKIAIO…LE', awsKey],
    ['JSON Web Token', 'eyJhbG…A7', jwt],
  ] as const;

  it.each(samples)('is published, and only informs with its place: %s', async (kind, masked, sample) => {
    await project.write(
      [
        article('aaaaaaaaaa', {
          title: `About ${sample}`,
          body: `<h2>Keys</h2><p>Use ${sample} or <a href="https://x.example/?access_token=${sample}">a</a>.</p>`,
        }),
      ],
      [],
    );
    const { problems } = await project.build({}, { strict: true });
    const found = problems.filter(({ code }) => code.startsWith('SECRET_'));
    const isInfo = { code: 'SECRET_SAMPLE', severity: 'info', articleId: 'aaaaaaaaaa', language: 'en' };
    expect(found.map(({ message }) => message.replace(/, fingerprint [0-9a-f]{16}$/, ''))).toEqual([
      `${kind} ${masked} in the attribute href is a well-known sample`,
      `${kind} ${masked} in the text below "Keys" is a well-known sample`,
      `${kind} ${masked} in the title is a well-known sample`,
    ]);
    for (const one of found) expect(one).toMatchObject(isInfo);
    const tree = await readTree(project.out);
    expect(tree.get('feed/en/documents.jsonl')?.toString()).toContain(
      `Use ${sample} or [a](https://x.example/).`,
    );
    await project.write([article('aaaaaaaaaa', { body: `<p>${sample}</p>` })], []);
    const allowSecrets = found.map(({ message }) => message.slice(-16));
    expect((await project.build({ feed: { allowSecrets } })).problems).toEqual([]);
  });

  it('stays beside a credential that is replaced', async () => {
    await project.write([article('aaaaaaaaaa', { body: `<p>${awsKey} and <b>${token}</b></p>` })], []);
    const { problems } = await project.build();
    expect(problems.map(({ code }) => code).toSorted()).toEqual(['SECRET_FOUND', 'SECRET_SAMPLE']);
    expect((await readTree(project.out)).get('feed/en/documents.jsonl')?.toString()).toContain(
      `${awsKey} and **REDACTED**`,
    );
  });

  it('is not a placeholder', async () => {
    const body = `<p>ghp_${'x'.repeat(36)} AKIAXXXXXXXXXXXXXXXX ?api_key=your-api-key-1234567</p>`;
    await project.write([article('aaaaaaaaaa', { body })], []);
    expect((await project.build()).problems).toEqual([]);
  });
});
