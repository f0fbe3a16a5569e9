import { editDistance } from '../edit-distance.ts';

/**
 * The known name that a mistyped one most probably means, or `null` if none is close: at most a third of its letters may differ (two
 * swapped letters count once). Case and dashes are ignored.
 */
export function nearestName(typed: string, known: Iterable<string>): string | null {
  const wanted = fold(typed);
  let best: string | null = null;
  let bestDistance = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  for (const name of [...known].sort()) {
    const distance = editDistance(wanted, fold(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
