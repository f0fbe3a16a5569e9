/** A definition: `: text`, also with more blanks after the colon. */
const definition = /^:[ \t]+(?=\S)/;

/** Lines that are no term: blank ones, other blocks, and definitions. */
const noTerm =
  /^(?:\s|$|[#>|:]|[-*+][ \t]|\d{1,9}[.)][ \t]|<\/?[a-z]|\[[^\]]+\]:|(?:-{3,}|={3,}|\*{3,})\s*$)/i;

/** Maximum number of terms of a definition: more lines are a paragraph. */
const maxTerms = 3;

/**
 * Converts terms with lines that begin with a colon to lists of definitions in HTML, with Markdown inside. A blank line may be between a term
 * and its definition, and indented lines continue a definition.
 * @param text whose code is hidden
 */
export function convertDefinitionLists(text: string): string {
  if (!/^:[ \t]/m.test(text)) return text;
  const result: string[] = [];
  const lines = text.split('\n');
  let isInList = false;
  for (let at = 0; at < lines.length; at += 1) {
    const terms = termsAt(lines, at);
    if (terms === 0) {
      const isBlank = (lines[at] as string).trim() === '';
      if (isInList && !isBlank) {
        result.push('</dl>', '');
        isInList = false;
      }
      result.push(lines[at] as string);
      continue;
    }
    if (!isInList) result.push('<dl>');
    isInList = true;
    for (const term of lines.slice(at, at + terms)) result.push('<dt>', '', term, '', '</dt>');
    at += terms;
    for (let next = nextDefinition(lines, at); next !== null; next = nextDefinition(lines, at)) {
      const inside = [(lines[next] as string).replace(definition, '')];
      for (at = next + 1; at < lines.length; at += 1) {
        const line = lines[at] as string;
        const isContinued =
          /^(?: {2,}|\t)/.test(line) || (line.trim() === '' && /^(?: {2,}|\t)\S/.test(lines[at + 1] ?? ''));
        if (!isContinued) break;
        inside.push(line.replace(/^(?: {2,4}|\t)/, ''));
      }
      result.push('<dd>', '', ...inside, '', '</dd>');
    }
    at -= 1;
  }
  if (isInList) result.push('</dl>');
  return result.join('\n');
}

/** The number of terms that begin at a line; 0 if it is none. */
function termsAt(lines: readonly string[], start: number): number {
  const before = lines[start - 1] ?? '';
  if (before.trim() !== '' && !definition.test(before) && !/^(?: {2,}|\t)/.test(before)) return 0;
  let count = 0;
  while (count <= maxTerms && start + count < lines.length && !noTerm.test(lines[start + count] as string))
    count += 1;
  return count > 0 && count <= maxTerms && nextDefinition(lines, start + count) !== null ? count : 0;
}

/** The line of a definition at a line or after one blank line; `null` if there is none. */
function nextDefinition(lines: readonly string[], at: number): number | null {
  if (definition.test(lines[at] ?? '')) return at;
  const isAfterBlank = lines[at]?.trim() === '' && definition.test(lines[at + 1] ?? '');
  return isAfterBlank ? at + 1 : null;
}
