import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BuildReport } from '../../src/core/report.ts';
import { type ServedKnowledgeBase, serveKnowledgeBase } from '../source/support/knowledge-base-server.ts';
import { page, type Tree, writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const host = 'help.example.com';
const site = `https://${host}`;
const oldHost = 'docs.example.org';
const id = '9Xq2LayOff';
const slug = 'sombrero-umbau-2027';
const markers = [id, slug];

const percent = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
const references = (text: string): string => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join('');
const fullWidth = (text: string): string =>
  text.replace(/[A-Za-z0-9]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

/** Spellings of an own address, given with its path and the word of it that is secret. */
function spellingsOf(path: string, word: string): Readonly<Record<string, string>> {
  const address = site + path;
  const tail = path.slice(path.lastIndexOf('/', path.length - 2));
  return {
    plain: address,
    http: address.replace('https', 'http'),
    'upper-case host': address.replace(host, host.toUpperCase()),
    'all upper case': address.toUpperCase(),
    'port 443': address.replace(host, `${host}:443`),
    'trailing dot': address.replace(host, `${host}.`),
    www: address.replace(host, `www.${host}`),
    'user info': address.replace(host, `me:pw@${host}`),
    'full width': address.replace(word, fullWidth(word)),
    'full-width host': address.replace(host, fullWidth(host)),
    'ideographic dots': address.replace(host, host.replaceAll('.', '。')),
    backslashes: address.replaceAll('/', '\\'),
    'percent-encoded word': address.replace(word, percent(word)),
    'percent-encoded twice': address.replace(word, percent(percent(word))),
    'percent-encoded host': address.replace(host, percent(host)),
    'percent-encoded slashes': site + path.replaceAll('/', '%2F'),
    references: references(address),
    'references twice': references(address).replaceAll('&', '&amp;'),
    'soft hyphens': address.replace(word, word.split('').join('\u00ad')),
    'zero-width spaces': address.replace(word, word.split('').join('\u200b')),
    'protocol-relative': address.replace('https:', ''),
    'host of the old help centre': address.replace(host, oldHost),
    query: `${address}?from=mail&x=1`,
    fragment: `${address}#step-2`,
    'file name': `${address.replace(/\/$/, '')}/index.html`,
    'below it': `${address.replace(/\/$/, '')}/edit`,
    'with a language': `${site}/l/en${path}`,
    'in the query': `${site}/?page=${tail.slice(1)}`,
    'in the fragment': `${site}/#${path}`,
    redirector: `https://out.example.net/?q=${address}`,
    'redirector, encoded': `https://out.example.net/?q=${encodeURIComponent(address)}&sa=1`,
    'redirector, in the path': `https://out.example.net/web/2026/${address}`,
    mailto: `mailto:a@example.net?subject=x&body=${encodeURIComponent(`See ${address} soon`)}`,
  };
}

/** Where an author may write an address: HTML of a body. */
function placesOf(address: string): Readonly<Record<string, string>> {
  return {
    text: `<p>See ${address} soon.</p>`,
    'link with its address': `<p><a href="${address}">${address}</a></p>`,
    'link with a text': `<p>See <a href="${address}">there</a>.</p>`,
    player: `<iframe src="${address}"></iframe>`,
    image: `<p><img src="${address}" alt="A"> <img data-src="${address}" alt="B"></p>`,
    video: `<video src="${address}" poster="${address}"></video><audio src="${address}"></audio>`,
    quote: `<blockquote cite="${address}">Said.</blockquote>`,
    code: `<pre><code>curl ${address}\n</code></pre><p><code>${address}</code></p>`,
  };
}

/** Places that are tested with the plain spelling only. */
function furtherPlacesOf(address: string): Readonly<Record<string, string>> {
  const middle = Math.floor(address.length / 2);
  return {
    'image below it': `<p><img src="${address}/a.png" alt="A"><img srcset="${address}/b.png 2x" alt="B"></p>`,
    poster: `<video src="https://cdn.example.net/a.mp4" poster="${address}/p.png"></video>`,
    source: `<video><source src="${address}/a.mp4"></video>`,
    'text of an image': `<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC" alt="See ${address}"></p>`,
    'title of a player': `<iframe src="https://www.youtube.com/embed/abc" title="${address}"></iframe>`,
    abbreviation: `<p><abbr title="${address}">A</abbr></p>`,
    'data attribute': `<p data-url="${address}">Text</p>`,
    heading: `<h2>About ${address}</h2><p>Text</p>`,
    'id of an element': `<h2 id="${address}">Heading</h2>`,
    'taken apart by elements': `<p>${address.slice(0, middle)}<b>${address.slice(middle)}</b></p>`,
    'taken apart by what is not published': `<p>${address.slice(0, -6)}<input type="hidden">${address.slice(-6)}</p>`,
    'line break in an attribute': `<p><img src="${address.slice(0, -6)}\n${address.slice(-6)}" alt="A"></p>`,
    'directly after a link': `<p><a href="https://example.net/">Foo</a>${address}</p>`,
    table: `<table><tr><th>${address}</th></tr><tr><td>${address}</td></tr></table>`,
    sentence: `<p>前の文${address}。次の文（${address}）</p>`,
    quotes: `<p>"${address}", (${address}), [x](${address}) *${address}*</p>`,
  };
}

/** Bodies by name: each spelling in each place. */
function bodiesFor(path: string, word: string): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const [spelling, address] of Object.entries(spellingsOf(path, word))) {
    const all = Object.values(placesOf(address)).join('\n');
    bodies.set(spelling, all);
  }
  for (const [place, html] of Object.entries(furtherPlacesOf(site + path))) bodies.set(place, html);
  return bodies;
}

