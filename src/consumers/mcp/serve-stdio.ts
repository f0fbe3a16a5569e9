import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** A client that closed its end may still read answers. One that is gone keeps the server no longer than this. */
const maxAnsweringMs = 10_000;

/**
 * Serves one client over standard input and output. After the end of the input, it still answers what was asked before.
 * @returns after the client has disconnected or the signal was aborted
 */
export async function serveOverStdio(server: McpServer, signal: AbortSignal): Promise<void> {
  const transport = new StdioServerTransport();
  const asked = new Set<unknown>();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      if (asked.size === 0) resolve();
      else timer ??= setTimeout(resolve, maxAnsweringMs);
    };
    process.stdin.once('end', end);
    process.stdin.once('close', end);
    process.stdin.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    transport.onmessage = (message) => {
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
  await server.close();
}
