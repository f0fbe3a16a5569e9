/** A link or image without another inside; its words are the first group. */
const link =
  /!?\[((?:\\.|[^\][\\])*)\]\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"\n]*")?\)/g;
const escaped = /\\([!-/:-@[-`{-~])/g;

/**
 * What to embed and to index of a chunk: `Title › H2 › H3 (Category › Subcategory)`, an empty line, and the text
 * without its leading headings (the breadcrumb has them), the addresses of links and images, and escapes.
 */
export function embedText(
  title: string,
  headingPath: readonly string[],
  categoryPath: readonly string[],
  lead: string,
  text: string,
): string {
  const category = categoryPath.length === 0 ? '' : ` (${categoryPath.join(' › ')})`;
  const breadcrumb = `${[title, ...headingPath].join(' › ')}${category}`;
  const body = text.replace(/^(?:#{1,6} [^\n]*\n*)+/, '');
  // Twice, for images inside links.
  const linked = wordsOfLinks(wordsOfLinks(body));
  const words = linked.includes('\\') ? linked.replaceAll(escaped, '$1') : linked;
  return [breadcrumb, '', ...(lead === '' ? [] : [lead]), words].join('\n').trimEnd();
}

function wordsOfLinks(text: string): string {
  return text.includes('](') ? text.replaceAll(link, '$1') : text;
}
