import { expect, it } from 'vitest';
import { readableUrls } from '../../src/cli/readable-urls.ts';

it.each([
  [
    'the link "/ar/article/x-%D8%A7%D9%84%D8%AF%D9%81%D8%B9/" leads nowhere',
    'the link "/ar/article/x-الدفع/" leads nowhere',
  ],
  ['/de/%C3%9Cber%20uns#gr%C3%B6%C3%9Fe and /ja/%E6%96%87', '/de/Über%20uns#größe and /ja/文'],
  ['the link "/en/article/y" leads nowhere', 'the link "/en/article/y" leads nowhere'],
])('shows the letters of %s', (message, shown) => {
  expect(readableUrls(message)).toBe(shown);
  // Both forms are the same URL.
  const base = 'https://help.example.com/';
  expect(new URL(encodeURI(shown).replaceAll('%25', '%'), base).href).toBe(
    new URL(encodeURI(message).replaceAll('%25', '%'), base).href,
  );
});

it.each([
  ['a sign of the URL', '/a%2Fb%3Fc%23d%25e'],
  ['a space, a line end and NUL', '/a%20b%0Ac%00'],
  ['no UTF-8', '/a%FF%FEb'],
  ['half a letter', '/a%D8'],
  ['a space of another kind, and what is not visible', '/a%C2%A0b%E2%80%8Bc%E2%80%AEd'],
])('leaves %s encoded', (_what, url) => {
  expect(readableUrls(url)).toBe(url);
});

it('cuts the middle of a URL that is long even when decoded, and nothing else', () => {
  const long = `/ar/article/x-${encodeURIComponent('ب'.repeat(200))}/#end`;
  expect(readableUrls(`the link "${long}" leads nowhere`)).toBe(
    `the link "/ar/article/x-${'ب'.repeat(45)}…${'ب'.repeat(24)}/#end" leads nowhere`,
  );
  const path = `/srv/${'folder/'.repeat(40)}`;
  expect(readableUrls(path)).toBe(path);
});
