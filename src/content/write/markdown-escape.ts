/** Characters that mean something anywhere in running text; the rest depends on what stands next to them. */
const special = /[\\`*[\]~]|_|<(?=[a-zA-Z/!?]|$)|&(?=$|[#a-zA-Z][a-zA-Z0-9]{0,32}(?:;|$))/g;
const mayNeedEscape = /[\\`*[\]~_<&|@]|:\/\/|www\./i;
const bareAddress = /(https?|ftp)(?=:\/\/)|(www)(?=\.)|([\w.+-])(?=@)/gi;

/** Where text is written: in a table cell `|` ends the cell, in a link an address is no link of its own. */
export interface TextPlace {
  readonly isCell: boolean;
  readonly isLink: boolean;
}

/** Text written so that Markdown reads it as itself. */
export function escapeMarkdown(text: string, place: TextPlace): string {
  if (!mayNeedEscape.test(text)) return text;
  let escaped = text.replace(special, escapeSpecial);
  if (!place.isLink) escaped = escaped.replace(bareAddress, '$&\\');
  return place.isCell ? escaped.replaceAll('|', '\\|') : escaped;
}

/** An underscore within a word is only that. */
function escapeSpecial(character: string, offset: number, text: string): string {
  const isInWord =
    character === '_' && isWord(text.charCodeAt(offset - 1)) && isWord(text.charCodeAt(offset + 1));
  return isInWord ? character : `\\${character}`;
}

function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

const lineStart = /^(?:#{1,6}(?=[ \t]|$)|>|[+-](?=[ \t-]|$)|=+[ \t]*$|:(?=[ :|-])|[|-](?=[ \t:|-]*$))/;
const numberStart = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/** Keeps the start of a line from being read as a heading, quotation, list, rule or table. */
export function escapeLineStart(line: string): string {
  const code = line.charCodeAt(0);
  // Letters, the common case, start nothing; a bar starts the row under the header of a table.
  if (code > 0x40 && code !== 0x7c) return line;
  if (lineStart.test(line)) return `\\${line}`;
  return line.replace(numberStart, '$1\\$2');
}

/** Keeps trailing `#` of a heading from being read as its end. */
export function escapeHeadingEnd(text: string): string {
  return text.endsWith('#') ? text.replace(/(^|[ \t])(#+)$/, '$1\\$2') : text;
}

/** Destination of a link or image; addresses hold no white space. */
export function escapeDestination(url: string, isCell: boolean): string {
  const escaped = /[()<>\\&*_]/.test(url)
    ? url.replace(/[()<>\\]|&(?=[#a-zA-Z][a-zA-Z0-9]{0,32};)/g, '\\$&')
    : url;
  return isCell ? escaped.replaceAll('|', '\\|') : escaped;
}
