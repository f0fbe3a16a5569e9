/**
 * Whether a text of a JSON value contains U+FFFD. A decoder puts it in the place of bytes that are not UTF-8: ours, or one that the text went
 * through earlier.
 */
export function hasDamagedText(value: unknown): boolean {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.includes('\uFFFD')) return true;
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next));
  }
  return false;
}
