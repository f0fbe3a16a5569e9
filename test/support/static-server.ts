import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentType, parseHeadersFile } from '../../src/pipeline/preview/answer.ts';

/** The files of a site by path relative to its root. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>;

export interface StaticServer {
  /** e.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Serves files as a static host does: `index.html` for folders, `404.html` for unknown paths, headers from `_headers`. */
export async function serveFiles(files: SiteFiles): Promise<StaticServer> {
  const headersFor = parseHeadersFile(files.get('_headers')?.toString() ?? '');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const wanted = decodeURIComponent(pathname).slice(1);
    const path = wanted === '' || wanted.endsWith('/') ? `${wanted}index.html` : wanted;
    const found = files.get(path);
    response.statusCode = found === undefined ? 404 : 200;
    response.setHeader('content-type', contentType(found === undefined ? '404.html' : path));
    for (const [name, value] of headersFor(pathname)) response.setHeader(name, value);
    response.end(found ?? files.get('404.html') ?? 'not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
