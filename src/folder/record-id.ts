import { createHash } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The id of a record that names none: ten base-62 digits of the SHA-256 of its kind and path, so that it is the same on every
 * machine. Two paths of a folder with one id are refused where the folder is read, at odds of 1 to 10^8 for 100,000 paths.
 */
export function deriveId(kind: 'article' | 'category', path: string): string {
  const hash = createHash('sha256')
    .update(`${kind} ${path.normalize('NFC')}`)
    .digest();
  let rest = hash.readBigUInt64BE();
  let id = '';
  for (let count = 0; count < 10; count += 1) {
    id += digits[Number(rest % 62n)];
    rest /= 62n;
  }
  return id;
}
