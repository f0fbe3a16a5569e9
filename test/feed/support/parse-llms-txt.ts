/** Result of the reference parser for an `llms.txt`. */
export interface ParsedLlmsTxt {
  readonly title: string;
  readonly summary: string | null;
  readonly info: string;
  readonly sections: ReadonlyMap<string, readonly ParsedLink[]>;
}

interface ParsedLink {
  readonly title: string;
  readonly url: string;
  readonly description: string | null;
}

/**
 * A port of the reference llms.txt grammar with its bugs: it throws where the reference crashes, cuts URLs at `)`, reads h3 as sections,
 * and keeps the last of two sections with the same name.
 */
export function parseLlmsTxt(text: string): ParsedLlmsTxt {
  const [start = '', ...rest] = text.split(/^##[^\S\n]*(.*?)$/m);
  const sections = new Map<string, readonly ParsedLink[]>();
  for (let at = 0; at < rest.length; at += 2) {
    const lines = (rest[at + 1] ?? '').trim().split(/\n+/);
    sections.set(rest[at] ?? '', lines.map(parseLink));
  }
  const head = /^# *(?<title>.+?)$\n+(?:^>\s*(?<summary>.+?)$\n+)?(?<info>.+)/ms.exec(start.trim());
  if (head === null || !start.startsWith('# ')) throw new SyntaxError('no title with a paragraph below it');
  const { title = '', summary = null, info = '' } = head.groups ?? {};
  return { title, summary, info, sections };
}

function parseLink(line: string): ParsedLink {
  const match = /^-\s*\[(?<title>[^[\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<description>.*))?$/.exec(line);
  if (match?.groups === undefined) throw new SyntaxError(`no link: ${line}`);
  const { title = '', url = '', description = null } = match.groups;
  return { title, url, description };
}
