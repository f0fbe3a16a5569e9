import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback, parseUrl } from '../../core/addresses.ts';
import { LecternError } from '../../core/errors.ts';
import { escapeHtml } from '../../core/html.ts';
import { listen } from '../../core/net/listen.ts';
import { type AnswerSource, answer, answerRange } from './answer.ts';

export interface PreviewServer {
  /** e.g. `http://localhost:4173` */
  readonly url: string;
  /** Reloads every open page. */
  readonly reload: () => void;
  close(): Promise<void>;
}

interface PreviewOptions extends AnswerSource {
  /** `0` picks a free one. */
  readonly port: number;
}

/**
 * Serves a site on loopback as a static host would. Shows an error page if rendering fails; pages reload on request.
 * @throws PORT_UNUSABLE (exit 2)
 */
export async function serveFolder(options: PreviewOptions): Promise<PreviewServer> {
  const channel = createReloadChannel();
  const server = createServer((request, response) => {
    if (!isThisMachine(request.headers.host)) {
      const text = 'lectern preview answers only at localhost. Open http://localhost with its port.\n';
      send(response, 421, { 'content-type': 'text/plain; charset=utf-8' }, text);
      return;
    }
    const version = channel.version();
    respond(request, response, options, channel).catch((error: unknown) => {
      const page = addReloadScript(errorPage(error), version);
      send(response, 500, { 'content-type': 'text/html; charset=utf-8' }, page);
    });
  });
  await listen(server, 'the preview', 'localhost', options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    reload: channel.reload,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Whether a Host header names this machine. Otherwise, a page of another site could read the preview: its name may lead to loopback (DNS
 * rebinding).
 */
function isThisMachine(host = ''): boolean {
  const name = parseUrl(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
  return name.endsWith('.localhost') || isLoopback(name);
}

async function respond(
  { url: target = '/', headers: { range } }: IncomingMessage,
  response: ServerResponse,
  options: PreviewOptions,
  channel: ReloadChannel,
): Promise<void> {
  const version = channel.version();
  // Not as a base of the URL, because two slashes at the start of a path would then begin the name of a host.
  const address = target.startsWith('/') ? `http://localhost${target}` : target;
  const { pathname, search, searchParams } = new URL(address, 'http://localhost');
  if (pathname === eventsPath) {
    channel.connect(response, searchParams.get('v'));
    return;
  }
  if (pathname === scriptPath) {
    send(response, 200, { 'content-type': 'text/javascript; charset=utf-8' }, reloadScript);
    return;
  }
  const { status, headers, body } = answerRange(await answer(pathname, search, options), range);
  const isPage = headers['content-type']?.startsWith('text/html') ?? false;
  const text = isPage && typeof body !== 'string' ? Buffer.from(body).toString('utf8') : body;
  send(response, status, headers, isPage ? addReloadScript(String(text), version) : text);
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers });
  response.end(body);
}

/** A page that shows an error: code, message with file and line, and what to do. */
function errorPage(error: unknown): string {
  const isKnown = error instanceof LecternError;
  const title = isKnown ? error.code : 'Lectern failed';
  const text = isKnown
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  const hint = isKnown ? error.hint : 'This is a bug in Lectern. Please report it with the lines above.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<pre style="white-space: pre-wrap; overflow-wrap: anywhere">${escapeHtml(text)}</pre>
<p>${escapeHtml(hint)}</p>
</body>
</html>
`;
}

/** Tells open pages to reload (server-sent events). */
interface ReloadChannel {
  /** Keeps a response open for events; a page of an older version gets the reload event immediately. */
  readonly connect: (response: ServerResponse, version: string | null) => void;
  /** Version of the pages rendered from now on; changes with each {@link reload}. */
  readonly version: () => string;
  readonly reload: () => void;
}

const eventsPath = '/__lectern/events';
const scriptPath = '/__lectern/reload.js';

/** Runs in the page. A separate file, because the site's Content-Security-Policy forbids inline scripts. */
const reloadScript = `let opened = false;
const events = new EventSource('${eventsPath}' + new URL(document.currentScript.src).search);
events.onmessage = () => location.reload();
events.onopen = () => {
  if (opened) location.reload();
  opened = true;
};
`;

const reloadEvent = 'data: reload\n\n';

function createReloadChannel(): ReloadChannel {
  const clients = new Set<ServerResponse>();
  let reloads = 0;
  return {
    version: () => String(reloads),
    connect(response, version) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      // The site changed between rendering the page and opening this connection.
      response.write(version === String(reloads) ? ': connected\n\n' : reloadEvent);
      clients.add(response);
      response.once('close', () => clients.delete(response));
    },
    reload() {
      reloads += 1;
      for (const client of clients) client.write(reloadEvent);
    },
  };
}

/** Adds the reload script to a page; `version` is that of the channel before the page was made. */
function addReloadScript(html: string, version: string): string {
  const tag = `<script src="${scriptPath}?v=${version}" async></script>`;
  const end = html.lastIndexOf('</body>');
  return end < 0 ? html + tag : html.slice(0, end) + tag + html.slice(end);
}
