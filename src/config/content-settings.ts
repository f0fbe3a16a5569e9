import { z } from '../foundation/schema.ts';

/** How author HTML is treated; `docs/content.md` gives the reason of every default. */
export const contentSettings = z.strictObject({
  /** Host names whose iframes stay; a parent domain covers its subdomains. */
  iframeHosts: z
    .array(z.string())
    .default(['youtube.com', 'youtube-nocookie.com', 'player.vimeo.com', 'loom.com', 'fast.wistia.net']),
  /** Extra class names kept on any element. */
  classes: z.array(z.string()).default([]),
  /** Class name (or prefix ending in `*`) → callout kind. */
  callouts: z.record(z.string(), z.enum(['note', 'tip', 'important', 'warning', 'caution'])).default({}),
  /** Other origins the help centre is known under: links to them are internal, e.g. `https://help.example.com`. */
  hosts: z.array(z.string()).default([]),
});
