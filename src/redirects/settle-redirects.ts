import { type Problem, problem } from '../problems.ts';
import { addressKey, type RedirectRule, redirectOrigins } from './redirect-table.ts';

/**
 * Makes rules from several sources one table: each address leads straight to where it ends, the first of several rules
 * for one address wins, and no rule hides a page or leads in a circle. What a person wrote and is left out is reported.
 * @param rules of all origins, in any order
 * @param pages keys of all addresses that exist (see `fileKey`)
 */
export function settleRedirects(
  rules: readonly RedirectRule[],
  pages: ReadonlySet<string>,
): { readonly rules: readonly RedirectRule[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const byAddress = new Map<string, RedirectRule>();
  for (const rule of rules.toSorted(compareRules)) {
    const other = byAddress.get(rule.from);
    if (pages.has(rule.from)) report(rule, 'is an address of a page', problems);
    else if (other === undefined) byAddress.set(rule.from, rule);
    else if (other.to !== rule.to) report(rule, 'stands there twice; the first was kept', problems);
  }
  const settled = [...byAddress.values()].flatMap((rule) => {
    const end = follow(rule, byAddress);
    if (end === null) {
      problems.push(problem('REDIRECT_LOOP', `the redirect from ${rule.from} leads in a circle`));
      return [];
    }
    if (rule.origin === 'configured' && end.to?.startsWith('/') && !pages.has(addressKey(end.to))) {
      const message = `the redirect from ${rule.from} leads to ${end.to}, where nothing is`;
      problems.push(problem('REDIRECT_TARGET_MISSING', message));
    }
    return [end];
  });
  return { rules: settled, problems };
}

/** The rule with the address where it really ends; `null` in a circle. */
function follow(rule: RedirectRule, byAddress: ReadonlyMap<string, RedirectRule>): RedirectRule | null {
  const passed = new Set([rule.from]);
  let { to, isPermanent } = rule;
  while (to?.startsWith('/')) {
    const key = addressKey(to);
    if (passed.has(key)) return null;
    const next = byAddress.get(key);
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
