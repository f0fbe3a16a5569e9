import { escapeControls } from '../escape-controls.ts';

/** One workflow command with its line end. */
export function githubCommand(level: 'error' | 'warning' | 'notice', title: string, text: string): string {
  const data = escapeControls(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
  return `::${level} title=${title}::${data}\n`;
}
