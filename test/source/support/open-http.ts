import { rootCertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { networkOf } from '../../../src/core/config/source-settings.ts';
import { createHttp, type Http, type HttpSettings } from '../../../src/core/net/http.ts';
import { readJson } from '../../../src/core/net/read-json.ts';
import { type Handler, startServer, type TestServer } from './test-server.ts';

export interface OpenHttp {
  readonly http: Http;
  /** Waits of the client between attempts, in milliseconds. */
  readonly waits: readonly number[];
  /** Reads a response as JSON. */
  get(path?: string): Promise<unknown>;
}

/** A client of a test server that records its waits instead of waiting. */
export function openHttp(
  { baseUrl, ca }: Pick<TestServer, 'baseUrl' | 'ca'>,
  options: Partial<HttpSettings> = {},
): OpenHttp {
  const waits: number[] = [];
  let clock = Date.parse('2026-03-01T12:00:00Z');
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    clock += ms;
  };
  const http = createHttp({
    ...networkOf(),
    baseUrl,
    apiKey: 'secret-key-1',
    ca: [...rootCertificates, ca],
    insecureLoopback: false,
    ports: { now: () => clock, sleep, random: () => 0 },
    ...options,
  });
  onTestFinished(() => http.close());
  return { http, waits, get: (path = '/article') => http.request({ method: 'GET', path }, readJson) };
}

/** A server for one test, and a client of it. */
export async function serveTo(
  handle: Handler,
  options: Partial<HttpSettings> = {},
): Promise<OpenHttp & { readonly server: TestServer }> {
  const server = await startServer(handle);
  onTestFinished(server.close);
  return { ...openHttp(server, options), server };
}

/** The error of a rejected promise, as shown to the user. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; hint: string }> {
  try {
    await promise;
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    return { code, message: message.replaceAll(/:\d{4,5}\b/g, ':PORT'), hint };
  }
  throw new Error('it did not fail');
}
