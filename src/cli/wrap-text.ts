/** Breaks a text at spaces into lines of at most `width` columns; a longer word stays whole. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The same with an indent before every line: `first` before the first one, spaces of the same width before the rest. */
export function indentText(first: string, text: string, width: number): string[] {
  const rest = ' '.repeat(first.length);
  return wrapText(text, width - first.length).map((line, index) => `${index === 0 ? first : rest}${line}`);
}
