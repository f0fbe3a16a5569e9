import { framedHosts } from '../../content/policy/players.ts';
import type { CspAdditions } from '../../core/config/schema.ts';
import { contactFormOf, type SiteSettings } from '../../core/config/site-settings.ts';
import type { Plan } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';

/** Settings that decide which hosts a page may load from, and which may frame it. */
export interface PolicySettings
  extends Partial<Pick<SiteSettings, 'feedback' | 'contact' | 'answers' | 'widget' | 'statistics'>> {
  /** Host names whose pages and subdomains may be framed (`content.iframeHosts`). */
  readonly iframeHosts: readonly string[];
  /** Additions to the policy (`headers.csp`); absent: none. */
  readonly csp?: CspAdditions;
  /** Whether search engines are asked not to list the site; absent: no. */
  readonly noindex?: boolean;
}

/**
 * The Content-Security-Policy of the site: no inline script or style, nothing from other hosts except images, the frames that authors may
 * embed, and the additions of the configuration. `data:` images are small raster images that the content stage accepted.
 */
function contentSecurityPolicy({
  iframeHosts,
  csp = {},
  feedback,
  contact,
  answers,
  widget,
  statistics,
}: PolicySettings): string {
  const originOf = (url: string | undefined): readonly string[] =>
    url === undefined || url.startsWith('/') ? [] : [new URL(url).origin];
  const own: Readonly<Record<string, readonly string[]>> = {
    'default-src': [],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'https:', 'data:'],
    'media-src': ["'self'", 'https:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...[feedback, answers?.url, statistics].flatMap(originOf)],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-src': framedHosts(iframeHosts).flatMap((host) => [`https://${host}`, `https://*.${host}`]),
    'base-uri': [],
    'form-action': ["'self'", ...[feedback, contactFormOf({ contact })].flatMap(originOf)],
    'frame-ancestors': widget?.origins ?? [],
  };
  const added: Readonly<Record<string, readonly string[] | undefined>> = csp;
  return Object.entries(own)
    .map(([name, sources]) => {
      const all = [...new Set([...sources, ...(added[name] ?? [])])];
      return `${name} ${all.length === 0 ? "'none'" : all.join(' ')}`;
    })
    .join('; ');
}

/** Headers of every response, by name. */
function securityHeaders(settings: PolicySettings): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(settings),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    // The header is needed for files that are no pages, such as images and the feed.
    ...(settings.noindex ? { 'X-Robots-Tag': 'noindex' } : {}),
  };
}

/**
 * Path of the widget's script. It keeps its name, because pages of other sites name it, and is outside `assets/`, because Cloudflare joins the
 * values of a header that two rules set.
 */
export const widgetPath = 'widget.js';

/** Headers for the URLs that match a pattern (`*` matches anything); a later rule wins. */
export type HeaderRule = readonly [pattern: string, headers: Readonly<Record<string, string>>];

/** The headers that every host should send with the site. */
export function headerRules(
  { basePath }: Pick<Plan, 'basePath'>,
  settings: PolicySettings,
): readonly HeaderRule[] {
  const rules: readonly HeaderRule[] = [
    ['/*', securityHeaders(settings)],
    ['/assets/*', { 'Cache-Control': 'public, max-age=31536000, immutable' }],
    ...(settings.widget === undefined
      ? []
      : [[`/${widgetPath}`, { 'Cache-Control': 'public, max-age=3600' }] as const]),
    ['/*.svg', { 'Content-Security-Policy': 'sandbox' }],
    ['/*.md', { 'Content-Type': 'text/markdown; charset=utf-8' }],
    ['/*.jsonl', { 'Content-Type': 'application/jsonl; charset=utf-8' }],
    ['/*.webmanifest', { 'Content-Type': 'application/manifest+json' }],
    ['/*.atom', { 'Content-Type': 'application/atom+xml; charset=utf-8' }],
  ];
  return rules.map(([pattern, headers]) => [basePath + pattern, headers]);
}

/** A line of `_headers`, without its end. */
export function formatHeader(name: string, value: string): string {
  return `  ${name}: ${value}`;
}

/** `_headers` in the format of Netlify and Cloudflare Pages. @param appended rules of the user */
export function renderHeadersFile(rules: readonly HeaderRule[], appended: string): RenderedFile {
  const blocks = rules.map(([pattern, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `${formatHeader(name, value)}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return { path: '_headers', content: [...blocks, ...(appended === '' ? [] : [appended])].join('\n') };
}
