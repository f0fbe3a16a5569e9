import yargs from 'yargs';

/** Prints the script that makes the user's shell ask the program what may come next. */
export function printCompletionScript(program: string): void {
  yargs([]).scriptName(program).showCompletionScript();
}
