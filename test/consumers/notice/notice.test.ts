import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  makeNotice,
  type Notice,
  parseWebhookSecrets,
  signNotice,
} from '../../../src/consumers/notice/notice.ts';
import { sendNotices } from '../../../src/consumers/notice/send-notices.ts';
import { LecternError } from '../../../src/core/errors.ts';

const feedId = '0123456789abcdef0123456789abcdef';
const feedUrl = 'https://help.example.com/feed/manifest.json';
const manifest = (seq: number): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      site: { title: 'Help', url: 'https://help.example.com/' },
      run: { feed_id: feedId, seq, status: 'complete', built_at: '2026-03-02T09:00:00.000Z' },
      languages: [
        { language: 'en', documents: 4, chunks: 9, tokens: 1 },
        { language: 'dé', documents: 3, chunks: 5, tokens: 1 },
      ],
    }),
  );
const notice = makeNotice(manifest(12), feedUrl);

describe('a notice', () => {
  it('says which run is online, and how much it has', () => {
    expect(notice).toEqual({
      id: `${feedId}.12`,
      feedId,
      seq: 12,
      body: {
        type: 'feed.published',
        timestamp: '2026-03-02T09:00:00.000Z',
        data: {
          site: 'https://help.example.com/',
          feed_url: feedUrl,
          feed_id: feedId,
          seq: 12,
          built_at: '2026-03-02T09:00:00.000Z',
          documents: 7,
          chunks: 14,
          languages: [
            { language: 'en', documents: 4, chunks: 9 },
            { language: 'dé', documents: 3, chunks: 5 },
          ],
        },
      },
    });
  });

  it.each(['', '<html>', '[]', '{"run":{"seq":1}}'])('is not made of what is no manifest: %s', (text) => {
    expect(() => makeNotice(Buffer.from(text), feedUrl)).toThrow(`${feedUrl} is not the manifest of a feed`);
  });

  it('has the headers of Standard Webhooks, with a signature per secret', () => {
    const secrets = parseWebhookSecrets(
      `whsec_${Buffer.alloc(24, 1).toString('base64')} ${Buffer.alloc(24, 2).toString('base64')}`,
    );
    const headers = signNotice(notice, secrets, 1614265330_999);
    expect(headers).toMatchObject({ 'webhook-id': `${feedId}.12`, 'webhook-timestamp': '1614265330' });
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  });

  it.each(['', ' ', 'short', 'not base64 at all but quite long enough!!', 'whsec_'])(
    'is not signed with a weak secret: %j',
    (secret) => {
      expect(() => parseWebhookSecrets(secret)).toThrow(/^LECTERN_WEBHOOK_SECRET is not (?:set|a secret)$/);
    },
  );
});

describe('the examples of docs/notices.md', () => {
  const secret = Buffer.alloc(32, 7).toString('base64');
  const other = Buffer.alloc(32, 8).toString('base64');
  const body = JSON.stringify(notice.body);
  const at = (ms: number, key = `${other} whsec_${secret}`) =>
    signNotice(notice, parseWebhookSecrets(key), ms);
  const cases = (): readonly (readonly [Record<string, string>, string, boolean])[] => {
    const now = Date.now();
    return [
      [at(now), body, true],
      [at(now), `${body} `, false],
      [at(now, other), body, false],
      [at(now - 400_000), body, false],
      [{ ...at(now), 'webhook-id': 'x' }, body, false],
    ];
  };
  const example = async (language: string): Promise<string> => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/notices.md'), 'utf8');
    const [, code = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
    return code;
  };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-notice-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('accept in JavaScript what is signed with their secret, and nothing else', async () => {
    const file = join(folder, 'example.mjs');
    await writeFile(file, await example('js'));
    const { isAuthentic } = (await import(file)) as {
      isAuthentic: (headers: Record<string, string>, body: string, secret: string) => boolean;
    };
    for (const [headers, text, expected] of cases())
      expect(isAuthentic(headers, text, secret)).toBe(expected);
  });

  it('accept the same in Python', async (context) => {
    try {
      execFileSync('python3', ['--version']);
    } catch {
      context.skip();
    }
    const file = join(folder, 'example.py');
    const calls =
      'import json, sys\nprint(json.dumps([is_authentic(*one) for one in json.load(sys.stdin)]))\n';
    await writeFile(file, `${await example('python')}\n${calls}`);
    const input = JSON.stringify(cases().map(([headers, text]) => [headers, text, secret]));
    const output = execFileSync('python3', [file], { input, encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual(cases().map(([, , expected]) => expected));
  });
});

describe('sending', () => {
  let folder: string;
  let stateFile: string;
  let sent: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-notice-'));
    stateFile = join(folder, 'cache/notices.json');
    sent = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const hooks = ['https://a.example.com/hook?token=secret', 'https://b.example.com/hook'];
  const send = (one: Notice, changes: { isForced?: boolean; failing?: string } = {}) =>
    sendNotices(hooks, one, {
      stateFile,
      isForced: changes.isForced ?? false,
      post: async (url, { seq }) => {
        if (url === changes.failing) throw new LecternError('TIMEOUT', 'too slow', { hint: '' });
        sent.push(`${seq} ${url}`);
      },
    });

  it('tells each webhook of a run once, unless forced', async () => {
    expect((await send(notice)).map(({ outcome }) => outcome)).toEqual(['sent', 'sent']);
    expect((await send(notice)).map(({ outcome }) => outcome)).toEqual(['known', 'known']);
    expect((await send(makeNotice(manifest(11), feedUrl))).map(({ outcome }) => outcome)).toEqual([
      'known',
      'known',
    ]);
    expect(sent).toEqual(hooks.map((hook) => `12 ${hook}`));
    await send(notice, { isForced: true });
    await send(makeNotice(manifest(13), feedUrl));
    expect(sent).toHaveLength(6);
    await send({ ...notice, feedId: 'f'.repeat(32), seq: 1 });
    expect(sent).toHaveLength(8);
  });

  it('repeats only what failed, and shows and stores no secret of a URL', async () => {
    const deliveries = await send(notice, { failing: hooks[0] as string });
    expect(deliveries).toEqual([
      { url: 'https://a.example.com/hook', outcome: 'failed', error: 'too slow' },
      { url: 'https://b.example.com/hook', outcome: 'sent', error: null },
    ]);
    sent = [];
    await send(notice);
    expect(sent).toEqual([`12 ${hooks[0]}`]);
    expect(await readFile(stateFile, 'utf8')).not.toContain('secret');
  });

  it('starts again with a damaged state', async () => {
    await send(notice);
    await writeFile(stateFile, '{"schema":"lectern/notices/1"');
    expect((await send(notice)).map(({ outcome }) => outcome)).toEqual(['sent', 'sent']);
  });
});
