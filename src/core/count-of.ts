/** A number with its noun: `1 article`, `1,200 articles`; `plural` for an irregular plural. */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
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