/** Every text that the bytes of a file are, for one of their readers. */
function readingsOf(bytes: Buffer): readonly string[] {
  const decode = (text: string): string =>
    text
      .replace(/&amp;/g, '&')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replace(/%[2-7][0-9a-f]/gi, (code) => decodeURIComponent(code))
      .replace(/\\u00ad|[\u00ad\u200b]/g, '');
  const texts = [bytes.toString().normalize('NFKC')];
  for (let round = 0; round < 3; round += 1) texts.push(decode(texts.at(-1) ?? ''));
  return texts.map((one) => one.toLowerCase());
}

/** The files of an output that contain a marker, as `path: marker`. */
async function findMarkers(out: string, names: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [path, bytes] of await readTree(out)) {
    const texts = [path.toLowerCase(), ...readingsOf(bytes)];
    for (const name of names) {
      if (texts.some((text) => text.includes(name.toLowerCase()))) found.push(`${path}: ${name}`);
    }
  }
  return found;
}

const settings = {
  siteUrl: site,
  content: { hosts: [site, `https://${oldHost}`] },
  media: { mode: 'inline' },
};

async function build(folder: string, config: object, env: Record<string, string> = {}) {
  writeFileSync(join(folder, 'lectern.config.json'), JSON.stringify(config));
  const args = ['build', '--report', 'report.json', '--allow-mass-delete', '--insecure-loopback'];
  const { code, stdout, stderr } = await runLectern(args, { cwd: folder, env });
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  const text = readFileSync(join(folder, 'report.json'), 'utf8');
  return { printed: stdout + stderr, text, report: JSON.parse(text) as BuildReport };
}

const problemsOf = ({ problems }: BuildReport, code: string) => problems.filter((one) => one.code === code);

const record = (articleId: string, title: string, body: string, more: object = {}) => ({
  ...{ article_id: articleId, title, slug: null, description: null, body, tags: [], category_id: null },
  ...{ is_published: true, is_private: false, permission_groups: [] },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', multilingual: [] },
  ...more,
});

const publicId = '5publicArt';
const translationSlug = 'geheimer-hut-2027';

/** Articles of a service: one draft, and each spelling of its address in its own article. */
function serviceRecords(isHidden: boolean, bodies: ReadonlyMap<string, string>): readonly object[] {
  const own = `${site}/en/article/${publicId}-open-plan/`;
  const address = `${site}/article/${id}-${slug}`;
  return [
    record(id, 'Sombrero Umbau 2027', '<p>Text</p>', { slug, is_published: !isHidden, category_id: 'hats' }),
    record(publicId, 'Open plan', `<p>This page is ${own} or ${publicId}. <a href="${own}">Here</a></p>`, {
      slug: 'open-plan',
      multilingual: [
        { language_code: 'de', title: 'Hut', slug: translationSlug, body: '<p>Text</p>', is_live: false },
      ],
    }),
    record(
      'translated',
      'translation',
      `<p>${site}/de/article/${publicId}-${translationSlug} or <a href="${site}/de/${translationSlug}/">there</a></p>`,
    ),
    record('0metadata0', `Title ${address}`, '<p>Text</p>', {
      ...{ slug: `see-${id}-soon`, description: `About ${address} and ${id}.`, tags: [address, id, 'fine'] },
      multilingual: [
        {
          language_code: 'de',
          title: 'Titel',
          slug: `${id}-titel`,
          body: `<p>${address}</p>`,
          is_live: true,
        },
      ],
    }),
    ...[...bodies].map(([name, body], at) => record(`name${String(at).padStart(6, '0')}`, name, body)),
  ];
}

