import { expect, it } from 'vitest';
import { createThreads } from '../../src/pipeline/threads.ts';

/** Answers with the number of its thread, after as many milliseconds as the task says. */
const script = `
  const { parentPort, threadId } = require('node:worker_threads');
  let last = Promise.resolve();
  parentPort.once('message', () => parentPort.on('message', (ms) => {
    last = last.then(() => new Promise((done) => setTimeout(done, ms)));
    last.then(() => parentPort.postMessage({ result: threadId }));
  }));`;

it('a costly task keeps a thread from others until it is done', async () => {
  const threads = createThreads<null, number, number>(
    new URL(
      `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('file:///');${script}`)}`,
    ),
    8,
  );
  threads.start(null, 2);
  const costly = threads.run(50, 10);
  const small = await Promise.all([1, 2, 3, 4].map(() => threads.run(0)));
  expect(new Set(small).size).toBe(1);
  expect(small).not.toContain(await costly);
  const equal = await Promise.all([threads.run(0), threads.run(0)]);
  expect(new Set(equal).size).toBe(2);
  await threads.stop();
});

it('refuses tasks after a thread ended, even if others have less to do', async () => {
  const threads = createThreads<null, number, number>(
    new URL(
      `data:text/javascript,${encodeURIComponent("import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', (task) => { if (task === 1) process.exit(1); if (task !== null) parentPort.postMessage({ result: threadId }); });")}`,
    ),
    8,
  );
  threads.start(null, 2);
  await expect(threads.run(1, 10)).rejects.toThrow('a thread ended with 1');
  await expect(threads.run(0)).rejects.toThrow('a thread ended with 1');
  await threads.stop();
});
