/** A word as it is typed in a shell: as it is, or in quotes, which are single ones except on Windows. */
export function quoteForShell(word: string, isWindows = process.platform === 'win32'): string {
  if (isWindows) return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
