import { z } from '../foundation/schema.ts';

/** Directives that may get more sources; the others (`default-src`, `base-uri`) stay as they are. */
const directive = z.enum([
  'script-src',
  'style-src',
  'img-src',
  'media-src',
  'font-src',
  'connect-src',
  'worker-src',
  'manifest-src',
  'frame-src',
  'form-action',
  'frame-ancestors',
]);

/**
 * A source of CSP Level 3, without those that would open the policy to any script (`'unsafe-inline'`, `'unsafe-eval'`, `*`, whole
 * schemes); plain http is for this machine alone.
 */
const source = z
  .string()
  .regex(
    /^(?:(?:https|wss):\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::(?:\d+|\*))?(?:\/[^\s;,'"]*)?|(?:http|ws):\/\/(?:localhost|127\.0\.0\.1)(?::(?:\d+|\*))?|'self'|'sha(?:256|384|512)-[A-Za-z0-9+/=]+'|data:|blob:)$/,
    {
      error:
        "must be a source such as https://plausible.io, https://*.example.com, wss://chat.example.com, 'self' or a hash",
    },
  );

/** Headers of every page; `docs/site.md` shows how to add scripts of other hosts. */
export const headersSettings = z.strictObject({
  /** Sources added to directives of the Content-Security-Policy, e.g. `{ "script-src": ["https://plausible.io"] }`. */
  csp: z.partialRecord(directive, z.array(source)).default({}),
});

/** Sources by directive, added to those the site needs itself. */
export type CspAdditions = z.output<typeof headersSettings>['csp'];
