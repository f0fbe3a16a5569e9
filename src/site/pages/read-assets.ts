import { basename } from 'node:path';
import type { SiteSettings } from '../../core/config/site-settings.ts';
import { decodeText, readTextFile } from '../../core/file-system.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { Problem } from '../../core/problems.ts';
import { findRunSecret, type RunSecret } from '../../core/run-secrets.ts';
import { stemmerName, stemmerPath } from '../../core/search/language-words.ts';
import { isFileInside, readFileIn, walkFolder } from '../../core/user-folder.ts';
import { type Asset, fingerprint } from './assets.ts';
import { themeStyles } from './palettes.ts';
import { type NamedFiles, type PublicFiles, reportSecretFile, resolveFileUrl } from './public-files.ts';
import { joinScripts, linkScripts } from './scripts.ts';

/** Parts of `site.css` in `assets/css/`, in the order of the cascade. The style sheet of a look comes last. */
const styleSheets = [
  ...(['tokens', 'base', 'frame', 'navigation', 'listings', 'home'] as const),
  ...(['article', 'prose', 'code', 'search', 'print'] as const),
] as const;

/** Folder next to `assets/` of the built-in theme, only in the published package: the same scripts and style sheets, minified. */
const minified = 'minified';

/**
 * Reads and fingerprints the theme's assets: `site.css` (one sheet made from the parts and the theme settings) and every file directly in
 * `assets/`. A file in the user's folder replaces the built-in one of the same name; its `custom.css` is linked after `site.css`. Only the
 * names of other files in scripts and style sheets are rewritten.
 * @param folders absolute template folders, the user's own first, the built-in one last
 * @param files files that style sheets can name besides assets
 * @param languages of the site: each has a script that searches it
 * @param secrets values that no published file may contain; files with one are skipped and reported
 * @throws SITE_FILE_MISSING, TEMPLATE_FAILED
 */
export async function readAssets(
  folders: readonly string[],
  settings: SiteSettings,
  files: { readonly basePath: string; readonly publicFiles: PublicFiles },
  languages: readonly LanguageTag[],
  secrets: readonly RunSecret[] = [],
): Promise<{
  readonly assets: readonly Asset[];
  /** The script that shows the site in pages of other origins; `null` without `site.widget`. */
  readonly widget: string | null;
  readonly problems: readonly Problem[];
}> {
  const builtIn = folders.at(-1) ?? '';
  const problems: Problem[] = [];
  const readClean = (folder: string, path: string): Uint8Array | null => {
    const content = readFileIn(folder, path);
    const secret = findRunSecret(content, secrets);
    if (secret !== null) problems.push(reportSecretFile(`${basename(folder)}/${path}`, secret));
    return secret === null ? content : null;
  };
  const found = new Map<string, Uint8Array>();
  found.set('site.css', Buffer.from(readStyles(folders, settings, readClean)));
  for (const folder of folders.toReversed()) {
    for (const { path: name, kind } of walkFolder(folder, 'assets')) {
      if (kind !== 'file' || name.includes('/')) continue;
      const isSmall = folder === builtIn && isFileInside(builtIn, `${minified}/${name}`);
      const content = readClean(folder, isSmall ? `${minified}/${name}` : `assets/${name}`);
      if (content !== null) found.set(name, content);
    }
  }
  // Without the library, blocks stay as they are, and no page asks for it.
  if (!found.has(diagramLibrary))
    found.set('diagrams.js', Buffer.from('export const drawDiagrams = () => {};\n'));
  const widget = settings.widget === undefined ? null : (found.get(widgetScript) ?? null);
  found.delete(widgetScript);
  if (widget === null) for (const name of widgetPageAssets) found.delete(name);
  const ofKind = (pattern: RegExp) => new Map([...found].filter(([name]) => pattern.test(name)));
  const scripts = ofKind(script);
  const searches = new Set(languages.map(searchScript));
  for (const name of [...searches, 'search.js']) found.set(name, await joinSearch(name, scripts));
  const onlyIfNamed = new Set(searchParts.filter((name) => !searches.has(name)));
  const others = [...found].filter(([name]) => !script.test(name) && !styleSheet.test(name));
  const fixed = [
    ...others.map(([name, content]) => fingerprint(name, content)),
    ...(await linkScripts(ofKind(script), onlyIfNamed)),
  ];
  const byName = new Map(fixed.map((asset) => [asset.name, asset]));
  const assets = [...fixed, ...linkStyles(ofKind(styleSheet), { ...files, assets: byName })];
  return {
    assets: assets.sort((a, b) => (a.path < b.path ? -1 : 1)),
    widget: widget === null ? null : Buffer.from(widget).toString('utf8'),
    problems,
  };
}

/** The asset that draws Mermaid blocks: the user's copy of the library, which is too large for every installation. */
export const diagramLibrary = 'mermaid.js';

/** Parts of the search script. They are published separately only if another script names them. */
const searchParts = ['search.js', 'search-engine.js', 'search-files.js', 'search-scores.js', 'tokens.js'];
/** Source of the published `widget.js`, and what pages need inside the widget. */
const widgetScript = 'help-widget.js';
const widgetPageAssets = ['help-widget-page.js', 'help-widget-page.css'];
const script = /\.m?js$/;
const styleSheet = /\.css$/;

