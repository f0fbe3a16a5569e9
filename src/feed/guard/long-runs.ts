/** Letters, digits and signs of keys, Base64 and URLs: no credential and no Base64 has other characters. */
const keyCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=.~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * The parts of a text that may be keys: at least `least` of their characters one after the other, as many as there are. Looks at every `least`-th
 * character and around those that a key may have, so that it takes a fraction of the time of a regular expression.
 */
export function longRuns(text: string, least: number): readonly string[] {
  const isInRun = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return code < 128 && keyCharacters[code] === 1;
  };
  const runs: string[] = [];
  let end = -1;
  for (let at = least - 1; at < text.length; at = Math.max(end, at) + least) {
    if (!isInRun(at)) continue;
    let start = at;
    while (start - 1 > end && isInRun(start - 1)) start -= 1;
    end = at + 1;
    while (isInRun(end)) end += 1;
    if (end - start >= least) runs.push(text.slice(start, end));
  }
  return runs;
}
