import { oncePerKey } from '../../../core/concurrency.ts';

/**
 * The source of a regular expression for comments of kramdown, Liquid, Hugo, Handlebars, MDX, Jinja and CriticMarkup. No comment has a second
 * start in it, so that many starts take linear time, and one between slashes and stars ends where code would end it.
 */
export const otherComment = [
  [/\{::comment\}/, /\{:\/(?:comment)?\}/],
  [/\{%-?\s*comment\s*-?%\}/, /\{%-?\s*endcomment\s*-?%\}/],
  [/\{\{[<%]\s*comment\s*[%>]\}\}/, /\{\{[<%]\s*\/comment\s*[%>]\}\}/],
  [/\{\{!--/, /--\}\}/],
  [/\{\{?\/\*/, /\*\/\}\}?/, /\*\/(?!\})/],
  [/\{#\s/, /\s#\}/],
  [/\{>>/, /<<\}/],
]
  .map(([start, end, other = start]) => {
    const inner = `(?:(?!${start?.source}|${other?.source})[\\s\\S])*?`;
    return `(?<!\\\\)${start?.source}${inner}${end?.source}`;
  })
  .join('|');

/**
 * Replaces private notes of Document360, which only its team sees, with the blocks in them. One without an end extends to the end of the text.
 */
export function replaceNotes(text: string, replacement: (note: string, hasEnd: boolean) => string): string {
  const result: string[] = [];
  let note: string[] = [];
  let openBlocks = 0;
  for (const line of text.split('\n')) {
    const [, name] = block.exec(line) ?? [];
    if (openBlocks === 0 && !/^\(internal\)/i.test(name ?? '')) {
      result.push(line);
      continue;
    }
    note.push(line);
    if (name !== undefined) openBlocks += name.trim() === '' ? -1 : 1;
    if (openBlocks > 0) continue;
    result.push(replacement(note.join('\n'), true));
    note = [];
  }
  if (note.length > 0) result.push(replacement(note.join('\n'), false));
  return result.join('\n');
}

/** Where a block of Document360 begins or, without a name, ends. */
const block = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?:{3,}[ \t]*(.*)$/;

/**
 * Removes what only writers read from a text whose code is hidden. An empty comment of HTML is left where one was, because it separates
 * lists. A comment without an end is removed up to the end of the text and reported.
 * @param unknown reports what an author may miss
 */
export function removeComments(text: string, unknown: (what: string) => void): string {
  const withoutHtml = text.replace(/<!--(?!-?>)[\s\S]*?(?:-->|$(?![\s\S]))/g, (comment) => {
    if (!comment.endsWith('-->')) unknown('a comment without an end');
    return '<!---->';
  });
  const withoutOthers = withoutHtml.replace(new RegExp(otherComment, 'g'), (comment, at: number) => {
    const end = at + comment.length;
    const isAmongWords =
      /\S[^\n]*$/.test(withoutHtml.slice(Math.max(0, at - 100), at)) &&
      /^[^\n]*\S/.test(withoutHtml.slice(end, end + 100));
    // The signs may also be those of a text about them.
    if (comment.startsWith('{#')) unknown('a comment between {# and #}');
    else if (comment.startsWith('{/') && isAmongWords) unknown('a comment among words');
    else if (/^\{(?:>>|\{?\/)[\s\S]*\n[ \t>]*\n/.test(comment)) unknown('a comment of several paragraphs');
    return '';
  });
  const withoutNotes = replaceNotes(withoutOthers, (_note, hasEnd) => {
    unknown(`a private note${hasEnd ? '' : ' without an end'}`);
    return '';
  });
  // On one line, or from a line that begins with it to the next `%%`.
  const withoutPercent = withoutNotes.replace(
    /%%[^\n]*?%%|^[ \t]*%%[\s\S]*?(?:%%|$(?![\s\S]))/gm,
    (comment, at: number) => {
      const beside = [withoutNotes.slice(at - 1, at), withoutNotes.charAt(at + comment.length)];
      if (comment.trim().length < 4 || !comment.endsWith('%%')) unknown('a comment without an end');
      // In capital letters it is probably a placeholder of a template, whose text the author misses.
      else if (/^%%[A-Z][A-Z0-9_]*%%$/.test(comment)) unknown(comment);
      // As in `100%% of 50%% …` and `for %%i in … echo %%i`.
      else if (beside.some((one) => /[\p{L}\p{N}]/u.test(one)))
        unknown('a text between two %% beside a word');
      return '';
    },
  );
  return removeDefinitions(withoutPercent);
}

/** Removes definitions of links that no link uses, if their name or target says that they are comments. */
function removeDefinitions(text: string): string {
  const lower = text.toLowerCase();
  const isUsed = oncePerKey((name: string): boolean => {
    const use = `[${name.trim().toLowerCase()}]`;
    let at = lower.indexOf(use);
    const isDefinition = (): boolean =>
      lower[at + use.length] === ':' && /^ {0,3}$/.test(lower.slice(lower.lastIndexOf('\n', at) + 1, at));
    while (at !== -1 && isDefinition()) at = lower.indexOf(use, at + 1);
    return at !== -1;
  });
  return text.replace(definition, (whole, name: string, target: string) => {
    const isComment =
      /^(?:#|<>)$/.test(target) || /^(?:comment|\/\/|#|_|todo|note to self)$/i.test(name.trim());
    return isComment && !isUsed(name) ? '' : whole;
  });
}

/** A definition, also in the middle of a paragraph, with a title that may be any text in marks up to the end of a line. */
const definition =
  /^ {0,3}\[(?!\^)([^\]\n]+)\]:[ \t]*(\S*)(?:[ \t]*(?:\((?:[^\n]|\n(?![ \t]*\n))*?\)|"(?:[^\n]|\n(?![ \t]*\n))*?"|'(?:[^\n]|\n(?![ \t]*\n))*?')[ \t]*(?=\n|$(?![\s\S]))|[^\n]*)/gm;
