import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleFeed, questions } from '../consumers/export/support/questions.ts';
import { runLectern } from '../support/lectern.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-feed-commands-'));
  const { output } = await buildSampleFeed();
  for (const path of output.paths()) {
    await mkdir(dirname(join(folder, 'dist', path)), { recursive: true });
    await writeFile(join(folder, 'dist', path), output.text(path));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('lectern feed ask', () => {
  const ask = async (rows: readonly (readonly [string, string])[], ...flags: readonly string[]) => {
    const lines = rows.map(([question, article]) => JSON.stringify({ question, article, language: 'en' }));
    await writeFile(join(folder, 'questions.jsonl'), lines.join('\n'));
    return runLectern(['feed', 'ask', 'questions.jsonl', ...flags], { cwd: folder });
  };

  it('measures the search of lectern mcp', async () => {
    const { code, stdout, stderr } = await ask(questions, '--min-hit3', '90', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ questions: questions.length, hit3: 100, misses: [] });
  });

  it('lists the misses with what was found, and fails below --min-hit3', async () => {
    const [first = ['', '']] = questions;
    const { code, stdout, stderr } = await ask([first, [first[0], '3xQp7Wd5Kt']], '--min-hit3', '85');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^line 2: .*\n {2}expected .*\(3xQp7Wd5Kt\): .*\n {2}found {4}.*\(8jPy5Wn1Fb\)/);
    expect(stdout).toMatch(/\n2 questions: hit@1 50\.0%, hit@3 50\.0%, MRR 0\.\d{3}\n$/);
    expect(stderr).toContain('HIT_RATE_LOW: hit@3 is 50.0%, below 85%');
  });

  it('names the line of an article that is not in the feed', async () => {
    const { code, stderr } = await ask([['x', 'nope']]);
    expect(code).toBe(2);
    expect(stderr).toContain('line 1: the article nope is not in the feed in en');
  });
});

describe('lectern feed notify', () => {
  let server: Server;
  let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let statuses: number[] = [];
  let manifest: string;
  beforeAll(async () => {
    const { output } = await buildSampleFeed();
    manifest = output.text('feed/manifest.json');
    server = createServer((request, response) => {
      if (request.url === '/site/feed/manifest.json') return void response.end(manifest);
      let body = '';
      request.on('data', (data: Buffer) => {
        body += data.toString();
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.statusCode = statuses.shift() ?? 204;
        if (response.statusCode === 429) response.setHeader('retry-after', '0');
        if (response.statusCode === 302) response.setHeader('location', '/elsewhere');
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const config = { siteUrl: `${origin}/site`, output: { notify: [`${origin}/hook?token=hidden`] } };
    await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(config));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const env = { LECTERN_WEBHOOK_SECRET: Buffer.alloc(32, 1).toString('base64') };
  const notify = async (answers: readonly number[], ...flags: readonly string[]) => {
    received = [];
    statuses = [...answers];
    const result = await runLectern(['feed', 'notify', '--insecure-loopback', ...flags], {
      cwd: folder,
      env,
    });
    expect(result.stdout + result.stderr).not.toContain('hidden');
    return result;
  };

  it('does not follow redirects', async () => {
    const { code, stderr } = await notify([302]);
    expect([code, received.length]).toEqual([1, 1]);
    expect(stderr).toContain('NOTICE_FAILED');
  });

  it('sends what is online once, and repeats it while the webhook is busy', async () => {
    const { code, stdout } = await notify([429, 503, 500]);
    expect([code, received.length]).toEqual([0, 4]);
    expect(stdout).toMatch(/^run 1, sent: http:\/\/127\.0\.0\.1:\d+\/hook\n$/);
    const { headers, body } = received[0] as (typeof received)[0];
    expect(new Set(received.map((one) => one.body)).size).toBe(1);
    expect(headers['webhook-id']).toMatch(/^[0-9a-f]{32}\.1$/);
    expect(headers['webhook-signature']).toMatch(/^v1,/);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toMatchObject({ type: 'feed.published', data: { seq: 1 } });
    expect((await notify([])).stdout).toMatch(/^run 1, sent before: /);
    expect(received).toEqual([]);
    await notify([], '--force');
    expect(received).toHaveLength(1);
  });
});
