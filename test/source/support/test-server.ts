import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { makeTestCertificate, type TestCertificate } from '../../support/certificate.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly ca: string;
  /** Requests so far, as `METHOD path?query`. */
  readonly requests: readonly string[];
  /** Authorization headers so far. */
  readonly keys: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Serves requests over HTTPS on loopback, with a given certificate or a new one. */
export async function startServer(handle: Handler, certificate?: TestCertificate): Promise<TestServer> {
  const { ca, cert, key } = certificate ?? (await sharedCertificate());
  const requests: string[] = [];
  const keys: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ cert, key }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    keys.push(request.headers.authorization);
    handle(request, response);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v1`,
    origin,
    ca,
    requests,
    keys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

let certificateOnce: Promise<TestCertificate> | null = null;

/** One valid certificate for all servers of a test file. */
export function sharedCertificate(): Promise<TestCertificate> {
  certificateOnce ??= makeTestCertificate();
  return certificateOnce;
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
