import type { ParseError } from 'jsonc-parser';

/**
 * Reads JSON that may have comments and trailing commas.
 * @throws SyntaxError whose message says line and column, what is wrong, and shows the line
 */
export async function parseJson(text: string): Promise<unknown> {
  try {
    // Starts sooner without the other parser, which is needed for comments and mistakes only.
    return JSON.parse(text);
  } catch {
    const { default: jsonc } = await import('jsonc-parser');
    const errors: ParseError[] = [];
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error === undefined) return value;
    const code = jsonc.printParseErrorCode(error.error);
    throw new SyntaxError(describe(text, error.offset, words[code] ?? code));
  }
}

/** What is wrong, by the parser's names of mistakes. */
const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON; texts need double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is more after the end',
  UnexpectedEndOfComment: 'the comment does not end',
  UnexpectedEndOfString: 'the closing quote is missing',
  UnexpectedEndOfNumber: 'the number is not complete',
  InvalidUnicode: 'this is not a valid \\u escape',
  InvalidEscapeCharacter: 'this is not a valid escape',
  InvalidCharacter: 'this character is not allowed in a text',
};

function describe(text: string, offset: number, what: string): string {
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const shown = hideSecrets((text.split('\n')[line - 1] ?? '').trimEnd()).replaceAll('\t', ' ');
  const from = Math.max(0, column - 60);
  const frame = [
    `  ${line} | ${shown.slice(from, from + 80)}`,
    `  ${' '.repeat(String(line).length)} | ${' '.repeat(column - 1 - from)}^`,
  ];
  return `line ${line}, column ${column}: ${what}\n${frame.join('\n')}`;
}

/** A key that somebody wrote into the file is not shown; columns stay where they are. */
function hideSecrets(line: string): string {
  return line.replace(
    /((?:key|token|secret|password)[^":=]*"?\s*[:=]\s*"?)([^",&\s]+)/gi,
    (_whole, name: string, value: string) => name + '*'.repeat(value.length),
  );
}
