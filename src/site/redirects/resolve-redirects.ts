import { relativeSourcePath } from '../../core/addresses.ts';
import type { RedirectsSettings } from '../../core/config/schema.ts';
import type { KnowledgeBase } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import type { Output } from '../../output/output.ts';
import type { Plan } from '../plan/plan.ts';
import { categoryPaths } from '../plan/plan-categories.ts';
import {
  addressKey,
  encodeSign,
  fileKey,
  type RedirectRule,
  type RedirectTable,
  redirectOrigins,
} from './redirect-table.ts';
import { pagesOf, type UrlHistoryEntry } from './url-history.ts';

/**
 * Combines rules from several sources into one table: each URL leads directly to its final target, the first of several rules for a URL
 * wins, and no rule hides a page or leads to itself. Reports rules of the configuration that are not used.
 * @param rules in any order
 */
export function resolveRedirects(rules: readonly RedirectRule[], pages: PageKeys): ResolvedRedirects {
  const problems: Problem[] = [];
  const byAddress = new Map<string, RedirectRule>();
  for (const rule of rules.toSorted(compareRules)) {
    const other = byAddress.get(rule.from);
    if (pages.has(rule.from)) report(rule, 'is the URL of a page', problems);
    else if (other === undefined) byAddress.set(rule.from, rule);
    else if (other.to !== rule.to) report(rule, 'is listed twice; the first one is used', problems);
  }
  const resolved = [...byAddress.values()].flatMap((rule) => {
    const end = follow(rule, byAddress);
    if (end === null) {
      problems.push(problem('REDIRECT_INVALID', `the redirect from ${rule.from} is part of a loop`));
      return [];
    }
    if (rule.origin === 'configured' && end.to.startsWith('/') && !pages.has(addressKey(end.to))) {
      const message = `the redirect from ${rule.from} leads to ${end.to}, which does not exist`;
      problems.push(problem('REDIRECT_INVALID', message));
    }
    return [end];
  });
  return { rules: resolved, problems };
}

/** The rules of a {@link RedirectTable}, and the problems found in them. */
interface ResolvedRedirects extends Pick<RedirectTable, 'rules'> {
  readonly problems: readonly Problem[];
}

/** The rule with its final target; `null` for a circle. */
function follow(rule: RedirectRule, all: ReadonlyMap<string, RedirectRule>): RedirectRule | null {
  const passed = new Set([rule.from]);
  let { to, isPermanent } = rule;
  while (to.startsWith('/')) {
    const key = addressKey(to);
    if (passed.has(key)) return null;
    const next = all.get(key);
    if (next === undefined) break;
    passed.add(key);
    to = next.to;
    isPermanent &&= next.isPermanent;
  }
  return { ...rule, to, isPermanent };
}

function report({ origin, from, to }: RedirectRule, what: string, problems: Problem[]): void {
  if (origin !== 'configured') return;
  problems.push(problem('REDIRECT_INVALID', `the redirect from ${from} to ${to} ${what}`));
}

function compareRules(a: RedirectRule, b: RedirectRule): number {
  const byOrigin = redirectOrigins.indexOf(a.origin) - redirectOrigins.indexOf(b.origin);
  return byOrigin !== 0 || a.from === b.from ? byOrigin : a.from < b.from ? -1 : 1;
}

/** The URLs that exist. */
interface PageKeys {
  /** @param key result of `fileKey` */
  has(key: string): boolean;
}

/** Looks up URLs in the files of the output: a separate set of all URLs would need too much memory. */
export function createPageKeys(basePath: string, output: Pick<Output, 'has' | 'files'>): PageKeys {
  // Files whose names are not in normal form: their path cannot be computed from the key.
  const unusual = new Set<string>();
  for (const { path } of output.files()) {
    if (path !== path.normalize('NFC')) unusual.add(fileKey(basePath, path));
  }
  const isFile = (path: string): boolean => output.has(path) && path === path.normalize('NFC');
  return {
    has(key) {
      if (unusual.has(key)) return true;
      if (key === basePath) return isFile('index.html');
      if (!key.startsWith(`${basePath}/`)) return false;
      const path = key.slice(basePath.length + 1);
      return isFile(`${path}/index.html`) || (!/(?:^|\/)index\.html$/.test(path) && isFile(path));
    },
  };
}

