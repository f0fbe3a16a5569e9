import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** URL of the built sites of tests. */
export const siteUrl = 'https://docs.example.com';

/** Files of a site, by path; HTML is the main text of a page. */
export type SiteFiles = Readonly<Record<string, string>>;

/** A page of a generator without a theme that Lectern knows. */
export function sitePage(title: string, text: string, head = '', language = 'en'): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title} | Docs</title>${head}</head>
<body><header><a href="/">Docs</a></header><nav><a href="/guide/install">Install</a></nav>
<main><article><h1>${title}</h1>${text}</article></main><footer>Made by hand</footer></body></html>
`;
}

/** A project with a site in `build`, at clean URLs. */
export function openSiteProject() {
  const folder = temporaryFolder();
  const site = join(folder, 'build');
  return {
    folder,
    site,
    /** What a generator does: empties its output folder and writes all files again. */
    generate(files: SiteFiles): void {
      rmSync(site, { recursive: true, force: true });
      writeTree(site, files);
    },
  };
}

const clean = (path: string): string => `<link rel="canonical" href="${siteUrl}/${path}">`;

/** Three pages with links between them, an image, a page that asks not to be listed, and a file that is no page. */
export const smallSite: SiteFiles = {
  'index.html': sitePage(
    'Welcome',
    '<p>Welcome. See <a href="/guide/install#stepTwo">the second step</a>.</p><img src="/img/a.png" alt="A picture">',
    `<meta property="og:site_name" content="Example Docs">${clean('')}`,
  ),
  'guide/install.html': sitePage(
    'Install',
    '<p>Run the <a href="../files/setup.zip">installer</a>.</p><h2 id="stepTwo">Step two</h2><p>Restart the machine.</p>',
    clean('guide/install'),
  ),
  'guide/use/index.html': sitePage(
    'Use',
    '<p>Press the button, as <a href="/">the first page</a> says.</p>',
    clean('guide/use/'),
  ),
  'secret.html': sitePage('Secret', '<p>TOPSECRET</p>', '<meta name="robots" content="noindex">'),
  'img/a.png': 'no picture',
  'files/setup.zip': 'no archive',
  'robots.txt': 'User-agent: *\n',
};
