import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LecternError } from '../foundation/errors.ts';

/** Path of the server over HTTP. */
const mcpPath = '/mcp';

/** Serves one client over standard input and output. @returns after the client has disconnected or the signal was aborted */
export async function serveOverStdio(server: McpServer, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}

export interface HttpMcpServer {
  /** e.g. `http://127.0.0.1:3000/mcp` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves any number of clients over streamable HTTP on loopback, without sessions: every request has its own server. Web pages in a browser
 * cannot call it: requests with another host, and from any other origin, are rejected.
 * @param port `0` picks a free one
 * @throws PORT_UNUSABLE (exit 2)
 */
export async function serveOverHttp(createOne: () => McpServer, port: number): Promise<HttpMcpServer> {
  const hosts: string[] = [];
  const http = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    if (path !== mcpPath) return void response.writeHead(404).end();
    // There is no stream to open and no session to end.
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const server = createOne();
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      enableDnsRebindingProtection: true,
      allowedHosts: hosts,
      allowedOrigins: hosts.map((host) => `http://${host}`),
    });
    response.once('close', () => void server.close());
    // Its optional properties are declared differently than exactOptionalPropertyTypes requires.
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(
        new LecternError('PORT_UNUSABLE', `port ${port} cannot be used`, {
          hint: 'choose another port with --port; 0 picks a free one',
          exitCode: 2,
          cause,
        }),
      );
    http.once('error', fail);
    try {
      http.listen(port, '127.0.0.1', resolve);
    } catch (cause) {
      fail(cause);
    }
  });
  const { port: used } = http.address() as AddressInfo;
  hosts.push(`127.0.0.1:${used}`, `localhost:${used}`);
  return {
    url: `http://127.0.0.1:${used}${mcpPath}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
