import { type Logger, pino } from 'pino';

/** The path of a request address: what may be logged or repeated in an answer, since a key may stand in the query. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** Logs JSON lines that never hold a key: of a request only method and path are written. */
export function createLogger(destination: { write(line: string): void } | undefined): Logger {
  if (!destination) return pino({ enabled: false });
  const serializers = {
    req: (request: { method: string; url: string }) => ({
      method: request.method,
      path: pathOf(request.url),
    }),
    res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
  };
  return pino({ base: null, serializers }, destination);
}
