import type { Plan } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';

/**
 * The Content-Security-Policy the site is built for: no inline script or style, nothing from elsewhere but images and
 * the frames authors may embed. `data:` images are small raster pictures the content stage let through.
 * @param iframeHosts host names, parent domains of what may be framed
 */
export function contentSecurityPolicy(iframeHosts: readonly string[]): string {
  const frames = iframeHosts.flatMap((host) => [`https://${host}`, `https://*.${host}`]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    "media-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every answer, by name. */
export function securityHeaders(iframeHosts: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(iframeHosts),
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
  iframeHosts: readonly string[],
): readonly HeaderRule[] {
  const rules: readonly HeaderRule[] = [
    ['/*', securityHeaders(iframeHosts)],
    ['/assets/*', { 'Cache-Control': 'public, max-age=31536000, immutable' }],
    ['/*.md', { 'Content-Type': 'text/markdown; charset=utf-8' }],
    ['/*.jsonl', { 'Content-Type': 'application/jsonl; charset=utf-8' }],
    ['/*.atom', { 'Content-Type': 'application/atom+xml; charset=utf-8' }],
  ];
  return rules.map(([pattern, headers]) => [basePath + pattern, headers]);
}

/** `_headers` in the form Netlify and Cloudflare Pages read. */
export function renderHeadersFile(plan: Plan, iframeHosts: readonly string[]): RenderedFile {
  const blocks = headerRules(plan, iframeHosts).map(([pattern, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return { path: '_headers', content: blocks.join('\n') };
}
