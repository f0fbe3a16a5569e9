import type { RedirectsSettings } from '../config/redirects-settings.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import { addressKey, fileKey, type RedirectRule } from './redirect-table.ts';
import type { UrlHistoryEntry } from './url-history.ts';

/** The redirects of the configuration as rules, and those that lead to no record. */
export function configuredRules(
  settings: Pick<RedirectsSettings, 'rules'>,
  plan: Plan,
): { readonly rules: readonly RedirectRule[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const rules = settings.rules.flatMap(({ from, to, kind }): RedirectRule[] => {
    const target = findTarget(to, plan);
    if (target === null) {
      const message = `the redirect from ${JSON.stringify(from)} leads to ${to}, which has no public page`;
      problems.push(problem('REDIRECT_TARGET_MISSING', message));
      return [];
    }
    const key = addressKey(`${plan.basePath}${from}`);
    return [{ origin: 'configured', from: key, to: target, isPermanent: kind === 'permanent' }];
  });
  return { rules, problems };
}

/** Percent-encoded address; the record's page in its source language. */
function findTarget(to: string, plan: Plan): string | null {
  const [, kind, id = ''] = /^(article|category):(.+)$/.exec(to) ?? [];
  if (kind === undefined) return to.startsWith('/') ? encodeAddress(plan.basePath + to) : encodeAddress(to);
  const pages = kind === 'article' ? plan.articles.get(id)?.pages : plan.categoryPages.get(id);
  return pages?.values().next().value?.href ?? null;
}

/** As a browser would send it; what could end a line or a quoted text of a configuration file is encoded, too. */
function encodeAddress(address: string): string {
  const base = 'https://site.invalid';
  const url = new URL(address, base);
  const encoded = url.href.replace(
    /["'\\$`{}|^<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return url.origin === base ? encoded.slice(base.length) : encoded;
}

/**
 * Rules for every address a page had and has no more: to its new address; to the record in another language, for the
 * time being, where it is not translated any more; gone where the record is not public any more.
 */
export function movedPageRules(entry: UrlHistoryEntry, plan: Plan): readonly RedirectRule[] {
  if (entry.earlier.length === 0) return [];
  const target = targetOf(entry, plan);
  return entry.earlier.map((path) => ({ ...target, from: fileKey(plan.basePath, path) }));
}

function targetOf({ kind, id, language }: UrlHistoryEntry, plan: Plan): Omit<RedirectRule, 'from'> {
  const pages: ReadonlyMap<string, PageAddress> | undefined =
    kind === 'article' ? plan.articles.get(id)?.pages : plan.categoryPages.get(id);
  const own = pages?.get(language);
  if (own !== undefined) return { origin: 'renamed', to: own.href, isPermanent: true };
  const other = pages?.values().next().value;
  return other === undefined
    ? { origin: 'gone', to: null, isPermanent: true }
    : { origin: 'untranslated', to: other.href, isPermanent: false };
}
