import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWholeFile } from '../../core/file-system.ts';
import type { Answer } from '../http/router.ts';

const templates = fileURLToPath(new URL('../../../templates', import.meta.url));
const packages = createRequire(import.meta.url);

/** The files of the editor by path below `/editor/`: its own, the libraries as their packages have them, and the styles of articles. */
const files: Readonly<Record<string, () => string>> = {
  '': () => join(templates, 'editor/index.html'),
  ...Object.fromEntries(
    [
      'api.js',
      'article.js',
      'body-field.js',
      'body-html.js',
      'changes.js',
      'conflict.js',
      'editor.css',
      'editor.js',
      'elements.js',
      'images.js',
      'list.js',
      'preview.js',
    ].map((name) => [name, () => join(templates, 'editor', name)]),
  ),
  'squire.js': () => join(dirname(packages.resolve('squire-rte')), 'squire.mjs'),
  'purify.js': () => join(dirname(packages.resolve('dompurify')), 'purify.es.mjs'),
  'icon.svg': () => join(templates, 'assets/favicon.svg'),
  ...Object.fromEntries(
    ['tokens', 'base', 'article', 'code'].map((name) => [
      `theme/${name}.css`,
      () => join(templates, `assets/css/${name}.css`),
    ]),
  ),
};

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * No script but the editor's own files, no style in the page, no form and no frame of others. The browser itself passes every text that
 * becomes HTML through the policy `default`, which removes what may run.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data: blob:",
  'media-src https:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default dompurify lectern-inert',
].join('; ');

const headers = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** Path of the page. */
export const editorPath = '/editor/';

/**
 * The response to a request for a file of the editor; `null` for every other request. The files are public: without a key, they show
 * nothing but a field for it.
 * @param path without the query
 */
export function answerEditorFile(
  method: string,
  path: string,
  ifNoneMatch: string | undefined,
): Answer | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  // Relative, because a proxy may add a folder in front.
  if (path === '/editor') return { status: 308, headers: { ...headers, location: 'editor/' }, body: '' };
  if (!path.startsWith(editorPath)) return null;
  const name = path.slice(editorPath.length);
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) return null;
  const body = readWholeFile(file());
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  // A proxy may have compressed the file, and said so in the tag.
  const isKnown = (ifNoneMatch ?? '').replaceAll(/\.(?:br|gzip)"/g, '"').includes(etag);
  // The preview is in a frame without origin, which loads the styles.
  const sharing = name.endsWith('.css') ? 'cross-origin' : 'same-origin';
  const type = types[name.split('.').at(-1) ?? ''] ?? (types.html as string);
  return {
    status: isKnown ? 304 : 200,
    headers: { ...headers, 'cross-origin-resource-policy': sharing, etag, 'content-type': type },
    body: isKnown ? '' : body,
  };
}
