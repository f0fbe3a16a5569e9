import { feedText } from '../records/document-meta.ts';

const openingChars = 160;

/** First words of a text, in one line. */
export function openingOf(text: string): string {
  const line = text
    .slice(0, 4 * openingChars)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= openingChars) return line;
  const cut = line.slice(0, openingChars);
  const space = cut.lastIndexOf(' ');
  return `${space > openingChars / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A link of an `llms.txt`. */
export interface LlmsLink {
  readonly title: string;
  readonly url: string;
  /** One line; may be empty. */
  readonly description: string;
}

export interface LlmsSection {
  readonly name: string;
  readonly links: readonly LlmsLink[];
}

/** One `llms.txt`. */
export interface LlmsFile {
  readonly title: string;
  readonly summary: string;
  /** At least one paragraph: otherwise the reference parser loses the summary. */
  readonly paragraphs: readonly string[];
  readonly sections: readonly LlmsSection[];
  /** The last section; clients with limited context may skip it. */
  readonly optional: readonly LlmsLink[];
}

const optionalName = 'Optional';

/**
 * Formats an `llms.txt` so that the reference parser restores it exactly: only line feeds, only links in a section, no brackets in titles,
 * no parentheses in URLs, unique section names, `## Optional` last. Empty sections are omitted.
 */
export function formatLlmsTxt(file: LlmsFile): string {
  const names = new Set([optionalName]);
  const sections = file.sections
    .filter(({ links }) => links.length > 0)
    .map((section) => ({ name: uniqueName(names, section.name), links: section.links }));
  const optional = file.optional.length === 0 ? [] : [{ name: optionalName, links: file.optional }];
  const parts = [
    `# ${plainLine(file.title)}`,
    `> ${plainLine(file.summary)}`,
    ...file.paragraphs.map(plainLine),
    ...[...sections, ...optional].map(
      ({ name, links }) => `## ${name}\n\n${links.map(formatLink).join('\n')}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** One line of a section. */
export function formatLink({ title, url, description }: LlmsLink): string {
  const text = plainLine(description);
  return `- [${safeTitle(title)}](${safeUrl(url)})${text === '' ? '' : `: ${text}`}`;
}

/** Replaces brackets in a title: the reference parser cannot read them, even escaped. */
export function safeTitle(title: string): string {
  return plainLine(title.replaceAll('[', '(').replaceAll(']', ')')) || '(untitled)';
}

/** Escapes parentheses in a URL: the reference parser ends it at the first one. */
export function safeUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(/\s/g, '%20');
}

/** Cleans a section name, before it is made unique. */
export function safeName(name: string): string {
  return plainLine(name).replace(/^#+\s*/, '') || '(untitled)';
}

function uniqueName(names: Set<string>, wanted: string): string {
  const name = safeName(wanted);
  let unique = name;
  for (let number = 2; names.has(unique); number += 1) unique = `${name} (${number})`;
  names.add(unique);
  return unique;
}

/** Folds white space, so that no text can start a new line, and removes invisible characters. */
export function plainLine(text: string): string {
  return feedText(text.replaceAll(/[\s\u0085]+/g, ' ')).trim();
}