/** @param readClean reads a file of a folder; `null`: it must not be published */
function readStyles(
  folders: readonly string[],
  settings: SiteSettings,
  readClean: (folder: string, path: string) => Uint8Array | null,
): string {
  const names = [...styleSheets, ...(settings.look === 'docs' ? ['look-docs'] : [])];
  const builtIn = folders.at(-1) ?? '';
  const searched: readonly (readonly [folder: string, below: string])[] = [
    ...folders.slice(0, -1).map((folder) => [folder, 'assets/css'] as const),
    [builtIn, `${minified}/css`],
    [builtIn, 'assets/css'],
  ];
  const sheets = names.map((name) => {
    for (const [folder, below] of searched) {
      const path = `${below}/${name}.css`;
      const content = isFileInside(folder, path) ? readClean(folder, path) : null;
      if (content !== null) return decodeText(Buffer.from(content));
    }
    throw new Error(`the theme has no ${name}.css`);
  });
  return [...sheets, ...styleClasses, themeStyles(settings.theme)].join('\n');
}

/** What the classes mean that replace the inline styles of authors, because the Content-Security-Policy blocks these (`content/policy/styles.ts`). */
const styleClasses = [
  ...Array.from({ length: 20 }, (_, at) => 5 * (at + 1)).map(
    (percent) => `.prose .width-${percent}{inline-size:${percent}%}`,
  ),
  ...[1, 2, 3].map((steps) => `.prose .indent-${steps}{margin-inline-start:${2.5 * steps}rem}`),
  ...'none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman'
    .split(' ')
    .map((type) => `.prose .list-${type}{list-style-type:${type}}`),
];

/** Arabic, Greek and Hindi: search terms lose some letters, so that these stemmers rarely give correct stems. */
const unstemmed = new Set(['ar', 'gr', 'in']);

/** Name of the asset that searches a language: the search, with the language's stemmer if there is one. */
export function searchScript(tag: LanguageTag): string {
  const stemmer = stemmerName(tag);
  return stemmer === null || unstemmed.has(stemmer) ? 'search.js' : `search-${stemmer}.js`;
}

/**
 * The whole search of a language in one module, for the page and its worker: separate scripts would need a request each.
 * @param name see {@link searchScript}
 * @param scripts of the theme, by name
 */
async function joinSearch(name: string, scripts: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const texts = new Map([...scripts].map(([each, content]) => [each, Buffer.from(content).toString()]));
  const [, stemmer] = /^search-(\w+)\.js$/.exec(name) ?? [];
  const stemming = stemmer === undefined ? null : readTextFile(stemmerPath(stemmer));
  texts.set(
    'stemmer.js',
    stemming === null
      ? 'export const stemmer = null;'
      : `/*! @orama/stemmers, Apache-2.0 licence */\n${stemming}`,
  );
  return Buffer.from(await joinScripts('search.js', texts));
}

/**
 * Matches file references in a style sheet; comments and strings are matched to skip them. Groups: the string of an `@import`, or the
 * argument of `url()` with its quotes.
 */
const reference =
  /\/\*[\s\S]*?\*\/|@import\s+("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\burl\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s"'()]+)\s*\)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gi;

/**
 * Fingerprints the user's style sheets: files in `url()` or `@import` get their published URL; nothing else changes.
 * @param sheets content by name
 * @throws SITE_FILE_MISSING, with sheet and line
 */
function linkStyles(sheets: ReadonlyMap<string, Uint8Array>, files: NamedFiles): readonly Asset[] {
  const done = new Map<string, Asset>();
  const link = (name: string, content: Uint8Array, from: readonly string[]): Asset => {
    const known = done.get(name);
    if (known !== undefined) return known;
    const text = Buffer.from(content).toString('utf8');
    const linked = text.replace(
      reference,
      (whole, imported: string | undefined, named: string | undefined, at: number) => {
        const quoted = imported ?? named;
        if (quoted === undefined) return whole;
        const quote = /^["']/.exec(quoted)?.[0] ?? '';
        const value = quote === '' ? quoted : quoted.slice(1, -1);
        if (value === '' || value.startsWith('#')) return whole;
        const line = text.slice(0, at).split('\n').length;
        const imports = value.replace(/^\.\//, '');
        const other = sheets.get(imports);
        // Browsers ignore circular imports.
        if (imports === name || from.includes(imports)) return whole;
        if (other !== undefined) link(imports, other, [...from, name]);
        // Above `assets/` is the root of the site.
        const url = resolveFileUrl(value.replace(/^\.\.(?=\/)/, ''), `assets/${name}:${line}`, {
          ...files,
          assets: new Map([...files.assets, ...done]),
        });
        return whole.replace(quoted, () => `${quote}${url}${quote}`);
      },
    );
    const asset = fingerprint(name, linked === text ? content : linked);
    done.set(name, asset);
    return asset;
  };
  for (const [name, content] of sheets) link(name, content, []);
  return [...done.values()];
}
