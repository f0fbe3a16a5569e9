import { createHash, type Hash } from 'node:crypto';
import type { AddressEntry } from './address-entry.ts';

/** The lines before the entries. */
export const bookHead = ['{', '  "schema": "lectern.addresses/1",', '  "pages": ['] as const;

/** The last line. */
export const bookEnd = '}';

/** The line before it, up to the checksum. */
export const checksumStart = '  "sha256": "';

export interface AddressChecksum {
  /** Adds the next entry, in the order of the book. */
  add(entry: AddressEntry): void;
  digest(): string;
}

/** A checksum over what entries say, however they are written: a flipped bit would pass for a page that moved. */
export function createChecksum(): AddressChecksum {
  const hash: Hash = createHash('sha256');
  return {
    add: ({ kind, id, language, path, earlier }) =>
      void hash.update(`${JSON.stringify([kind, id, language, path, earlier])}\n`),
    digest: () => hash.digest('hex'),
  };
}

/** One page per line, so that a change is one line of a diff. */
export function* printAddressBook(entries: Iterable<AddressEntry>): Generator<string> {
  yield bookHead.join('\n');
  const checksum = createChecksum();
  let separator = '\n';
  for (const entry of entries) {
    checksum.add(entry);
    yield `${separator}    ${JSON.stringify(entry)}`;
    separator = ',\n';
  }
  // An empty list, too, has an empty line.
  const end = ['  ],', `${checksumStart}${checksum.digest()}"`, bookEnd].join('\n');
  yield `${separator === '\n' ? '\n' : ''}\n${end}\n`;
}
