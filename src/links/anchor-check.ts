import type { Document } from '../content/document.ts';
import { isTopOfPage } from '../content/policy/ids.ts';
import { splitFragment } from '../content/policy/url-policy.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { ArticlePage } from '../plan/plan.ts';
import { AnchorSet } from './anchor-set.ts';

/** Collects anchors and the links to them over the whole run, since a target may be rendered after its link. */
export interface AnchorCheck {
  add(page: ArticlePage, facts: AnchorFacts): void;
  /** One problem per link whose `#anchor` its target page does not have. */
  problems(): readonly Problem[];
}

/** The anchors of one page and the links that name one. Plain data. */
export interface AnchorFacts {
  /** One per line, with a line feed before and behind each. */
  readonly anchors: string;
  /** Addresses within the site. */
  readonly links: readonly string[];
}

export function describeAnchors(document: Document): AnchorFacts {
  const anchors = [...document.headings.map(({ id }) => id), ...document.anchors];
  return {
    anchors: `\n${anchors.join('\n')}\n`,
    links: document.links.flatMap(({ kind, fragment, href }) =>
      // The page of a category has no anchors of authors, so every anchor on it is missing.
      kind === 'internal' && fragment && !isTopOfPage(fragment) ? [href] : [],
    ),
  };
}

interface AnchoredLink {
  readonly articleId: string;
  readonly language: string;
  readonly href: string;
}

export function createAnchorCheck(): AnchorCheck {
  const anchors = new AnchorSet();
  const links: AnchoredLink[] = [];
  return {
    add({ href, articleId, language }, facts) {
      anchors.add(href, facts.anchors.slice(1, -1).split('\n'));
      for (const link of facts.links) links.push({ articleId, language, href: link });
    },
    problems() {
      return links
        .filter(({ href }) => {
          const [target = '', fragment = ''] = href.split('#');
          return !anchors.has(target, decode(splitFragment(fragment).fragment));
        })
        .map(({ articleId, language, href }) =>
          problem('ANCHOR_MISSING', `the link ${href} names an anchor that the page does not have`, {
            articleId,
            language,
          }),
        );
    },
  };
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
