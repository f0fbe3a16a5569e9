import { once } from 'node:events';
import { createServer, type RequestListener, Server as WebServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { atEnd } from './at-end.ts';

/** A web server on this machine. */
export interface LocalServer {
  /** e.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Closes it earlier than its test ends. */
  readonly close: () => Promise<void>;
}

/** Answers requests, until the test ends, or outside of a test until the tests of the file end. */
export async function serve(answer: RequestListener): Promise<LocalServer> {
  const server = createServer(answer);
  return { origin: `http://127.0.0.1:${await listen(server)}`, close: () => close(server) };
}

/** Lets a server listen, as long as `serve` does. @returns a port that was free */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => close(server));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if (server instanceof WebServer) server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}
