import type { AddressEntry } from './address-entry.ts';

/** The lines before the entries. */
export const bookHead = ['{', '  "schema": "lectern.addresses/1",', '  "pages": ['] as const;

/** The last line. */
export const bookEnd = '}';

/** One page per line, so that a change is one line of a diff. */
export function* printAddressBook(entries: Iterable<AddressEntry>): Generator<string> {
  yield bookHead.join('\n');
  let separator = '\n';
  for (const entry of entries) {
    yield `${separator}    ${JSON.stringify(entry)}`;
    separator = ',\n';
  }
  // An empty list, too, has an empty line.
  yield `${separator === '\n' ? '\n' : ''}\n  ]\n${bookEnd}\n`;
}
