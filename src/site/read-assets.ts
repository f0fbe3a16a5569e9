import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteSettings } from '../config/site-settings.ts';
import { type Asset, compactCss, fingerprint } from './assets.ts';
import { linkScripts, stripComments } from './scripts.ts';
import { readMiniSearch } from './search/minisearch-script.ts';

/** Parts of `site.css`, in the order of the cascade; `assets/css/` holds each. A look's own sheet comes last. */
const styleSheets = ['tokens', 'base', 'frame', 'listings', 'article', 'code', 'search', 'print'] as const;

/**
 * Reads and fingerprints the theme's assets: `site.css` (one sheet made from the parts and the theme settings) and every
 * file directly in `assets/`. A file of the site's own folder replaces the built-in one of the same name; its
 * `custom.css` is linked after `site.css`.
 * @param folders absolute template folders, the site's own first, the built-in one last
 */
export async function readAssets(
  folders: readonly string[],
  settings: SiteSettings,
): Promise<readonly Asset[]> {
  const files = new Map<string, string | Uint8Array>();
  files.set('site.css', await readStyles(folders, settings));
  files.set('minisearch.js', stripComments(await readMiniSearch()));
  for (const folder of folders.toReversed()) {
    const place = join(folder, 'assets');
    if (!existsSync(place)) continue;
    const entries = await readdir(place, { withFileTypes: true });
    for (const { name } of entries.filter((entry) => entry.isFile())) {
      const content = await readFile(join(place, name));
      files.set(name, name.endsWith('.js') ? stripComments(content.toString('utf8')) : content);
    }
  }
  const scripts = [...files].filter((file): file is [string, string] => file[0].endsWith('.js'));
  const others = [...files].filter(([name]) => !name.endsWith('.js'));
  const assets = [
    ...others.map(([name, content]) => fingerprint(name, content)),
    ...linkScripts(new Map(scripts)),
  ];
  return assets.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function readStyles(folders: readonly string[], settings: SiteSettings): Promise<string> {
  const names = settings.look === 'help' ? styleSheets : [...styleSheets, `look-${settings.look}`];
  const sheets = await Promise.all(
    names.map((name) => {
      const candidates = folders.map((folder) => join(folder, 'assets', 'css', `${name}.css`));
      return readFile(candidates.find((path) => existsSync(path)) ?? candidates.at(-1) ?? '', 'utf8');
    }),
  );
  return compactCss([...sheets, themeStyles(settings)].join('\n'));
}

/** The theme settings as custom properties, which every rule of the theme refers to. */
function themeStyles({ theme }: SiteSettings): string {
  const properties = [
    theme.accent === undefined
      ? ''
      : `--accent:light-dark(${theme.accent},${theme.accentDark ?? theme.accent});`,
    theme.font === undefined ? '' : `--font:${theme.font};`,
    theme.radius === undefined ? '' : `--radius:${theme.radius};`,
  ].join('');
  return properties === '' ? '' : `:root{${properties}}`;
}
