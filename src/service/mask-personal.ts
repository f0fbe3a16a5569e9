/** Matches e-mail addresses, and names of accounts such as `@somebody`. */
const mail = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?<![\p{L}\p{N}])@[\p{L}\p{N}_]{2,}/gu;
/** Matches what is as long as the number of a telephone, an order or a card: six or more digits, also in groups. Error codes such as `0x80070005` stay. */
const longNumber = /(?<!0x[\da-f]*)[+(]?\p{Nd}(?:[\s()./-]{0,2}\p{Nd}){5,}/gu;
/** Matches codes of letters and digits, such as keys, licence plates with many digits, and IBANs. */
const code =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_-]*\p{Nd}[\p{L}\p{N}_-]*\p{Nd}[\p{L}\p{N}_-]*\p{Nd})(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_-]{12,}/gu;
const urlQuery = /(https?:\/\/[^\s?#]+)[?#]\S*/gi;

/**
 * A text of a reader as one line, without what identifies people most often: e-mail addresses, account names, numbers of six or more digits,
 * long codes, and queries of URLs. It cannot recognise names.
 * @param maxCharacters longer texts are cut
 */
export function maskPersonal(text: string, maxCharacters: number): string {
  const masked = text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cs}\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll(urlQuery, '$1')
    .replaceAll(mail, '[e-mail]')
    .replaceAll(longNumber, '[number]')
    .replaceAll(code, '[code]')
    .trim();
  return [...masked].slice(0, maxCharacters).join('');
}
