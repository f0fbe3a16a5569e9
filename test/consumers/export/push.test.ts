import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pushVendors } from '../../../src/consumers/export/push/vendors.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { MemoryOutput } from '../../feed/support/memory-output.ts';
import type { SampleSite } from '../../feed/support/sample-plan.ts';
import { fc, runs, timeLimit } from '../../support/properties.ts';
import { serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pushSample as push } from './support/push-sample.ts';
import {
  type Fault,
  type PushedTarget,
  pushedTargets,
  startVendor,
  vendorKey,
} from './support/vendor-servers.ts';

let folder: string;
let builds: readonly MemoryOutput[];
let cursors = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  const first = await buildSample(site(['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.']));
  // A text and a URL change, and an article is gone.
  const second = await buildSample(site(['One.', 'Changed.', 'Three.', 'Four.', 'Five.'], 'moved'), {
    previous: first,
  });
  const third = await buildSample(site(['One.', 'Changed.', 'Again.', 'Four.', 'Five.', 'New.'], 'moved'), {
    previous: second,
  });
  builds = [first, second, third];
});

function site(texts: readonly string[], slug = 'first'): SampleSite {
  return {
    languages: ['en', 'de'],
    articles: texts.map((text, at) => ({
      id: `article00${at}`,
      tags: ['ink', 'paper'],
      updatedAt: '2026-03-01T10:00:00Z',
      ...(at === 0 ? { slug } : {}),
      pages: {
        en: { title: `Title ${at}`, markdown: `${text}\n\n## Part\n\n${`Words of ${text} `.repeat(40)}\n` },
        de: { title: `Titel ${at}`, markdown: `${text} (de)\n` },
      },
    })),
  };
}

const newCursor = () => join(folder, `cursor-${cursors++}.jsonl`);

/** What the platform has after everything was pushed at once. */
async function wholeStore(target: PushedTarget, build: MemoryOutput): Promise<object> {
  const server = await startVendor(target);
  await push(target, server, build, { cursor: newCursor() });
  return Object.fromEntries(server.store);
}

