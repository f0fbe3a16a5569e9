import type { CspAdditions } from '../config/schema.ts';
import type { Plan } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';

/** What decides which hosts a page may load from. */
export interface PolicySettings {
  /** Host names, parent domains of what may be framed (`content.iframeHosts`). */
  readonly iframeHosts: readonly string[];
  /** `headers.csp`; absent: nothing is added. */
  readonly csp?: CspAdditions;
  /** Where forms of the site send answers (`site.feedback`); absent: nowhere else. */
  readonly feedback?: string | undefined;
  /** Where views are counted (`site.statistics`); absent: nowhere. */
  readonly statistics?: string | undefined;
}

/** Sources by directive, in the order they are written; none means `'none'`. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/**
 * The Content-Security-Policy the site is built for: no inline script or style, nothing from elsewhere but images, the frames
 * authors may embed, and what the configuration adds. `data:` images are small raster pictures the content stage let through.
 */
export function contentSecurityPolicy({
  iframeHosts,
  csp = {},
  feedback,
  statistics,
}: PolicySettings): Policy {
  const answers = feedback === undefined || feedback.startsWith('/') ? [] : [new URL(feedback).origin];
  const counter = statistics === undefined ? [] : [new URL(statistics).origin];
  const own: Readonly<Record<string, readonly string[]>> = {
    'default-src': [],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'https:', 'data:'],
    'media-src': ["'self'", 'https:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...answers, ...counter],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-src': iframeHosts.flatMap((host) => [`https://${host}`, `https://*.${host}`]),
    'base-uri': [],
    'form-action': ["'self'", ...answers],
    'frame-ancestors': [],
  };
  const added: Readonly<Record<string, readonly string[] | undefined>> = csp;
  return new Map(
    Object.entries(own).map(([name, sources]) => [name, [...new Set([...sources, ...(added[name] ?? [])])]]),
  );
}

function writePolicy(policy: Policy): string {
  return [...policy]
    .map(([name, sources]) => `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`)
    .join('; ');
}

/** Headers of every answer, by name. */
export function securityHeaders(settings: PolicySettings): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': writePolicy(contentSecurityPolicy(settings)),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/** Headers by name for the URLs that match a pattern (`*` matches anything); a later rule wins. */
export type HeaderRule = readonly [pattern: string, headers: Readonly<Record<string, string>>];

/** The headers the site is to be served with, whatever the host. */
export function headerRules(
  { basePath }: Pick<Plan, 'basePath'>,
  settings: PolicySettings,
): readonly HeaderRule[] {
  const rules: readonly HeaderRule[] = [
    ['/*', securityHeaders(settings)],
    ['/assets/*', { 'Cache-Control': 'public, max-age=31536000, immutable' }],
    ['/*.md', { 'Content-Type': 'text/markdown; charset=utf-8' }],
    ['/*.jsonl', { 'Content-Type': 'application/jsonl; charset=utf-8' }],
    ['/*.atom', { 'Content-Type': 'application/atom+xml; charset=utf-8' }],
  ];
  return rules.map(([pattern, headers]) => [basePath + pattern, headers]);
}

/** `_headers` in the form Netlify and Cloudflare Pages read. */
export function renderHeadersFile(plan: Plan, settings: PolicySettings): RenderedFile {
  const blocks = headerRules(plan, settings).map(([pattern, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return { path: '_headers', content: blocks.join('\n') };
}
