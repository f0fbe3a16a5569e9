/** The hidden flag by which the script below asks the program. */
export const completionFlag = '--get-completions';

/** A script that makes the shell ask the program what may come next. */
export function completionScript(program: string, shell: 'bash' | 'zsh'): string {
  return shell === 'zsh' ? zshScript(program) : bashScript(program);
}

function bashScript(program: string): string {
  return `# Completes commands and flags of ${program} in bash: ${program} completion >> ~/.bashrc
_${program}_completions()
{
    local current="\${COMP_WORDS[COMP_CWORD]}" answers
    mapfile -t answers < <(${program} ${completionFlag} "\${COMP_WORDS[@]:1:COMP_CWORD}")
    mapfile -t COMPREPLY < <(compgen -W "\${answers[*]}" -- "$current")
}
complete -o bashdefault -o default -F _${program}_completions ${program}
`;
}

function zshScript(program: string): string {
  return `#compdef ${program}
# Completes commands and flags of ${program} in zsh: ${program} completion >> ~/.zshrc
_${program}_completions()
{
    local answers
    answers=("\${(@f)$(${program} ${completionFlag} "\${(@)words[2,CURRENT]}")}")
    if [[ -n "$answers" ]]; then compadd -a answers; else _default; fi
}
if [[ "\${zsh_eval_context[-1]}" == "loadautofunc" ]]; then
    _${program}_completions "$@"
else
    compdef _${program}_completions ${program}
fi
`;
}
