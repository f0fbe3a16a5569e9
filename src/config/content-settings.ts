import { z } from '../foundation/schema.ts';

/** How author HTML is treated; `docs/content.md` gives the reason of every default. */
export const contentSettings = z.strictObject({
  /** Hosts whose iframes are kept; a domain covers its subdomains. */
  iframeHosts: z
    .array(z.string())
    .default(['youtube.com', 'youtube-nocookie.com', 'player.vimeo.com', 'loom.com', 'fast.wistia.net']),
  /** Class names that are kept. */
  classes: z.array(z.string()).default([]),
  /** Class name (or prefix ending in `*`) → callout kind. */
  callouts: z.record(z.string(), z.enum(['note', 'tip', 'important', 'warning', 'caution'])).default({}),
  /** Other origins of the help centre; links to them are internal, e.g. `https://help.example.com`. */
  hosts: z.array(z.string()).default([]),
});
