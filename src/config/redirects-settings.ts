import { z } from '../foundation/schema.ts';

/** Hosts that redirects and headers can be written for. */
export const redirectFormat = z.enum([
  'netlify',
  'cloudflare',
  'vercel',
  'nginx',
  'apache',
  'caddy',
  's3',
  'html',
]);

export type RedirectFormat = z.output<typeof redirectFormat>;

const configuredRedirect = z.strictObject({
  /** Path to redirect, below the path of the site, e.g. `/faq`. */
  from: z
    .string()
    .regex(/^\/[^\s?#*]*$/, { error: 'must be a path such as /faq, without query and without *' })
    .refine(isPlainPath, {
      error: 'must be a path such as /faq, without "..", "//" and control characters',
    }),
  /** A path of the site, a web URL, or a record: `article:4fq8d7s2ka`, `category:4fq8d7s2ka`. */
  to: z.string().regex(/^(?:\/[^\s]*|https?:\/\/\S+|article:[A-Za-z0-9]{10}|category:[A-Za-z0-9_-]{1,64})$/, {
    error: 'must be a path, a web URL, or article:<id> or category:<id>',
  }),
  /** `permanent` (301) or `temporary` (302). */
  kind: z.enum(['permanent', 'temporary']).default('permanent'),
});

/** How legacy URLs are redirected; `docs/redirects.md` describes every host. */
export const redirectsSettings = z.strictObject({
  /** Hosts to write redirects (and headers) for. */
  formats: z.array(redirectFormat).default(['netlify']),
  /** Redirects `/article/<id>-<slug>` and `/l/<lang>/…` of the hosted help centre. */
  oldAddresses: z.boolean().default(true),
  /** Redirects of your own, e.g. `[{ "from": "/faq", "to": "category:4fq8d7s2ka" }]`. */
  rules: z.array(configuredRedirect).default([]),
});

export type RedirectsSettings = z.output<typeof redirectsSettings>;

/** Whether a path can be the path of a file and leads to no other folder. */
function isPlainPath(path: string): boolean {
  try {
    const [, ...segments] = decodeURIComponent(path).replace(/\/$/, '').split('/');
    return segments.every((segment, index) =>
      segment === '' ? index === 0 && segments.length === 1 : !/^\.{1,2}$|[\p{Cc}\\]/u.test(segment),
    );
  } catch {
    return false;
  }
}
