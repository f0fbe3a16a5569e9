import { decodePercent, relativeSourcePath } from '../../core/addresses.ts';
import type { RedirectFormat, RedirectsSettings } from '../../core/config/schema.ts';
import type { LegacyFormat } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import type { KnowledgeBase } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import type { Output, WrittenFile } from '../../output/output.ts';
import type { HeaderRule } from '../pages/headers-file.ts';
import type { Plan } from '../plan/plan.ts';
import { writeHtmlStubs } from './hosts/html-stubs.ts';
import { writeNginx } from './hosts/nginx.ts';
import { writeRedirectsFile } from './hosts/redirects-file.ts';
import { writeRedirectsJson } from './hosts/redirects-json.ts';
import { writeVercel } from './hosts/vercel.ts';
import { hostedRecords, hostedRules, zendeskRules } from './legacy-urls.ts';
import {
  addressKey,
  fileKey,
  type HostFiles,
  type RedirectRule,
  type RedirectTable,
} from './redirect-table.ts';
import {
  configuredRules,
  createPageKeys,
  movedPageRules,
  projectRules,
  resolveRedirects,
} from './resolve-redirects.ts';
import {
  entryKey,
  type FormerPaths,
  parseUrlHistory,
  serializeUrlHistory,
  type UrlHistoryEntry,
  updateUrlHistory,
  urlHistoryPath,
} from './url-history.ts';

interface RedirectSources {
  readonly plan: Plan;
  readonly knowledgeBase: KnowledgeBase;
  /** Forms of the URLs of the old help centre. */
  readonly legacy: readonly LegacyFormat[];
  /** Headers that the host should send. */
  readonly headers: readonly HeaderRule[];
  /** Lines of the user that follow those of `_redirects`. */
  readonly appended: string;
  /** Reads a file of the site as it was published last. */
  readonly readPrevious: (path: string) => Promise<Uint8Array | null>;
  /** Former URLs to erase; absent: none. */
  readonly forget?: readonly string[];
}

/**
 * Writes the URL history and, for each configured host, the redirects from former URLs, from URLs of the old help centre, and from the
 * configuration. Runs last, so that no redirect hides a written file.
 * @returns the written files, and problems: conflicts, circles, limits of hosts
 * @throws FORGET_REFUSED if a URL to erase is that of a page, still redirects, or is not in the history
 */
export async function publishRedirects(
  { plan: encoded, knowledgeBase, legacy, headers, appended, readPrevious, forget = [] }: RedirectSources,
  settings: RedirectsSettings,
  output: Pick<Output, 'write' | 'has' | 'files'>,
): Promise<PublishedRedirects> {
  // Redirects are found by URLs without percent-encoding.
  const plan = { ...encoded, basePath: decodePercent(encoded.basePath) };
  const problems: Problem[] = [];
  const bytes = await readPrevious(urlHistoryPath);
  const before = bytes === null ? [] : parseUrlHistory(bytes);
  if (before === null) {
    const message = `${urlHistoryPath} of the previous output is damaged, so earlier URLs are not redirected`;
    problems.push(problem('ADDRESSES_FORGOTTEN', message));
  }
  const pages = createPageKeys(plan.basePath, output);
  const configured = configuredRules(settings, plan);
  const files: WrittenFile[] = [];
  const slugOf = slugLookup(knowledgeBase);
  const updated = updateUrlHistory(before ?? [], plan, slugOf, formerPaths(knowledgeBase));
  const wanted = new Map(forget.map((url) => [addressKey(url), url]));
  const history = eraseUrls(updated, wanted, plan, slugOf);
  files.push(await output.write(urlHistoryPath, serializeUrlHistory(history)));
  const formerSlugs = new Map(history.map((entry) => [entryKey(entry), entry.slugs]));
  const zendesk = legacy.includes('zendesk') ? zendeskRules(knowledgeBase, plan) : [];
  const records = legacy.includes('hosted')
    ? hostedRecords(knowledgeBase, plan, (page) => formerSlugs.get(entryKey(page)) ?? [])
    : [];
  const resolved = resolveRedirects(
    [
      ...[...configured.rules, ...projectRules(knowledgeBase, plan)],
      ...history.flatMap((entry) => movedPageRules(entry, plan)),
      ...[...zendesk, ...hostedRules(records, plan)],
    ],
    pages,
  );
  checkForgotten(wanted, updated, plan, pages, resolved.rules);
  problems.push(...configured.problems, ...resolved.problems);
  const table: RedirectTable = { appended, basePath: plan.basePath, rules: resolved.rules, records };
  for (const { files: ofHost, limits } of hostFiles(settings.formats, table, headers, output.has)) {
    for (const { path, content } of ofHost) files.push(await output.write(path, content));
    problems.push(...limits.map((limit) => problem('REDIRECT_LIMIT', limit)));
  }
  return { files, problems };
}

