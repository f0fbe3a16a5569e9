import { stripInvisible } from '../../foundation/invisible.ts';

/** A link of an `llms.txt`. */
export interface LlmsLink {
  readonly title: string;
  readonly url: string;
  /** One line; empty for none. */
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
  /** At least one paragraph: without one the reference parser loses the summary. */
  readonly paragraphs: readonly string[];
  readonly sections: readonly LlmsSection[];
  /** The last section; what a client short of space may skip. */
  readonly optional: readonly LlmsLink[];
}

const optionalName = 'Optional';

/**
 * Writes an `llms.txt` that the reference parser reads back exactly: line feeds alone, nothing but links in a section,
 * no brackets in titles, no parentheses in addresses, unique section names, `## Optional` last. Empty sections go.
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

/** A title as the file spells it: the reference parser cannot read brackets, not even escaped ones. */
export function safeTitle(title: string): string {
  return plainLine(title.replaceAll('[', '(').replaceAll(']', ')')) || '(untitled)';
}

/** An address as the file spells it: the reference parser ends it at the first parenthesis. */
export function safeUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(/\s/g, '%20');
}

/** A section name as the file spells it, before it is made unique. */
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

/** Folds white space, so that no text can start a line of its own, and drops what nobody sees. */
function plainLine(text: string): string {
  return stripInvisible(text.replaceAll(/[\s\u0085]+/g, ' ')).trim();
}
