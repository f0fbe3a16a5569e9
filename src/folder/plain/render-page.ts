import { prepareMarkdown } from '../prepare-markdown.ts';
import type { RenderMarkdown } from '../render-markdown.ts';
import { type ReportReference, resolveReferences } from '../resolve-reference.ts';
import type { PlainTargets } from './plain-targets.ts';
import type { Page } from './read-page.ts';

/** Renders the body of a page to HTML, its links and images leading to articles and to files of the folder. */
export function renderPage(
  page: Page,
  targets: PlainTargets,
  render: RenderMarkdown,
  report: ReportReference,
): string {
  const html = page.isHtml ? page.text : renderText(page, render, report);
  return resolveReferences(html, page.path, (path) => targets.find(page, path), report);
}

function renderText(
  { text, path, components }: Page,
  render: RenderMarkdown,
  report: ReportReference,
): string {
  const { markdown, unknown } = prepareMarkdown(text);
  for (const what of [...unknown, ...components.map((name) => `<${name}>`)])
    report('MARKUP_UNKNOWN', `${JSON.stringify(what.slice(0, 80))} in ${path} is published as text`);
  return render(markdown).replace(
    /<h([1-6])>((?:(?!<\/h\1>)[\s\S])*?)\s*\{#([\w.:-]+)\}<\/h\1>/g,
    '<h$1 id="$3">$2</h$1>',
  );
}
