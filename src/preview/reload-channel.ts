import type { ServerResponse } from 'node:http';

/** Makes open pages reload (server-sent events). */
export interface ReloadChannel {
  /** Keeps a response open for events; a page of an older version gets the reload event at once. */
  readonly connect: (response: ServerResponse, version: string | null) => void;
  /** Version of the pages rendered from now on; another one after each {@link reload}. */
  readonly version: () => string;
  readonly reload: () => void;
}

export const eventsPath = '/__lectern/events';
export const scriptPath = '/__lectern/reload.js';

/** Runs in the page; a file of its own, since the site's Content-Security-Policy allows no inline script. */
export const reloadScript = `let opened = false;
const events = new EventSource('${eventsPath}' + new URL(document.currentScript.src).search);
events.onmessage = () => location.reload();
events.onopen = () => {
  if (opened) location.reload();
  opened = true;
};
`;

const reloadEvent = 'data: reload\n\n';

export function createReloadChannel(): ReloadChannel {
  const clients = new Set<ServerResponse>();
  let reloads = 0;
  return {
    version: () => String(reloads),
    connect(response, version) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      // What was saved after the page was made and before it listened.
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
export function addReloadScript(html: string, version: string): string {
  const tag = `<script src="${scriptPath}?v=${version}" async></script>`;
  const end = html.lastIndexOf('</body>');
  return end < 0 ? html + tag : html.slice(0, end) + tag + html.slice(end);
}
