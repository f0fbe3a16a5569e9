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
  // On one line, or from a line that begins with it to the next `%%`.
  const withoutPercent = withoutHtml.replace(
    /%%[^\n]*?%%|^[ \t]*%%[\s\S]*?(?:%%|$(?![\s\S]))/gm,
    (comment, at: number) => {
      const beside = [withoutHtml.slice(at - 1, at), withoutHtml.charAt(at + comment.length)];
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
  const used = new Map<string, boolean>();
  const isUsed = (name: string): boolean => {
    const use = `[${name.trim().toLowerCase()}]`;
    const known = used.get(use);
    if (known !== undefined) return known;
    let at = lower.indexOf(use);
    const isDefinition = (): boolean =>
      lower[at + use.length] === ':' && /^ {0,3}$/.test(lower.slice(lower.lastIndexOf('\n', at) + 1, at));
    while (at !== -1 && isDefinition()) at = lower.indexOf(use, at + 1);
    used.set(use, at !== -1);
    return at !== -1;
  };
  return text.replace(definition, (whole, name: string, target: string) => {
    const isComment =
      /^(?:#|<>)$/.test(target) || /^(?:comment|\/\/|#|_|todo|note to self)$/i.test(name.trim());
    return isComment && !isUsed(name) ? '' : whole;
  });
}

/** A definition, also in the middle of a paragraph, with a title that may be any text in marks up to the end of a line. */
const definition =
  /^ {0,3}\[(?!\^)([^\]\n]+)\]:[ \t]*(\S*)(?:[ \t]*(?:\((?:[^\n]|\n(?![ \t]*\n))*?\)|"(?:[^\n]|\n(?![ \t]*\n))*?"|'(?:[^\n]|\n(?![ \t]*\n))*?')[ \t]*(?=\n|$(?![\s\S]))|[^\n]*)/gm;
