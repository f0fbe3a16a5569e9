import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import { entriesOf } from '../front-matter.ts';
import { withEmoji } from '../markup/emoji.ts';
import { createJekyllMarkup } from '../markup/jekyll.ts';
import type { ProjectConfig } from './config.ts';
import type { PageRules } from './project-pages.ts';
import { type ProjectPages, plainProject, unreadProject } from './project-pages.ts';

interface Collection {
  readonly label: string;
  readonly folder: string;
  readonly permalink: string;
}

/** What `_config.yml` says about the pages of a Jekyll site. Jupyter Book has such a file, too. */
export function readJekyllProject(project: ProjectConfig, has: (path: string) => boolean): ProjectPages {
  if (has('_toc.yml')) return plainProject([]);
  if (project.unread.length > 0) return unreadProject(project);
  const config = project.all;
  const collections = readCollections(config).filter(({ folder }) => has(folder));
  const plugins = texts(config.plugins);
  const markup = createJekyllMarkup({ config, dataFiles: listDataFiles(project.root) });
  const prefixes = new Map([
    ['', ''],
    ...collections.map(({ folder, label }) => [folder, `${label}/`] as const),
  ]);
  return {
    ...plainProject([...prefixes.keys()]),
    prefixes,
    markup: plugins.includes('jemoji') ? withEmoji(markup) : markup,
    pages: readRules(config, collections, !plugins.includes('jekyll-optional-front-matter')),
  };
}

/** Which files are pages, and their fields and paths. */
function readRules(
  config: UnknownRecord,
  collections: readonly Collection[],
  needsFrontMatter: boolean,
): PageRules {
  const excluded = [...standardExcludes, ...texts(config.exclude)].map(toPattern);
  const included = texts(config.include).map(toPattern);
  const collectionOf = (path: string) => collections.find(({ folder }) => path.startsWith(`${folder}/`));
  const defaults = Array.isArray(config.defaults) ? (config.defaults as readonly unknown[]) : [];
  return {
    ignores(path) {
      const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(path));
      return (
        errorPage.test(path) ||
        (matches(excluded) && !matches(included)) ||
        (!needsFrontMatter && aboutProject.test(path))
      );
    },
    needsFrontMatter,
    fieldsOf(path) {
      const type = collectionOf(path)?.label ?? 'pages';
      const fields: Record<string, unknown> = {};
      for (const one of defaults) {
        const { scope, values } = Object.fromEntries(entriesOf(one)) as {
          scope?: UnknownRecord;
          values?: UnknownRecord;
        };
        const folder = String(scope?.path ?? '').replace(/^\/|\/$/g, '');
        const isInside = folder === '' || path === folder || path.startsWith(`${folder}/`);
        const isType = scope?.type === undefined || scope.type === type;
        if (isInside && isType) Object.assign(fields, Object.fromEntries(entriesOf(values)));
      }
      const [, date, slug] = postName.exec(posix.basename(path)) ?? [];
      return type === 'posts' && date !== undefined ? { ...fields, date, slug } : fields;
    },
    cascade: [],
    pathOf(path, data) {
      const own = typeof data.permalink === 'string' ? data.permalink : null;
      const collection = collectionOf(path);
      const inside = path
        .slice(collection === undefined ? 0 : collection.folder.length + 1)
        .replace(/\.\w+$/, '');
      if (collection === undefined && own === null) {
        const stem = inside.replace(/(^|\/)index$/i, '$1');
        if (stem === '' || stem.endsWith('/')) return stem;
        const style = String(config.permalink ?? '');
        return style === 'pretty' || style.endsWith('/') ? `${stem}/` : `${stem}.html`;
      }
      const [, date = '', title] = postName.exec(posix.basename(path)) ?? [];
      const written = typeof data.date === 'string' ? data.date : date;
      const [year = '', month = '', day = ''] = dayIn(written, config.timezone).split('-');
      const categories = [...texts(data.categories), ...texts(data.category)].join('/').toLowerCase();
      const name = title ?? posix.basename(inside);
      const places: Readonly<Record<string, string>> = {
        collection: collection?.label ?? '',
        path: collection === undefined ? posix.dirname(inside) : inside,
        name,
        basename: name,
        title: typeof data.slug === 'string' ? data.slug : name,
        slug: name,
        categories,
        output_ext: '.html',
        year,
        month,
        day,
        short_year: year.slice(2),
        i_month: String(Number(month)),
        i_day: String(Number(day)),
      };
      return (own ?? collection?.permalink ?? '')
        .replace(/:(\w+)/g, (_all, place: string) => places[place] ?? '')
        .replace(/\/{2,}/g, '/');
    },
  };
}

