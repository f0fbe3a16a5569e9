import { expect, it } from 'vitest';
import { decodePage } from '../../src/source/built-site/scan-page.ts';

const text = '<p>Fahrräder</p>';
const latin = (head: string) => Buffer.from(head + text, 'latin1');
const utf8 = (head: string) => Buffer.from(head + text);

it.each([
  ['nothing', utf8('')],
  ['a <meta>', latin('<meta charset=iso-8859-1>')],
  ['an older <meta>', latin('<META content="text/html; charset=windows-1252" http-equiv=Content-Type>')],
  ['an unquoted <meta>', latin('<meta http-equiv=Content-Type content=text/html;charset=iso-8859-1>')],
  ['a <meta> after a long comment', latin(`<!--${'x'.repeat(2000)}--><meta charset="iso-8859-1">`)],
  ['a <meta> after one in a comment', utf8('<!-- <meta charset="iso-8859-1"> --><meta charset="utf-8">')],
  [
    'a <meta> after a description of encodings',
    latin('<meta name="description" content="about charset=utf-8"><meta charset="iso-8859-1">'),
  ],
  ['the declaration of XML', latin('<?xml version="1.0" encoding="ISO-8859-1"?><html>')],
  [
    'a description that says what an encoding is',
    utf8('<meta name="description" content="Send text/html; charset=iso-8859-1"><meta charset="utf-8">'),
  ],
  ['UTF-16, which a page with a readable <meta> cannot have', utf8('<meta charset="utf-16">')],
  ['an unknown encoding', utf8('<meta charset="utf-9">')],
  ['a byte order mark and another encoding', utf8('\ufeff<meta charset="iso-8859-1">')],
  ['a byte order mark of UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['a big-endian one', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('reads a page in the encoding that it names by %s', (_what, bytes) => {
  expect(decodePage(bytes)).toContain('Fahrräder');
});