/** The redirects of the configuration as rules, and those whose record does not exist. */
export function configuredRules(
  settings: Pick<RedirectsSettings, 'rules'>,
  plan: Plan,
): { readonly rules: readonly RedirectRule[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const rules = settings.rules.flatMap(({ from, to, kind }): RedirectRule[] => {
    const target = findTarget(to, plan);
    if (target === null) {
      const message = `the redirect from ${JSON.stringify(from)} leads to ${to}, which has no public page`;
      problems.push(problem('REDIRECT_INVALID', message));
      return [];
    }
    const key = addressKey(`${plan.basePath}${from}`);
    return [{ origin: 'configured', from: key, to: target, isPermanent: kind === 'permanent' }];
  });
  return { rules, problems };
}

/** A percent-encoded URL, or that of the record's page in its source language. */
function findTarget(to: string, plan: Plan): string | null {
  const [, kind, id = ''] = /^(article|category):(.+)$/.exec(to) ?? [];
  if (kind === undefined) return to.startsWith('/') ? encodeAddress(plan.basePath + to) : encodeAddress(to);
  const pages = kind === 'article' ? plan.articles.get(id)?.pages : plan.categoryPages.get(id);
  return pages?.values().next().value?.href ?? null;
}

/** Encodes a URL as browsers do, and also characters that could end a line or quoted text in a configuration file. */
function encodeAddress(address: string): string {
  const base = 'https://site.invalid';
  const url = new URL(address, base);
  const encoded = url.href.replace(/["'\\$`{}|^<>]/g, encodeSign);
  return url.origin === base ? encoded.slice(base.length) : encoded;
}

/**
 * Rules for the URLs that the pages of a folder had: paths, aliases, and paths of categories. Links to the old site keep
 * leading to the page, whatever `urls` says.
 */
export function projectRules({ articles, categories }: KnowledgeBase, plan: Plan): readonly RedirectRule[] {
  const rule = (path: string, to: string): RedirectRule => ({
    origin: 'project',
    from: fileKey(plan.basePath, path),
    to,
    isPermanent: true,
  });
  const ofPages = articles.flatMap(({ id, translations }) =>
    translations.flatMap(({ language, sourcePath: path, aliases }) => {
      const page = plan.articles.get(id)?.pages.get(language);
      if (page === undefined) return [];
      return [...(path === null ? [] : [relativeSourcePath(path)]), ...aliases].map((from) =>
        rule(from, page.href),
      );
    }),
  );
  const ofCategories = categories.flatMap((category) =>
    [...(plan.categoryPages.get(category.id) ?? [])].flatMap(([language, page]) =>
      categoryPaths(language, category, plan.defaultLanguage).map((from) => rule(from, page.href)),
    ),
  );
  // The URL of the site itself is that of its home page.
  return [...ofPages, ...ofCategories].filter(({ from }) => from !== plan.basePath);
}

/**
 * Rules for all former URLs of a page. They lead to its new URL; if it is no longer translated, temporarily to the record in another
 * language.
 */
export function movedPageRules(
  { kind, id, language, earlier }: UrlHistoryEntry,
  plan: Plan,
): readonly RedirectRule[] {
  if (earlier.length === 0) return [];
  const pages = pagesOf(plan, kind, id);
  const own = pages?.get(language);
  const target = own ?? pages?.values().next().value;
  if (target === undefined) return [];
  const origin = own === undefined ? 'untranslated' : 'renamed';
  return earlier.map((path) => ({
    origin,
    from: fileKey(plan.basePath, path),
    to: target.href,
    isPermanent: own !== undefined,
  }));
}