/** The day of a date in the time zone of the site. Jekyll reads a time without a zone as UTC. */
function dayIn(date: string, timeZone: unknown): string {
  const day = date.slice(0, 10);
  if (typeof timeZone !== 'string' || !/\d:\d\d/.test(date)) return day;
  const hasZone = /(?:Z|UTC|[+-]\d\d:?\d\d)\s*$/.test(date);
  const timeMs = Date.parse(hasZone ? date : `${date} UTC`);
  if (Number.isNaN(timeMs)) return day;
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(timeMs);
  } catch {
    // Not a time zone that is known here.
    return day;
  }
}

const postName = /^(\d{4}-\d\d-\d\d)-(.+?)\.\w+$/;

/** The page of a missing address. */
const errorPage = /(?:^|\/)404\.\w+$/;

/** Files about the project, of which jekyll-optional-front-matter makes no pages. */
const aboutProject =
  /^(?:\.github\/)?(?:readme|licen[sc]e|copying|code_of_conduct|contributing|issue_template|pull_request_template)(?:\.\w+)?$/i;

const standardExcludes = [
  '.sass-cache',
  '.jekyll-cache',
  'gemfiles',
  'Gemfile',
  'Gemfile.lock',
  'node_modules',
  'vendor/bundle',
  'vendor/cache',
  'vendor/gems',
  'vendor/ruby',
];

const permalinkStyles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title:output_ext',
};

function readCollections(config: UnknownRecord): readonly Collection[] {
  const given = config.collections;
  const named: readonly [string, unknown][] = Array.isArray(given)
    ? given.map((label) => [String(label), {}])
    : entriesOf(given);
  const base =
    typeof config.collections_dir === 'string' ? config.collections_dir.replace(/^\/|\/$/g, '') : '';
  const style = typeof config.permalink === 'string' ? config.permalink : 'date';
  const posts = named.find(([label]) => label === 'posts')?.[1];
  const others = named.filter(
    ([label, settings]) => label !== 'posts' && fieldOf(settings, 'output') === true,
  );
  return [['posts', posts] as const, ...others].flatMap(([label, settings]) => {
    if (!/^[\w-]+$/.test(label)) return [];
    const own = fieldOf(settings, 'permalink');
    const general = label === 'posts' ? (permalinkStyles[style] ?? style) : '/:collection/:path:output_ext';
    const permalink = typeof own === 'string' ? (permalinkStyles[own] ?? own) : general;
    return [{ label, folder: posix.join(base, `_${label}`), permalink }];
  });
}

function fieldOf(settings: unknown, name: string): unknown {
  return entriesOf(settings).find(([key]) => key === name)?.[1];
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter(Boolean);
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** `docs/*.md`, `vendor/`: also files below. */
function toPattern(pattern: string): RegExp {
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .split(/(\*\*\/?|\*|\?)/)
    .map((piece, at) => {
      if (at % 2 === 0) return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      return piece === '*' ? '[^/]*' : piece === '?' ? '[^/]' : '(?:.*/)?';
    })
    .join('');
  return new RegExp(`^${source}(?:/|$)`);
}

/** Maximum number of files of `_data/`. */
const mostDataFiles = 200;

function listDataFiles(root: string): readonly string[] {
  if (!existsSync(join(root, '_data'))) return [];
  return readdirSync(join(root, '_data'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map(({ name }) => `_data/${name}`)
    .sort()
    .slice(0, mostDataFiles);
}