const hats = { category_id: 'hats', title: 'Sombrero Umbau 2027', slug, description: null, multilingual: [] };

async function startHelpCentre(served: ServedKnowledgeBase) {
  const { origin } = await serve(serveKnowledgeBase(served));
  return {
    config: { ...settings, baseUrl: `${origin}/v1` },
    env: { LECTERN_API_KEY: 'k'.repeat(20) },
  };
}

describe('a build of a service with a draft', () => {
  const bodies = bodiesFor(`/article/${id}-${slug}`, id);

  it(`publishes neither its id nor its slug, in ${bodies.size} spellings and places, and reports each`, async () => {
    const served = { articles: serviceRecords(true, bodies), categories: [hats] };
    const { config, env } = await startHelpCentre(served);
    const folder = temporaryFolder();
    const { report, text, printed } = await build(folder, config, env);
    expect(await findMarkers(join(folder, 'dist'), [...markers, translationSlug])).toEqual([]);
    const reported = new Set(problemsOf(report, 'LINK_TO_HIDDEN').map(({ articleId }) => articleId));
    const silent = [...bodies.keys()].filter((_, at) => !reported.has(`name${String(at).padStart(6, '0')}`));
    // These are published nowhere.
    expect(silent).toEqual(['data attribute']);
    for (const words of [text, printed]) {
      expect(words.toLowerCase()).not.toContain(slug);
      expect(words).not.toContain('Sombrero');
    }
  });

  it('publishes the address of a public article as its author wrote it', async () => {
    const served = { articles: serviceRecords(true, new Map()), categories: [hats] };
    const { config, env } = await startHelpCentre(served);
    const folder = temporaryFolder();
    await build(folder, config, env);
    const own = `${site}/en/article/${publicId}-open-plan/`;
    const html = readFileSync(join(folder, `dist/en/article/${publicId}-open-plan/index.html`), 'utf8');
    expect(html).toContain(`This page is ${own} or ${publicId}.`);
    const documents = readFileSync(join(folder, 'dist/feed/en/documents.jsonl'), 'utf8');
    expect(documents).toContain(`This page is ${own} or ${publicId}.`);
  });

  it('cuts the address from pages that were published while the article was public', async () => {
    const served = { articles: serviceRecords(false, bodies), categories: [hats] };
    const { config, env } = await startHelpCentre(served);
    const folder = temporaryFolder();
    await build(folder, config, env);
    expect((await findMarkers(join(folder, 'dist'), markers)).length).toBeGreaterThan(bodies.size);
    served.articles = serviceRecords(true, bodies);
    await build(folder, config, env);
    // What was published once stays in the history that followers read.
    const history = /^(?:feed\/changes|addresses\.json|_redirects|hosting\/)/;
    const found = await findMarkers(join(folder, 'dist'), markers);
    expect(found.filter((path) => !history.test(path))).toEqual([]);
  });
});

describe('a build of a folder with a draft', () => {
  const bodies = bodiesFor(`/plans/${slug}/`, slug);
  const files: Tree = {
    [`plans/${slug}.md`]: page('draft: true', '# Umbau\n\nText.'),
    'plans/open-plan-2028.md': `# Open\n\nThis page is ${site}/plans/open-plan-2028/ in \`plans/open-plan-2028.md\`.`,
    'metadata.md': page(
      `description: About ${site}/plans/${slug}/ now\ntags: ["${site}/plans/${slug}", fine]`,
      `# About ${site}/plans/${slug}\n\nSee \`plans/${slug}.md\` and [a](plans/${slug}.md), [b][ref].\n\n[ref]: ${site}/plans/${slug}/`,
    ),
    ...Object.fromEntries(
      [...bodies].map(([name, html], at) => [`p${at}.md`, page(`title: "${name}"`, html)]),
    ),
  };
  const config = { ...settings, source: { kind: 'folder', path: './kb' } };

  it(`publishes neither its path nor its file, in ${bodies.size} spellings and places, and reports each`, async () => {
    const folder = temporaryFolder();
    writeTree(join(folder, 'kb'), files);
    const { report } = await build(folder, config);
    expect(await findMarkers(join(folder, 'dist'), [slug])).toEqual([]);
    const reported = new Set(problemsOf(report, 'LINK_TO_HIDDEN').map(({ file }) => file));
    const silent = [...bodies.keys()].filter((_, at) => !reported.has(`kb/p${at}.md`));
    expect(silent).toEqual(['data attribute']);
    const open = readFileSync(join(folder, 'dist/plans/open-plan-2028/index.html'), 'utf8');
    expect(open).toContain(`>${site}/plans/open-plan-2028/</a> in <code>plans/open-plan-2028.md</code>.`);
  });
});
