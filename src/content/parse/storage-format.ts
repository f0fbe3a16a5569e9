import { escapeText } from '../../core/html.ts';

/** Whether a body is in the storage format of Confluence: XML, in which texts are in CDATA and elements may close themselves. */
export function isStorageFormat(body: string): boolean {
  return body.includes('<ac:') || body.includes('<ri:');
}

const cdataOrEmpty =
  /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<((?:ac|ri|at):[\w-]+|time)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/>/g;

/** Writes the storage format as HTML: an HTML parser takes CDATA for a comment, and everything after `<ri:page/>` for its content. */
export function storageToHtml(body: string): string {
  return body.replace(
    cdataOrEmpty,
    (_all, text: string | undefined, name: string | undefined, attributes: string) =>
      name === undefined ? escapeText(text ?? '') : `<${name}${attributes}></${name}>`,
  );
}
