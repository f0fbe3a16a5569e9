/** The digits of numbers in ids. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Ten base-62 digits of the number: unique and reversible for every number that JSON represents exactly (2^53 is less than 62^10). */
export function idOfZendesk(number: number): string {
  let rest = number;
  let result = '';
  for (let count = 0; count < 10; count += 1) {
    result = base62Digits.charAt(rest % 62) + result;
    rest = Math.floor(rest / 62);
  }
  return result;
}

/** The number from which {@link idOfZendesk} made the id; `null` if it did not. */
export function zendeskIdOf(articleId: string): number | null {
  if (!/^[A-Za-z0-9]{10}$/.test(articleId)) return null;
  const number = [...articleId].reduce((sum, digit) => sum * 62 + base62Digits.indexOf(digit), 0);
  return Number.isSafeInteger(number) ? number : null;
}

const legacyPath = /^\/hc\/(?:[A-Za-z-]+\/)?(articles|sections|categories)\/(\d{1,16})(?:-[^/]*)?\/?$/;

/** The path of our record for `/hc/<locale>/articles/<id>-<slug>` of Zendesk Guide, e.g. `/article/<id>`; `null` for other paths. */
export function recordPathOfZendesk(pathname: string): string | null {
  const [, what, number] = legacyPath.exec(pathname) ?? [];
  if (what === undefined) return null;
  if (what === 'articles') return `/article/${idOfZendesk(Number(number))}`;
  return `/category/${what === 'sections' ? 's' : 'c'}${number}`;
}
