import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppliedFeed } from '../../src/consumer/applied-feed.ts';
import { buildSample } from '../feed/support/build-sample.ts';
import { fc, runs } from '../support/properties.ts';
import { describeWith } from '../support/tools.ts';
import { type Consumer, checkConsumer, type Store, servePublished, steps } from './support/conformance.ts';
import { type ApplySigned, checkAddresses, checkSignatures } from './support/signatures.ts';

const clients = fileURLToPath(new URL('../../docs/clients', import.meta.url));
const driver = fileURLToPath(new URL('support/drive.py', import.meta.url));

describeWith('python', 'applying a feed in Python', (python) => {
  let folder: string;
  let cursors = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-apply-python-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Standard output; `null` for a program that was killed. */
  function run(...args: readonly string[]): Promise<string | null> {
    return new Promise((resolve, reject) => {
      execFile(python, [...args], { encoding: 'utf8' }, (error, stdout) => {
        if (error === null) resolve(stdout);
        else if (error.signal === 'SIGKILL') resolve(null);
        else reject(error);
      });
    });
  }

  function makeConsumer(): Consumer {
    const name = join(folder, String(cursors++));
    return {
      store: () => JSON.parse(readFileSync(`${name}.json`, 'utf8')) as Store,
      async apply(address, callsLeft) {
        const stdout = await run(driver, clients, address, name, `${name}.json`, String(callsLeft));
        return stdout === null ? null : (JSON.parse(stdout) as AppliedFeed);
      },
    };
  }

  it('gives the target what the feed holds, whatever was edited, moved, killed or half uploaded', {
    tags: 'property',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) => checkConsumer(all, makeConsumer())),
      { numRuns: runs(8) },
    );
  });

  const applySigned: ApplySigned = async (address, publicKeys, nowMs) => {
    const name = join(folder, 'signed');
    const more = [String(nowMs), ...(publicKeys === null ? [] : [JSON.stringify(publicKeys)])];
    const stdout = await run(driver, clients, address, name, `${name}.json`, '1000', ...more);
    return (JSON.parse(stdout ?? '') as { readonly status: string }).status;
  };

  it('accepts a signed feed only with a key that signed it, until it expires', async () => {
    await checkSignatures(applySigned);
  });

  it('reads plain http from this machine only, and follows no redirect to another protocol', async () => {
    await checkAddresses(applySigned);
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: 'https://help.example.com/feed/manifest.json' }).end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(applySigned(address, null, 0)).rejects.toThrow('redirect to another protocol');
    await new Promise((closed) => server.close(closed));
  });

  it('prints what changed as JSON Lines, for a program in another language', async () => {
    const server = await servePublished();
    const site = (title: string) => ({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title, markdown: 'Text.\n' } } }],
    });
    const published = await buildSample(site('A'));
    server.publish((path) => published.text(path));
    const command = join(clients, 'apply_feed.py');
    const first = (await run(command, server.address, join(folder, 'printed'))) ?? '';
    expect(JSON.parse(first)).toMatchObject({ op: 'upsert', embed: true, chunk: { title: 'A' } });
    expect(await run(command, server.address, join(folder, 'printed'))).toBe('');
    await server.stop();
  });
});
