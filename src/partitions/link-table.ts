import type { LanguageTag } from '../foundation/model.ts';
import type { LinkTarget, LinkTargetPages, LinkTargets } from '../links/resolve-links.ts';
import type { Plan } from '../plan/plan.ts';

/** The URLs of every page by id, in one block of memory that all threads read, because a plan is too large to copy. */
export interface LinkTable {
  /** Scheme and host that turn an `href` into a `url`; empty if the site URL is unknown. */
  readonly origin: string;
  /** One line per article or category: kind and id, then language and href of every page, tab-separated. */
  readonly lines: SharedArrayBuffer;
}

const tab = 9;
const newline = 10;

/** Maximum number of cached targets: translations have the links of their source, and the feed resolves them again. */
const mostRecent = 1000;

export function makeLinkTable(plan: Plan): LinkTable {
  const lines: string[] = [];
  for (const { id, pages } of plan.articles.values()) lines.push(line('a', id, pages.values()));
  for (const [id, pages] of plan.categoryPages) lines.push(line('c', id, pages.values()));
  const bytes = Buffer.from(lines.join(''));
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const origin =
    plan.siteUrl === null ? '' : plan.siteUrl.slice(0, plan.siteUrl.length - plan.basePath.length);
  return { origin, lines: shared };
}

/** Reads the table. It returns the same targets as the plan it was made from. */
export function openLinkTable({ origin, lines }: LinkTable): LinkTargets {
  const bytes = Buffer.from(lines);
  const starts = new Map<string, number>();
  for (let start = 0; start < bytes.length; start = bytes.indexOf(newline, start) + 1) {
    starts.set(bytes.toString('latin1', start, bytes.indexOf(tab, start)), start);
  }
  const recent = new Map<string, LinkTargetPages | undefined>();
  const pagesOf = (key: string): LinkTargetPages | undefined => {
    if (recent.has(key)) return recent.get(key);
    const pages = readPages(key);
    if (recent.size === mostRecent) recent.clear();
    recent.set(key, pages);
    return pages;
  };
  const readPages = (key: string): LinkTargetPages | undefined => {
    const start = starts.get(key);
    if (start === undefined) return undefined;
    const [, ...fields] = bytes.toString('utf8', start, bytes.indexOf(newline, start)).split('\t');
    const pages = new Map<LanguageTag, LinkTarget>();
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [language = '', href = ''] = fields.slice(at, at + 2);
      pages.set(language, { language, href, url: origin + href });
    }
    return pages;
  };
  return {
    articles: {
      get(id) {
        const pages = pagesOf(`a${id}`);
        return pages === undefined ? undefined : { pages };
      },
    },
    categoryPages: { get: (id) => pagesOf(`c${id}`) },
  };
}

function line(kind: 'a' | 'c', id: string, pages: Iterable<LinkTarget>): string {
  const fields = [...pages].flatMap(({ language, href }) => [language, href]);
  return `${kind}${id}\t${fields.join('\t')}\n`;
}
