/** Limits that servers commonly set, besides the multiples of fifty. */
const commonLimits = new Set([10, 20, 25, 30, 64, 128, 256, 512, 1024, 2048, 4096]);

/** Whether a list has a length at which servers like to cut lists off. */
export function looksCapped(length: number): boolean {
  return commonLimits.has(length) || (length > 0 && length % 50 === 0);
}
