import { type Command, type CommandRow, nameOf } from './command.ts';

/**
 * Completions for an incomplete command line: commands, flags, and the values of a flag that has few. The shell filters them by the start
 * of the last word.
 * @param rows the commands of the program
 * @param words the line without the program's name; the last word is the incomplete one, and may be empty
 */
export async function complete(
  rows: readonly CommandRow[],
  words: readonly string[],
): Promise<readonly string[]> {
  let command: Command | null = null;
  let names = rows;
  for (const word of words.slice(0, -1)) {
    if (names.length === 0 || word.startsWith('-')) continue;
    const row = names.find((each) => nameOf(each) === word);
    if (row === undefined) return [];
    command = await row.load();
    names = command.commands;
  }
  const options = command?.options ?? {};
  const choices = options[words.at(-2)?.replace(/^--/, '') ?? '']?.choices;
  if (choices !== undefined) return choices;
  if (!words.at(-1)?.startsWith('-')) return names.map(nameOf);
  const flags = Object.keys(options).map((name) => `--${name}`);
  return ['--help', '--version', ...flags].filter((flag) => !words.includes(flag));
}

/**
 * The script that makes a shell complete command lines: it calls the program with the words up to the incomplete one. File names are completed
 * where the program knows no answer.
 * @param isZsh for zsh; otherwise for bash
 */
export function completionScript(isZsh: boolean): string {
  return isZsh
    ? `#compdef lectern
_lectern() {
  local -a answers
  answers=("\${(@f)$(lectern --get-completions "\${(@)words[2,CURRENT]}")}")
  if [[ -n "\${answers[1]}" ]]; then compadd -a answers; else _default; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _lectern "$@"; else compdef _lectern lectern; fi
`
    : `_lectern() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(lectern --get-completions "\${COMP_WORDS[@]:1:COMP_CWORD}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _lectern lectern
`;
}
