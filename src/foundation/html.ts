const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u00a0': '&nbsp;',
};

/** Text made safe for HTML and XML: between tags, and in attributes with quotes of either kind. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] as string) : text;
}

/** Text between the tags of HTML: quotes stay readable, and a no-break space is visible in the source. */
export function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text)
    ? text.replace(/[&<>\u00a0]/g, (character) => entities[character] as string)
    : text;
}
