import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSendAnswer } from '../../../src/service/http/send-answer.ts';

const minuteMs = 60_000;

/** A response whose connection has room only when the test says so, with timers that the test advances. */
function createResponse() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const writes: { readonly length: number; readonly done: () => void }[] = [];
  let bytes = 0;
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writes.push({ length: chunk.length, done });
    },
  });
  const request = new IncomingMessage(socket as Socket);
  request.method = 'GET';
  const response = new ServerResponse(request);
  // As a server does.
  socket.on('drain', () => response.emit('drain'));
  return {
    response,
    connect: () => response.assignSocket(socket as Socket),
    isCut: () => socket.destroyed,
    bytes: () => bytes,
    /** The client reads, and the system reports room for a piece. */
    take: async () => {
      const end = bytes + 65_536;
      for (
        let write = writes.shift();
        write !== undefined;
        write = bytes < end ? writes.shift() : undefined
      ) {
        bytes += write.length;
        write.done();
        await setImmediate();
      }
    },
    pass: async (minutes: number) => {
      await vi.advanceTimersByTimeAsync(minutes * minuteMs);
      await setImmediate();
    },
  };
}

const answerOf = (characters: number) => ({ status: 200, headers: {}, body: 'x'.repeat(characters) });

describe('the time in which a client must read', () => {
  it('does not cut a slow but steady reader, though its connection reports room only every nine minutes', async () => {
    const { response, connect, isCut, bytes, take, pass } = createResponse();
    connect();
    let isSent = false;
    const sending = createSendAnswer()(response, answerOf(1_000_000)).finally(() => {
      isSent = true;
    });
    await setImmediate();
    while (!isSent && !isCut()) {
      await pass(9);
      await take();
    }
    await sending;
    expect([isCut(), bytes() > 1_000_000]).toEqual([false, true]);
  });

  it('is ten minutes without room for more', async () => {
    const { response, connect, isCut, take, pass } = createResponse();
    connect();
    const sending = createSendAnswer()(response, answerOf(1_000_000));
    const failed = expect(sending).rejects.toThrow();
    await setImmediate();
    await take();
    await pass(9);
    expect(isCut()).toBe(false);
    await pass(1);
    expect(isCut()).toBe(true);
    // Without a server, nothing tells the response that its connection was closed.
    response.destroy();
    await failed;
  });

  it('begins for a pipelined response when the one before it is sent', async () => {
    const { response, connect, isCut, pass } = createResponse();
    await createSendAnswer()(response, answerOf(1000));
    await pass(29);
    connect();
    await pass(9);
    expect(isCut()).toBe(false);
    await pass(1);
    expect(isCut()).toBe(true);
  });
});
