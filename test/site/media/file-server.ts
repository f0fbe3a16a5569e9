import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '../../support/serve.ts';

/** What a path of the server answers: bytes, or anything else by hand. */
export type Answer = Uint8Array | string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface FileServer {
  /** `localhost:12345`. */
  readonly host: string;
  /** `http://localhost:12345`. */
  readonly origin: string;
  /** `GET /a.png`, in the order of arrival; 304 is returned if the path ends so. */
  readonly log: string[];
  readonly files: Map<string, Answer>;
}

/** A plain HTTP server for one test; every file has an ETag made of its content. */
export async function startFileServer(files: Readonly<Record<string, Answer>> = {}): Promise<FileServer> {
  const log: string[] = [];
  const answers = new Map(Object.entries(files));
  const { origin } = await serve((request, response) => {
    const path = request.url ?? '/';
    const answer = answers.get(path);
    if (typeof answer === 'function') {
      log.push(`GET ${path}`);
      return answer(request, response);
    }
    if (answer === undefined) {
      log.push(`GET ${path}`);
      return response.writeHead(404).end('nothing here');
    }
    const etag = `"${Buffer.from(answer).toString('base64url').slice(-12)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    log.push(`GET ${path}${isKnown ? ' 304' : ''}`);
    return isKnown ? response.writeHead(304).end() : response.writeHead(200, { etag }).end(answer);
  });
  const host = origin.replace('http://127.0.0.1', 'localhost');
  return { host, origin: `http://${host}`, log, files: answers };
}
