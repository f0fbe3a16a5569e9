import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runLectern, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callService, startTestService } from './support/service.ts';

const data = ['--data', 'knowledge-base.sqlite'];

it('lectern service backup copies a service that is being written to, and lectern service restore brings the copy back', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'seed.json'), '{"articles":[{"title":"First"}]}');
  const service = await serveSeed('seed.json', cwd);
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

  const restore = () => runLectern(['service', 'restore', 'a.sqlite', ...data], { cwd });
  const taken = await restore();
  expect([taken.code, taken.stderr.includes('TARGET_EXISTS')]).toEqual([2, true]);
  expect((await callService(access, '/article')).json.articles).toHaveLength(acknowledged);
  await service.stop();
  // As the hint says, with the files beside it, which end with the process of the service.
  for (const end of ['', '-wal', '-shm'].filter((end) =>
    existsSync(join(cwd, `knowledge-base.sqlite${end}`)),
  ))
    renameSync(join(cwd, `knowledge-base.sqlite${end}`), join(cwd, `previous.sqlite${end}`));
  const restored = await restore();
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const copied = counts[0]?.copied;
  expect(JSON.parse(restored.stdout)).toMatchObject({ articles: copied });
  const again = await startTestService({ data: join(cwd, 'knowledge-base.sqlite') });
  expect((await again.call('/article')).json.articles).toHaveLength(copied ?? -1);
});
