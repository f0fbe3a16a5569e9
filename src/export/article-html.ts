import { transform } from '../content/transform.ts';
import { renderMarkdown } from '../folder/render-markdown.ts';
import type { ExportArticle } from './fields.ts';
import type { ItemProblem } from './target.ts';

/** An article as HTML, and what platforms receive as Markdown because rendering it would take too long. */
interface ArticleHtml {
  readonly html: string;
  readonly problems: readonly ItemProblem[];
}

/** Renders the text of an article as HTML, with the same policy as bodies: no scripts, frames or styles. */
export function articleHtml({ id, markdown, language }: ExportArticle): ArticleHtml {
  const problems: ItemProblem[] = [];
  const body = renderMarkdown(markdown, () => {
    problems.push({ code: 'MARKDOWN_LITERAL', message: `the Markdown of ${id} is exported as text` });
  });
  const { html } = transform(body, {
    baseUrl: null,
    language,
    resolveLink: () => ({ kind: 'external' }),
    resolveImage: (src) => ({ src, width: null, height: null }),
    sourceHeadingIds: null,
    policy: { iframeHosts: [], classes: [], callouts: {} },
  });
  return { html, problems };
}
