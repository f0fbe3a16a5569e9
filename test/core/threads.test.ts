import { expect, it, onTestFinished } from 'vitest';
import { LecternError } from '../../src/core/errors.ts';
import { DatabaseUnavailable } from '../../src/core/sqlite/sqlite.ts';
import { startThread } from '../../src/core/threads.ts';

const program = new URL('../../lib/core/', import.meta.url).href;

/** A thread that answers each call with the settings and the call, unless the call is the name of an error. */
function start(settings: string) {
  const script = `
    import { workerData } from 'node:worker_threads';
    const { answerCalls } = await import('${program}threads.js');
    const { LecternError } = await import('${program}errors.js');
    const { DatabaseUnavailable } = await import('${program}sqlite/sqlite.js');
    const errors = {
      lectern: () => new LecternError('SOME_CODE', 'a message', { hint: 'a hint', exitCode: 2 }),
      database: () => new DatabaseUnavailable('full', new Error('no room')),
      bug: () => new TypeError('a bug'),
      text: () => 'a text',
    };
    if (workerData === 'broken') throw errors.database();
    answerCalls(async (call) => {
      if (call === 'exit') process.exit(7);
      if (call in errors) throw errors[call]();
      return [workerData, call];
    });`;
  const thread = startThread<string, readonly string[]>(
    new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    { settings, errors: [LecternError, DatabaseUnavailable] },
  );
  onTestFinished(() => thread.terminate());
  return thread;
}

it('answers calls, and rejects with the error of the call, in its class', async () => {
  const thread = start('given');
  expect(await Promise.all([thread.call('a'), thread.call('b')])).toEqual([
    ['given', 'a'],
    ['given', 'b'],
  ]);
  const errorOf = (call: string) => thread.call(call).catch((error: unknown) => error);
  const error = await errorOf('lectern');
  expect(error).toBeInstanceOf(LecternError);
  expect(error).toMatchObject({ code: 'SOME_CODE', message: 'a message', hint: 'a hint', exitCode: 2 });
  const unavailable = await errorOf('database');
  expect(unavailable).toBeInstanceOf(DatabaseUnavailable);
  expect(unavailable).toMatchObject({ reason: 'full', cause: { message: 'no room' } });
  const bug = await errorOf('bug');
  expect(bug).toMatchObject({ name: 'TypeError', message: 'a bug' });
  expect((bug as Error).stack).toContain('data:text/javascript');
  expect(await errorOf('text')).toMatchObject({ message: 'a text' });
  expect(thread.failure()).toBeNull();
  expect(thread.pending()).toBe(0);
});

it('rejects all calls of a thread that has ended with the reason', async () => {
  const thread = start('given');
  const calls = await Promise.allSettled([thread.call('exit'), thread.call('a')]);
  for (const call of [...calls, ...(await Promise.allSettled([thread.call('b')]))]) {
    expect(call).toMatchObject({ status: 'rejected', reason: { message: 'a thread ended with 7' } });
  }
  const broken = start('broken');
  await expect(broken.call('a')).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(broken.failure()).toMatchObject({ reason: 'full' });
});

it('ends when it is closed', async () => {
  const thread = start('given');
  const answer = thread.call('a');
  await thread.close();
  expect(await answer).toEqual(['given', 'a']);
  await expect(thread.call('b')).rejects.toThrow('a thread ended with 0');
});
