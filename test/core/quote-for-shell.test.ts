import { expect, it } from 'vitest';
import { quoteForShell } from '../../src/core/quote-for-shell.ts';

it.each([
  ['docs', false, 'docs'],
  ["Acme's help", false, "'Acme'\\''s help'"],
  ['sites\\help', true, 'sites\\help'],
  ["Acme's help", true, '"Acme\'s help"'],
])('quotes %s as its shell reads it (Windows: %s)', (word, isWindows, quoted) => {
  expect(quoteForShell(word, isWindows)).toBe(quoted);
});
