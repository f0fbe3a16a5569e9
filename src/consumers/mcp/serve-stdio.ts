import { Transform } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

const byteOrderMark = Buffer.from('\ufeff');

/** A client that closed its end may still read answers. One that is gone keeps the server no longer than this. */
const maxAnsweringMs = 10_000;

/**
 * Serves one client over standard input and output. After the end of the input, it still answers what was asked before.
 * @returns after the client has disconnected or the signal was aborted
 */
export async function serveOverStdio(server: McpServer, signal: AbortSignal): Promise<void> {
  const input = process.stdin.pipe(createMessageFilter());
  const transport = new StdioServerTransport(input);
  const asked = new Set<unknown>();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      if (asked.size === 0) resolve();
      else timer ??= setTimeout(resolve, maxAnsweringMs);
    };
    input.once('end', end);
    process.stdin.once('close', () => input.end());
    process.stdin.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    transport.onmessage = (message) => {
      acceptNullArguments(message);
      if (!('method' in message)) return;
      if ('id' in message) asked.add(message.id);
      else if (message.method === 'notifications/cancelled') asked.delete(message.params?.requestId);
    };
    const send = transport.send.bind(transport);
    transport.send = async (message) => {
      await send(message);
      if ('id' in message) asked.delete(message.id);
      if (timer !== undefined) end();
    };
  });
  await server.connect(transport);
  if (!signal.aborted) await ended;
  clearTimeout(timer);
  process.stdin.unpipe(input).pause();
  await server.close();
}

/** Clients in Go, Java and C# send `null` for no arguments, which the server of the SDK takes for an error. */
export function acceptNullArguments(message: JSONRPCMessage): void {
  if ('params' in message && message.params?.arguments === null) delete message.params.arguments;
}

/** Removes the byte order mark with which programs on Windows may begin a text, and ends the last line if they do not. */
function createMessageFilter(): Transform {
  let isStart = true;
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      const isMarked = isStart && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
      isStart = false;
      done(null, isMarked ? bytes.subarray(byteOrderMark.length) : bytes);
    },
    flush: (done) => done(null, '\n'),
  });
}
