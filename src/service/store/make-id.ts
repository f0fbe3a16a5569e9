import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new id of ten letters or digits from the system's cryptographic source (about 60 bits). */
export function makeId(): string {
  let id = '';
  for (let length = 0; length < 10; length++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}
