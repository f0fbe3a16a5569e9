import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runLectern, startServiceProcess } from '../support/lectern.ts';
import { callService, makeFolder, startTestService } from './support/service.ts';

const data = ['--data', 'knowledge-base.sqlite'];

it('lectern service backup copies a service that is being written to, and lectern service restore brings the copy back', async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'seed.json'), '{"articles":[{"title":"First"}]}');
  const service = await startServiceProcess('seed.json', cwd);
  const access = { ...service, ca: readFileSync(service.ca, 'utf8') };
  let acknowledged = 1;
  let isDone = false;
  const write = async () => {
    while (!isDone) {
      const answer = await callService(access, '/article', {
        method: 'POST',
        body: { title: `Article ${acknowledged}`, body: '<p>Words of it</p>'.repeat(500) },
      });
      expect(answer.status).toBe(200);
      acknowledged += 1;
    }
  };
  const writing = write();
  const counts: { readonly before: number; readonly copied: number; readonly after: number }[] = [];
  for (const name of ['a.sqlite', 'b.sqlite', 'c.sqlite']) {
    const before = acknowledged;
    const { code, stdout, stderr } = await runLectern(['service', 'backup', name, ...data], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    counts.push({ before, copied: JSON.parse(stdout).articles, after: acknowledged + 1 });
  }
  isDone = true;
  await writing;
  for (const { before, copied, after } of counts) {
    expect(copied).toBeGreaterThanOrEqual(before);
    expect(copied).toBeLessThanOrEqual(after);
  }

  const restore = (...flags: string[]) =>
    runLectern(['service', 'restore', 'a.sqlite', ...data, ...flags], { cwd });
  const unasked = await restore();
  expect([unasked.code, unasked.stderr.includes('TARGET_EXISTS')]).toEqual([2, true]);
  const running = await restore('--force');
  expect([running.code, running.stderr.includes('DATA_UNUSABLE')]).toEqual([1, true]);
  expect((await callService(access, '/article')).json.articles).toHaveLength(acknowledged);
  await service.stop();
  const restored = await restore('--force');
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const copied = counts[0]?.copied;
  expect(JSON.parse(restored.stdout)).toMatchObject({ articles: copied, previous: expect.any(String) });

  for (const [file, count] of [
    ['knowledge-base.sqlite', copied],
    ['knowledge-base.sqlite.previous', acknowledged],
  ] as const) {
    const again = await startTestService({ data: join(cwd, file) });
    expect((await again.call('/article')).json.articles).toHaveLength(count ?? -1);
  }
});
