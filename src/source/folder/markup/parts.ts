/** A part of a text between marks of a region: `#region name` … `#endregion name`, in a comment of any language. */
export function cutRegion(text: string, name: string): string | null {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => regionName(line, /#?\bregion\b\s*(.*)/i) === name);
  if (start === -1) return null;
  const length = lines.slice(start + 1).findIndex((line) => {
    const end = regionName(line, /#?\bend ?region\b\s*(.*)/i);
    return end === name || end === '';
  });
  const inside = lines.slice(start + 1, length === -1 ? lines.length : start + 1 + length);
  return removeIndentation(inside.filter((line) => !/#(?:end)?region\b/i.test(line)));
}

function regionName(line: string, mark: RegExp): string | null {
  if (!/^\s*(?:\/\/|\/\*|#|<!--|--|::|'|rem\b|\{\/\*|;)/i.test(line)) return null;
  return (
    mark
      .exec(line)?.[1]
      ?.replace(/(?:-->|\*\/\}?)\s*$/, '')
      .trim() ?? null
  );
}

/** Lines of a text by a range: `3,5`, `3,`, `,5` or `3`; from 1. */
export function cutLines(text: string, range: string): string {
  const [, first = '', comma = '', last = ''] = /^\s*(\d*)\s*([,:]?)\s*(\d*)\s*$/.exec(range) ?? [];
  const lines = text.split('\n');
  const start = first === '' ? 0 : Number(first) - 1;
  const end = last !== '' ? Number(last) : comma === '' && first !== '' ? Number(first) : lines.length;
  return lines.slice(Math.max(0, start), end).join('\n');
}

/** The section below a heading of a Markdown text, with the heading, by its id. */
export function cutSection(text: string, id: string): string | null {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => headingKey(line) === id);
  if (start === -1) return null;
  const depth = depthOf(lines[start] as string);
  const length = lines.slice(start + 1).findIndex((line) => {
    const other = depthOf(line);
    return other > 0 && other <= depth;
  });
  return lines.slice(start, length === -1 ? lines.length : start + 1 + length).join('\n');
}

function depthOf(line: string): number {
  return /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
}

function headingKey(line: string): string | null {
  const [, title = ''] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
  if (title === '') return null;
  const [, given] = /\{\s*#([^\s}]+)\s*\}\s*$/.exec(title) ?? [];
  return (
    given ??
    title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
  );
}

function removeIndentation(lines: readonly string[]): string {
  const widths = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const width = widths.reduce((least, one) => Math.min(least, one), widths[0] ?? 0);
  return lines.map((line) => line.slice(width)).join('\n');
}

/** A Markdown text without its front matter. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^(---|\+\+\+)[ \t]*\n(?:[\s\S]*?\n)??\1[ \t]*(?:\n|$)/, '');
}