describe.each(pushedTargets)('a push to %s', (target) => {
  it('sends everything, then only changes, then nothing', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    const counts: number[] = [];
    for (const build of builds) {
      const { report } = await push(target, server, build, { cursor });
      expect(report.problems).toEqual([]);
      expect(Object.fromEntries(server.store)).toEqual(await wholeStore(target, build));
      counts.push(report.upserts + report.updates + report.deletes);
    }
    expect(counts[1]).toBeLessThan(counts[0] ?? 0);
    const before = server.requests.length;
    const { report } = await push(target, server, builds[2] as MemoryOutput, { cursor });
    expect(report).toMatchObject({ upserts: 0, updates: 0, deletes: 0, resumed: false });
    expect(server.requests.length).toBe(before);
  });

  it('survives resets, lost responses, 429, 500 and 503, and waits as long as the server asks', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    const faults: readonly Fault[] = ['reset', null, null, 429, null, 'lost', null, 503, null, 500, null];
    server.fault = (count) => faults[count % faults.length] ?? null;
    const waits: number[] = [];
    for (const build of builds) {
      const pushed = await push(target, server, build, { cursor });
      waits.push(...pushed.waits);
      expect(pushed.report.problems).toEqual([]);
    }
    expect(Object.fromEntries(server.store)).toEqual(await wholeStore(target, builds[2] as MemoryOutput));
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(7000);
  });

  it('is continued after a kill at any request, also if the feed has changed', async () => {
    const expected = await wholeStore(target, builds[1] as MemoryOutput);
    let isKilled = true;
    for (let at = 1; isKilled; at += 1) {
      const server = await startVendor(target);
      const cursor = newCursor();
      // The connection never comes back: nothing but the state on disk is left of the run.
      server.fault = (count) => (count < at ? null : count === at ? 'lost' : 'reset');
      isKilled = await push(target, server, builds[0] as MemoryOutput, { cursor }).then(
        () => false,
        () => true,
      );
      server.fault = () => null;
      const { report } = await push(target, server, builds[1] as MemoryOutput, { cursor });
      expect(Object.fromEntries(server.store), `killed at request ${at}`).toEqual(expected);
      expect(report.resumed).toBe(isKilled);
    }
  });

  it('reports items that are refused, sends the others, and sends them again the next time', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    server.poison = 'Three.';
    const { report } = await push(target, server, builds[0] as MemoryOutput, { cursor });
    expect(report.problems.length).toBeGreaterThan(0);
    for (const { code, severity } of report.problems) {
      expect([code, severity]).toEqual(['PUSH_ITEM_REFUSED', 'error']);
    }
    const expected = await wholeStore(target, builds[0] as MemoryOutput);
    const missing = Object.keys(expected).filter((id) => !server.store.has(id));
    expect(missing.length).toBe(report.problems.length);
    expect(missing.every((id) => id.includes('article002'))).toBe(true);
    server.poison = null;
    const again = await push(target, server, builds[0] as MemoryOutput, { cursor });
    expect(again.report.problems).toEqual([]);
    expect(Object.fromEntries(server.store)).toEqual(expected);
  });

  it('sends everything else if the first half of a batch is refused, or all of a later one', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    const count = (text: string, times: number) => Array.from({ length: times }, () => text);
    const first = await buildSample(site([...count('Bad.', 12), ...count('Good.', 12)]));
    server.poison = 'Bad.';
    const { report } = await push(target, server, first, { cursor });
    const whole = Object.keys(await wholeStore(target, first));
    const refused = whole.filter((id) => /article00(?:\d|1[01])-/.test(id));
    expect([...server.store.keys()].sort()).toEqual(whole.filter((id) => !refused.includes(id)).sort());
    expect(report.problems.length).toBe(refused.length);
    // Later batches have only articles of one language.
    server.poison = '(de)';
    const second = await push(target, server, first, { cursor });
    expect(second.report.problems.length).toBe(12);
    expect([...server.store.keys()].filter((id) => /-en-/.test(id)).sort()).toEqual(
      whole.filter((id) => /-en-/.test(id)).sort(),
    );
    server.poison = null;
    await push(target, server, first, { cursor });
    expect(Object.fromEntries(server.store)).toEqual(await wholeStore(target, first));
  });

  it('plans without a request and without a change of its cursor', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    await push(target, server, builds[0] as MemoryOutput, { cursor });
    const before = await readFile(cursor);
    const count = server.requests.length;
    const planned = await push(target, server, builds[1] as MemoryOutput, { cursor, dryRun: true });
    expect(server.requests.length).toBe(count);
    expect(await readFile(cursor)).toEqual(before);
    const { report } = await push(target, server, builds[1] as MemoryOutput, { cursor });
    expect(planned.report).toEqual({ ...report, isDryRun: true });
  });

  it('never writes or prints the key', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    const name = Object.keys(server.environment).find((variable) => variable.endsWith('_API_KEY')) ?? '';
    const wrong = 'wrong-key-9876543210';
    const environment = { ...server.environment, [name]: wrong };
    const failed = await push(target, server, builds[0] as MemoryOutput, { cursor, environment }).catch(
      (error: unknown) => error as Error & { hint: string; cause: unknown },
    );
    expect(failed).toMatchObject({ code: 'UNAUTHORIZED', hint: expect.stringContaining(name) });
    expect(failed instanceof Error ? `${failed.message} ${failed.stack}` : '').not.toContain(wrong);
    const { report } = await push(target, server, builds[0] as MemoryOutput, { cursor });
    const everything = `${JSON.stringify(report)}\n${await readFile(cursor, 'utf8')}`;
    expect(everything).not.toMatch(new RegExp(`${wrong}|${vendorKey}`));
  });

  it('needs its variables, and refuses the cursor of another destination', async () => {
    const server = await startVendor(target);
    const cursor = newCursor();
    const [required = ''] = pushVendors[target]?.variables.map(({ name }) => name) ?? [];
    await expect(
      push(target, server, builds[0] as MemoryOutput, { cursor, environment: {} }),
    ).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      exitCode: 2,
      message: `the environment variable ${required} is not set`,
    });
    await push(target, server, builds[0] as MemoryOutput, { cursor });
    const other = await startVendor(target);
    await expect(push(target, other, builds[0] as MemoryOutput, { cursor })).rejects.toMatchObject({
      code: 'CURSOR_UNUSABLE',
    });
  });
});

it('does not take an action for done of which Elasticsearch says nothing', async () => {
  const server = await serve((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const items = text.split('\n').flatMap((line) => (line.startsWith('{"index"') ? [{}] : []));
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ errors: false, items }));
    });
  });
  const environment = { ELASTICSEARCH_URL: server.origin };
  const vendor = await startVendor('elasticsearch');
  await expect(
    push('elasticsearch', vendor, builds[0] as MemoryOutput, { cursor: newCursor(), environment }),
  ).rejects.toMatchObject({
    code: 'BAD_RESPONSE',
    message: 'the response of the bulk API is not complete',
  });
});

it('pushes with random faults, refusals and kills end like one push of the last feed', {
  tags: 'property',
}, async () => {
  const fault = fc.constantFrom<Fault>(null, null, null, 'reset', 'lost', 429, 500, 503);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pushedTargets),
      fc.array(
        fc.record({
          build: fc.nat(2),
          faults: fc.array(fault),
          end: fc.nat(40),
          poison: fc.constantFrom(null, 'Three.', 'Changed.', '(de)'),
        }),
        { maxLength: 4 },
      ),
      async (target, steps) => {
        const server = await startVendor(target);
        const cursor = newCursor();
        let last = 0;
        for (const { build, faults, end, poison } of steps) {
          server.poison = poison;
          const start = server.requests.length;
          last = Math.max(last, build);
          server.fault = (count) => (count - start > end ? 'reset' : (faults[count - start] ?? null));
          await push(target, server, builds[last] as MemoryOutput, { cursor }).catch(() => {});
        }
        server.fault = () => null;
        server.poison = null;
        await push(target, server, builds[last] as MemoryOutput, { cursor });
        expect(Object.fromEntries(server.store)).toEqual(
          await wholeStore(target, builds[last] as MemoryOutput),
        );
      },
    ),
    { ...timeLimit, numRuns: runs(10) },
  );
});
