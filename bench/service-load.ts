import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { workerData as given, isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';

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
  { clients = 1, pauseMs = 0 } = {},
): Promise<Latencies> {
  const agent = new Agent({ connect: { ca: target.ca }, connections: clients });
  const latencies: number[] = [];
  let n = 0;
  const ask = async () => {
    const { method = 'GET', path, body = null } = next(n++);
    const startedAt = performance.now();
    const { statusCode, body: answer } = await request(target.url + path, {
      method,
      headers: target.headers,
      dispatcher: agent,
      body,
    });
    await answer.dump();
    if (statusCode !== 200) throw new Error(`${statusCode} to ${method} ${path}`);
    return performance.now() - startedAt;
  };
  // The first request of a connection includes the handshake.
  await Promise.all(Array.from({ length: clients }, ask));
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isDone()) {
        latencies.push(await ask());
        if (pauseMs > 0) await wait(pauseMs);
      }
    }),
  );
  await agent.close();
  return latencies.sort((a, b) => a - b);
}

/** Number of requests a server answers per second. */
export interface Rate {
  readonly perSecond: number;
  /** Processor time of this program per request, in microseconds. */
  readonly generatorUs: number;
}

/**
 * Sends GET requests for some time, one after the other per client, alternating between the paths. It uses raw sockets and reads only the
 * head of a response, because it shares the processors with the measured server.
 */
export async function measureRate(
  target: Target,
  paths: readonly string[],
  clients: number,
  ms: number,
): Promise<Rate> {
  const { hostname, port, pathname, host } = new URL(target.url);
  const prefix = pathname === '/' ? '' : pathname;
  const headers = Object.entries({ host, ...target.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = paths.map((path) => `GET ${prefix}${path} HTTP/1.1\r\n${headers.join('')}\r\n`);
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const isDone = () => performance.now() - startedAt > ms;
  let sent = 0;
  let answered = 0;
  const runClient = async () => {
    const socket = connect({ host: hostname, port: Number(port), ca: target.ca });
    await once(socket, 'secureConnect');
    let left = 0;
    const send = () => socket.write(requests[sent++ % requests.length] ?? '');
    send();
    for await (const piece of socket as AsyncIterable<Buffer>) {
      left = left === 0 ? bytesAfter(piece) : left - piece.length;
      if (left > 0) continue;
      answered++;
      if (isDone()) break;
      send();
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: answered / seconds, generatorUs: (user + system) / answered };
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