interface PublishedRedirects {
  readonly files: readonly WrittenFile[];
  readonly problems: readonly Problem[];
}

/**
 * Erases URLs from the history, with the former slugs of their pages, because URLs of the old help centre are made of those.
 * @param wanted by `addressKey`
 */
function eraseUrls(
  entries: readonly UrlHistoryEntry[],
  wanted: ReadonlyMap<string, string>,
  plan: Plan,
  slugOf: ReturnType<typeof slugLookup>,
): readonly UrlHistoryEntry[] {
  if (wanted.size === 0) return entries;
  return entries.map((entry) => {
    const earlier = entry.earlier.filter((path) => !wanted.has(fileKey(plan.basePath, path)));
    if (earlier.length === entry.earlier.length) return entry;
    return { ...entry, earlier, slugs: entry.slugs.filter((slug) => slug === slugOf(entry)) };
  });
}

/** @param entries the history before the URLs were erased @throws FORGET_REFUSED */
function checkForgotten(
  wanted: ReadonlyMap<string, string>,
  entries: readonly UrlHistoryEntry[],
  { basePath }: Plan,
  pages: ReturnType<typeof createPageKeys>,
  rules: readonly RedirectRule[],
): void {
  for (const [key, url] of wanted) {
    const refuse = (why: string, hint: string): never => {
      throw new LecternError('FORGET_REFUSED', `${url} ${why}`, { hint });
    };
    if (pages.has(key)) refuse('is the URL of a page', 'give the page another URL, build, and try again');
    if (rules.some(({ from }) => from === key))
      refuse(
        'still redirects',
        'remove it from redirects.rules, or from the aliases of the page, build, and try again',
      );
    if (!entries.some(({ earlier }) => earlier.some((path) => fileKey(basePath, path) === key)))
      refuse(
        'is not a former URL of a page',
        'it may have been erased before; addresses.json lists all former URLs',
      );
  }
}

/** Finds the former paths of an article that no history of this site contains: those in its site generator. */
function formerPaths({ articles }: KnowledgeBase): FormerPaths {
  const byPage = new Map<string, readonly string[]>();
  const replaced = new Map<string, string>();
  for (const { id, replaces, translations } of articles) {
    for (const [language, former] of Object.entries(replaces)) {
      const page = { kind: 'article', language } as const;
      replaced.set(entryKey({ ...page, id }), entryKey({ ...page, id: former }));
    }
    for (const { language, sourcePath: path, aliases } of translations) {
      const all = [...(path === null ? [] : [relativeSourcePath(path)]), ...aliases].filter(
        (one) => one !== '',
      );
      if (all.length > 0) byPage.set(entryKey({ kind: 'article', id, language }), all);
    }
  }
  return { of: (page) => byPage.get(entryKey(page)) ?? [], replaced };
}

/** Finds the slug of a record in a language. */
function slugLookup({ articles, categories }: KnowledgeBase): Parameters<typeof updateUrlHistory>[2] {
  const articleById = new Map(articles.map((article) => [article.id, article]));
  const categoryById = new Map(categories.map((category) => [category.id, category]));
  return ({ kind, id, language }) => {
    const record = kind === 'article' ? articleById.get(id) : categoryById.get(id);
    return record?.translations.find((each) => each.language === language)?.slug || null;
  };
}

/** Netlify and Cloudflare share a file, which is written for the stricter of the two. */
function hostFiles(
  formats: readonly RedirectFormat[],
  table: RedirectTable,
  headers: readonly HeaderRule[],
  isFile: (path: string) => boolean,
): readonly HostFiles[] {
  const writers: Readonly<Record<RedirectFormat, () => HostFiles>> = {
    netlify: () => writeRedirectsFile(table, headers, false),
    cloudflare: () => writeRedirectsFile(table, headers, true),
    vercel: () => writeVercel(table, headers),
    nginx: () => writeNginx(table, headers),
    html: () => writeHtmlStubs(table, isFile),
    json: () => writeRedirectsJson(table),
  };
  const isShared = formats.includes('netlify') && formats.includes('cloudflare');
  return (
    [...new Set(formats)]
      .filter((format) => !(isShared && format === 'netlify'))
      // Stubs are pages themselves, and no rule may hide a page.
      .sort((a, b) => Number(a === 'html') - Number(b === 'html'))
      .map((format) => writers[format]())
  );
}
