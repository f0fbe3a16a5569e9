import { expect, it } from 'vitest';
import { parseUrl } from '../../src/core/addresses.ts';

it('a URL with Latin-1 letters stays valid, however often URLs are parsed', () => {
  const address = 'https://hilfe.bücher.example/größe';
  const invalid = Array.from({ length: 20_000 }, () => parseUrl(address)).filter((url) => url === null);
  expect(invalid).toHaveLength(0);
  expect(parseUrl(address)?.href).toBe('https://hilfe.xn--bcher-kva.example/gr%C3%B6%C3%9Fe');
});

it.each(['', 'x', 'https://', 'http://[::1', 'https://a b/'])('%j is not a URL', (text) => {
  expect(parseUrl(text)).toBeNull();
});

it('a relative URL is resolved against a base', () => {
  expect(parseUrl('../b?c', 'https://x.example/a/d')?.href).toBe('https://x.example/b?c');
});
