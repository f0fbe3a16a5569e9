import { framedHosts } from '../../content/policy/players.ts';
import type { CspAdditions } from '../../core/config/schema.ts';
import { contactFormOf, type SiteSettings } from '../../core/config/site-settings.ts';
import type { Plan } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';

/** Settings that decide which hosts a page may load from. */
interface PolicySettings {
  /** Host names whose pages and subdomains may be framed (`content.iframeHosts`). */
  readonly iframeHosts: readonly string[];
  /** `headers.csp`; absent: no additions. */
  readonly csp?: CspAdditions | undefined;
  /** URL that the feedback form posts to (`site.feedback`); absent: none. */
  readonly feedback?: string | undefined;
  /** URL that the contact form posts to; absent: none. */
  readonly contactForm?: string | undefined;
  /** URL that answers questions (`site.answers.url`); absent: none. */
  readonly questions?: string | undefined;
  /** Origins whose pages may frame the site (`site.widget.origins`); absent: none. */
  readonly framedBy?: readonly string[] | undefined;
  /** URL that counts views (`site.statistics`); absent: none. */
  readonly statistics?: string | undefined;
  /** Whether search engines are asked not to list the site; absent: no. */
  readonly noindex?: boolean | undefined;
}

/** What the settings of a site decide, for {@link headerRules}. */
export function policySettings(
  { feedback, contact, answers, widget, statistics }: SiteSettings,
  others: Pick<PolicySettings, 'iframeHosts' | 'csp' | 'noindex'>,
): PolicySettings {
  const { iframeHosts, csp, noindex } = others;
  const framedBy = widget?.origins;
  const questions = answers?.url;
  const contactForm = contactFormOf({ contact });
  return { iframeHosts, csp, noindex, feedback, contactForm, questions, framedBy, statistics };
}

/** Sources by directive, in output order; an empty list means `'none'`. */
type Policy = ReadonlyMap<string, readonly string[]>;

/**
 * The Content-Security-Policy of the site: no inline script or style, nothing from other hosts except images, the frames that authors may
 * embed, and the additions of the configuration. `data:` images are small raster images that the content stage accepted.
 */
function contentSecurityPolicy({
  iframeHosts,
  csp = {},
  feedback,
  contactForm,
  questions,
  framedBy = [],
  statistics,
}: PolicySettings): Policy {
  const originOf = (url: string | undefined): readonly string[] =>
    url === undefined || url.startsWith('/') ? [] : [new URL(url).origin];
  const answers = originOf(feedback);
  const own: Readonly<Record<string, readonly string[]>> = {
    'default-src': [],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'https:', 'data:'],
    'media-src': ["'self'", 'https:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...answers, ...originOf(questions), ...originOf(statistics)],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-src': framedHosts(iframeHosts).flatMap((host) => [`https://${host}`, `https://*.${host}`]),
    'base-uri': [],
    'form-action': ["'self'", ...answers, ...originOf(contactForm)],
    'frame-ancestors': framedBy,
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

/** Headers of every response, by name. */
function securityHeaders(settings: PolicySettings): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': writePolicy(contentSecurityPolicy(settings)),
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
    ...(settings.framedBy === undefined
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

/** `_headers` in the format of Netlify and Cloudflare Pages. @param appended rules of the user */
export function renderHeadersFile(rules: readonly HeaderRule[], appended: string): RenderedFile {
  const blocks = rules.map(([pattern, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return { path: '_headers', content: [...blocks, ...(appended === '' ? [] : [appended])].join('\n') };
}
