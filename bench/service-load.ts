import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { workerData as given, isMainThread, parentPort, Worker } from 'node:worker_threads';

/** A service and its credentials. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the certificate to trust. */
  readonly ca: string;
}

/** One request of a client that sends one after the other. */
export interface Ask {
  readonly method?: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Milliseconds of each request, ascending. */
export type Latencies = readonly number[];

export interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Median, 99th percentile and maximum. */
export function summarize(latencies: Latencies): Summary {
  const at = (share: number) => latencies[Math.ceil(share * latencies.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/**
 * Sends requests until `isDone`, one after the other per client.
 * @param pauseMs pause between two requests of a client
 */
export async function measureLatencies(
  target: Target,
  next: (n: number) => Ask,
  isDone: () => boolean,
  { clients: count = 1, pauseMs = 0 } = {},
): Promise<Latencies> {
  const clients = await openClients(target, count);
  const latencies: number[] = [];
  let n = 0;
  const ask = async ({ send }: Client) => {
    const request = formatRequest(target, next(n++));
    const startedAt = performance.now();
    await send(request);
    return performance.now() - startedAt;
  };
  // The first request of a connection is not counted.
  await Promise.all(clients.map(ask));
  await Promise.all(
    clients.map(async (client) => {
      while (!isDone()) {
        latencies.push(await ask(client));
        if (pauseMs > 0) await wait(pauseMs);
      }
    }),
  );
  for (const { close } of clients) close();
  return latencies.sort((a, b) => a - b);
}

/** Number of requests a server answers per second. */
export interface Rate {
  readonly perSecond: number;
  /** Processor time of this program per request, in microseconds. */
  readonly generatorUs: number;
}

/** Sends GET requests for some time, one after the other per client, alternating between the paths. */
export async function measureRate(
  target: Target,
  paths: readonly string[],
  count: number,
  ms: number,
): Promise<Rate> {
  const requests = paths.map((path) => formatRequest(target, { path }));
  const clients = await openClients(target, count);
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let sent = 0;
  await Promise.all(
    clients.map(async ({ send }) => {
      while (performance.now() - startedAt < ms) await send(requests[sent++ % requests.length] ?? '');
    }),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { close } of clients) close();
  return { perSecond: sent / seconds, generatorUs: (user + system) / sent };
}

/** A connection that sends one request after the other. */
interface Client {
  /** Resolves when the response has arrived; rejects unless its status is 200. */
  send(request: string): Promise<void>;
  close(): void;
}

/**
 * Opens connections. They use raw sockets and read only the head of a response, because they share the processors with the measured server.
 */
function openClients(target: Target, count: number): Promise<readonly Client[]> {
  return Promise.all(Array.from({ length: count }, () => openClient(target)));
}

async function openClient({ url, ca }: Target): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca });
  await once(socket, 'secureConnect');
  let left = 0;
  let waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null = null;
  socket.on('data', (piece) => {
    try {
      left = left === 0 ? bytesAfter(piece) : left - piece.length;
      if (left === 0) waiting?.resolve();
    } catch (error) {
      waiting?.reject(error);
    }
  });
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}

function formatRequest({ url, headers }: Target, { method = 'GET', path, body = '' }: Ask): string {
  const { pathname, host } = new URL(url);
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${pathname === '/' ? '' : pathname}${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Number of bytes of a response after its first piece. */
function bytesAfter(piece: Buffer): number {
  const end = piece.indexOf('\r\n\r\n');
  const head = piece.toString('latin1', 0, end);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || end === -1 || length === undefined) throw new Error(head);
  return end + 4 + Number(length) - piece.length;
}

interface Upload {
  readonly target: Target;
  readonly ids: readonly string[];
  readonly characters: number;
}

/** Writes long bodies to articles, one after the other, in a separate thread, so that it does not delay the measured clients. */
export async function uploadBodies(upload: Upload): Promise<Latencies> {
  const { url, headers, ca } = upload.target;
  const workerData = { ...upload, target: { url, headers, ca } };
  const worker = new Worker(new URL(import.meta.url), { workerData });
  const [latencies] = await once(worker, 'message');
  return latencies;
}

if (!isMainThread) {
  const { target, ids, characters } = given as Upload;
  const paragraph = `<p>${'a long body has many words of every kind &amp; some <b>marks</b> '.repeat(10)}</p>\n`;
  const html = paragraph.repeat(Math.floor(characters / paragraph.length));
  let sent = 0;
  const latencies = await measureLatencies(
    target,
    () => ({
      method: 'PATCH',
      path: `/article/${ids[sent]}`,
      body: JSON.stringify({ body: `${html}${sent++}` }),
    }),
    () => sent >= ids.length,
    { pauseMs: 300 },
  );
  parentPort?.postMessage(latencies);
}
