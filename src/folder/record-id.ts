import { hash } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The id of a record that names none: ten base-62 digits of the SHA-256 of its kind and path, so that it is the same on every
 * machine. Two paths of a folder with one id are refused where the folder is read, at odds of 1 to 10^8 for 100,000 paths.
 */
export function deriveId(kind: 'article' | 'category', path: string): string {
  const number = BigInt(`0x${hash('sha256', `${kind} ${path.normalize('NFC')}`).slice(0, 16)}`);
  return fiveDigits(Number(number % fiveDigitNumbers)) + fiveDigits(Number(number / fiveDigitNumbers));
}

const fiveDigitNumbers = 62n ** 5n;

/** The last five digits, the last one first. */
function fiveDigits(number: number): string {
  let rest = number;
  let text = '';
  for (let count = 0; count < 5; count += 1) {
    text += digits[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return text;
}
