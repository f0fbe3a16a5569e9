/** A fence longer than any run of backticks in the code. */
export function fenceFor(code: string): string {
  return '`'.repeat(Math.max(3, longestRun(code) + 1));
}

/** Code span with as many backticks as it takes; the code holds no line break. */
export function codeSpan(code: string): string {
  const ticks = '`'.repeat(longestRun(code) + 1);
  const isPadded = code.startsWith('`') || code.endsWith('`');
  return isPadded ? `${ticks} ${code} ${ticks}` : ticks + code + ticks;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
