/** A number with its noun: `1 article`, `1,200 articles`; `plural` for an irregular plural. */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** The first names of a list and the number of the others: `a, b and 1 more`. */
export function listSome(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).join(', ') + more;
}

/** Counts of severities as text, without zeros: `1 error, 2 warnings`; `''` for none. */
export function countProblems({
  error,
  warning,
  info,
}: Readonly<Record<'error' | 'warning' | 'info', number>>) {
  return [
    ...(error > 0 ? [countOf(error, 'error')] : []),
    ...(warning > 0 ? [countOf(warning, 'warning')] : []),
    ...(info > 0 ? [countOf(info, 'info', 'info')] : []),
  ].join(', ');
}
