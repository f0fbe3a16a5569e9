import type { ServerResponse } from 'node:http';

/** Tells open pages that there is something new to see (server-sent events). */
export interface ReloadChannel {
  /** Keeps an answer open for events. */
  readonly connect: (response: ServerResponse) => void;
  readonly reload: () => void;
}

export const eventsPath = '/__lectern/events';
export const scriptPath = '/__lectern/reload.js';

/** Runs in the page; a file of its own, since the site's Content-Security-Policy allows no inline script. */
export const reloadScript = `let opened = false;
const events = new EventSource('${eventsPath}');
events.onmessage = () => location.reload();
events.onopen = () => {
  if (opened) location.reload();
  opened = true;
};
`;

export function createReloadChannel(): ReloadChannel {
  const clients = new Set<ServerResponse>();
  return {
    connect(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(': connected\n\n');
      clients.add(response);
      response.once('close', () => clients.delete(response));
    },
    reload() {
      for (const client of clients) client.write('data: reload\n\n');
    },
  };
}

/** Adds the reload script to a page. */
export function addReloadScript(html: string): string {
  const tag = `<script src="${scriptPath}" async></script>`;
  const end = html.lastIndexOf('</body>');
  return end < 0 ? html + tag : html.slice(0, end) + tag + html.slice(end);
}
