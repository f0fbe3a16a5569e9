import { type Problem, problem } from '../foundation/problems.ts';
import type { Output } from '../output/output.ts';
import type { LegacyUrls } from './legacy-urls.ts';
import {
  addressKey,
  fileKey,
  type RedirectRule,
  type RedirectTable,
  redirectOrigins,
} from './redirect-table.ts';

/**
 * Makes rules from several sources one table: each address leads straight to where it ends, the first of several rules
 * for one address wins, and no rule hides a page or leads to itself. A rule from the configuration that is not used is reported.
 * @param rules of all origins but the old help centre's addresses, in any order
 * @param legacyUrls sorted; each leads to a page
 */
export function resolveRedirects(
  rules: readonly RedirectRule[],
  legacyUrls: LegacyUrls,
  pages: PageKeys,
): ResolvedRedirects {
  const problems: Problem[] = [];
  const byAddress = new Map<string, RedirectRule>();
  for (const rule of rules.toSorted(compareRules)) {
    const other = byAddress.get(rule.from);
    if (pages.has(rule.from)) report(rule, 'is an address of a page', problems);
    else if (other === undefined) byAddress.set(rule.from, rule);
    else if (other.to !== rule.to) report(rule, 'is listed twice; the first one is used', problems);
  }
  const findUnlessPage = (key: string) => (pages.has(key) ? undefined : legacyUrls.find(key));
  const resolved = [...byAddress.values()].flatMap((rule) => {
    const end = follow(rule, (key) => byAddress.get(key) ?? findUnlessPage(key));
    if (end === null) {
      problems.push(problem('REDIRECT_LOOP', `the redirect from ${rule.from} is part of a loop`));
      return [];
    }
    if (rule.origin === 'configured' && end.to?.startsWith('/') && !pages.has(addressKey(end.to))) {
      const message = `the redirect from ${rule.from} leads to ${end.to}, which does not exist`;
      problems.push(problem('REDIRECT_TARGET_MISSING', message));
    }
    return [end];
  });
  return {
    exact: resolved,
    legacyUrls: {
      *[Symbol.iterator]() {
        for (const rule of legacyUrls) if (!byAddress.has(rule.from) && !pages.has(rule.from)) yield rule;
      },
    },
    problems,
  };
}

/** The rules of a {@link RedirectTable}, and the problems found in them. */
interface ResolvedRedirects extends Pick<RedirectTable, 'exact' | 'legacyUrls'> {
  readonly problems: readonly Problem[];
}

/** The rule with the address where it really ends; `null` in a circle. */
function follow(
  rule: RedirectRule,
  find: (address: string) => RedirectRule | undefined,
): RedirectRule | null {
  const passed = new Set([rule.from]);
  let { to, isPermanent } = rule;
  while (to?.startsWith('/')) {
    const key = addressKey(to);
    if (passed.has(key)) return null;
    const next = find(key);
    if (next === undefined) break;
    passed.add(key);
    to = next.to;
    isPermanent &&= next.isPermanent;
  }
  return { ...rule, to, isPermanent };
}

function report({ origin, from, to }: RedirectRule, what: string, problems: Problem[]): void {
  if (origin !== 'configured') return;
  problems.push(problem('REDIRECT_CONFLICT', `the redirect from ${from} to ${to ?? 'nowhere'} ${what}`));
}

function compareRules(a: RedirectRule, b: RedirectRule): number {
  const byOrigin = redirectOrigins.indexOf(a.origin) - redirectOrigins.indexOf(b.origin);
  return byOrigin !== 0 || a.from === b.from ? byOrigin : a.from < b.from ? -1 : 1;
}

/** The addresses that exist. */
export interface PageKeys {
  /** @param key as `fileKey` makes it */
  has(key: string): boolean;
}

/** Asks the output for the file of an address: a set of all of them would be one of the largest things in memory. */
export function createPageKeys(basePath: string, output: Pick<Output, 'has' | 'paths'>): PageKeys {
  // A file whose name is not in normal form has another path than its key says.
  const unusual = new Set<string>();
  for (const path of output.paths()) {
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
