import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { workerData as given, isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';

/** Where a service is, and how to be let in. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the certificate to trust, or `null` for plain http. */
  readonly ca: string | null;
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
 * @param pauseMs between two requests of a client
 */
export async function measureLatencies(
  target: Target,
  next: (n: number) => Ask,
  isDone: () => boolean,
  { clients = 1, pauseMs = 0 } = {},
): Promise<Latencies> {
  const agent = new Agent({ connect: target.ca === null ? {} : { ca: target.ca }, connections: clients });
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
  // The first request of a connection has its handshake to wait for.
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

interface Upload {
  readonly target: Target;
  readonly ids: readonly string[];
  readonly characters: number;
}

/** Gives articles long bodies, one after the other, from a thread of its own: its work must not delay the clients that are measured. */
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
