/** What the front matter of a page's Markdown twin tells. */
export interface TwinFacts {
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly url: string;
  readonly updatedAt: string | null;
  readonly tokens: number;
}

/** The Markdown twin of a page: front matter, the title as its one h1, then the document's Markdown, unchanged. */
export function markdownTwin(facts: TwinFacts, markdown: string): string {
  const lines = [
    '---',
    `id: ${facts.id}`,
    `language: ${quote(facts.language)}`,
    `title: ${quote(facts.title)}`,
    `url: ${quote(facts.url)}`,
    ...(facts.updatedAt === null ? [] : [`updated_at: ${quote(facts.updatedAt)}`]),
    `tokens: ${facts.tokens}`,
    '---',
    '',
    `# ${escapeInline(facts.title)}`,
  ];
  return `${lines.join('\n')}\n${markdown === '' ? '' : '\n'}${markdown}`;
}

/** A JSON string is a YAML string; quoting always keeps `no`, `1.10` and dates from being read as something else. */
function quote(value: string): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Keeps a title from turning into markup where Markdown would read it as such. */
function escapeInline(title: string): string {
  return title.replaceAll(/[\\`*_[\]<>]|&(?=[#\w])|#+$/g, (sign) => `\\${sign}`);
}
