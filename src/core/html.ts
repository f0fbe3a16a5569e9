const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u00a0': '&nbsp;',
};

/** Escapes text for HTML and XML: between tags, and in attributes with quotes of either kind. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] as string) : text;
}

/** Escapes text between HTML tags: quotes stay readable, and no-break spaces become visible in the source. */
export function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text)
    ? text.replace(/[&<>\u00a0]/g, (character) => entities[character] as string)
    : text;
}
