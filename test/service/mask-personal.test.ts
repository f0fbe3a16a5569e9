import { expect, it } from 'vitest';
import { maskPersonal } from '../../src/service/mask-personal.ts';

it.each([
  ['write to jane.doe+x@mail.example.co.uk!', 'write to [e-mail]!'],
  ['I am @jane_doe', 'I am [e-mail]'],
  ['call +49 (30) 1234-567', 'call [number]'],
  ['order 12345678', 'order [number]'],
  ['error 0x80070005 and code 404', 'error 0x80070005 and code 404'],
  ['version 10.2.3', 'version 10.2.3'],
  ['IBAN DE89370400440532013000', 'IBAN DE[number]'],
  ['key lc_AbCdEf1234x_9Zz', 'key [code]'],
  ['see https://x.example/a?token=abc#d', 'see https://x.example/a'],
  ['رقمي ٠١٢٣٤٥٦٧٨٩', 'رقمي [number]'],
  ['می‌خواهم', 'می‌خواهم'],
  ['a\u202eb\n\tc', 'a b c'],
])('%j is stored as %j', (text, stored) => {
  expect(maskPersonal(text, 500)).toBe(stored);
});

it('cuts long texts between characters', () => {
  expect(maskPersonal('😀😀😀', 2)).toBe('😀😀');
});
