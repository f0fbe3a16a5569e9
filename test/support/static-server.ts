import { contentType, parseHeadersFile } from '../../src/pipeline/preview/answer.ts';
import { type LocalServer, serve } from './serve.ts';

/** The files of a site by path relative to its root. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>;

/** Serves files as a static host does: `index.html` for folders, `404.html` for unknown paths, headers from `_headers`. */
export function serveFiles(files: SiteFiles): Promise<LocalServer> {
  const headersFor = parseHeadersFile(files.get('_headers')?.toString() ?? '');
  return serve((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const wanted = decodeURIComponent(pathname).slice(1);
    const path = wanted === '' || wanted.endsWith('/') ? `${wanted}index.html` : wanted;
    const found = files.get(path);
    response.statusCode = found === undefined ? 404 : 200;
    response.setHeader('content-type', contentType(found === undefined ? '404.html' : path));
    for (const [name, value] of headersFor(pathname)) response.setHeader(name, value);
    response.end(found ?? files.get('404.html') ?? 'not found');
  });
}
