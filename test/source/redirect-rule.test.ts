import { describe, expect, test } from 'vitest';
import { followRedirect } from '../../src/core/net/exchange.ts';

function follow(
  location: string | undefined,
  { status = 302, chain = ['https://kb.example/v1/article'], isRead = true, anyServer = false } = {},
) {
  const urls = chain.map((url) => new URL(url));
  return followRedirect({ status, location, chain: urls, isRead, anyServer }).href;
}

describe('a redirect', () => {
  test('is followed within its origin', () => {
    expect(follow('/v2/article?limit=1')).toBe('https://kb.example/v2/article?limit=1');
    expect(follow('https://kb.example:443/x')).toBe('https://kb.example/x');
  });

  test('may lead to another server, but never to http, if no key is sent', () => {
    expect(follow('https://www.kb.example/x', { anyServer: true })).toBe('https://www.kb.example/x');
    expect(() => follow('http://kb.example/x', { anyServer: true })).toThrow('leads from https:');
  });

  test.each(['mailto:a@kb.example', 'file:///etc/passwd', 'ftp://kb.example/x'])(
    'of a server without https may lead to https, and not to %s',
    (location) => {
      const chain = ['http://localhost:8080/x'];
      expect(follow('https://kb.example/x', { chain, anyServer: true })).toBe('https://kb.example/x');
      expect(() => follow(location, { chain, anyServer: true })).toThrow('leads from http: to');
    },
  );

  test.each([
    ['http://kb.example/v1/article', 'leads from https: to http://kb.example/v1/article'],
    ['https://evil.example/v1/article', 'leads to another server, https://evil.example'],
    ['https://kb.example:8443/v1', 'leads to another server, https://kb.example:8443'],
    ['//evil.example/', 'leads to another server, https://evil.example'],
    ['https://user:pw@kb.example/', 'leads to a URL with a password'],
    ['javascript:alert(1)', 'leads from https: to'],
    ['file:///etc/passwd', 'leads from https: to file:///etc/passwd'],
    ['https://kb.example/v1/article#again', 'forms a loop to https://kb.example/v1/article'],
    ['http://[', 'names no valid Location'],
    [undefined, 'names no valid Location'],
  ])('to %s is refused: it %s', (location, why) => {
    expect(() => follow(location)).toThrow(
      expect.objectContaining({ code: 'REDIRECT_REFUSED', message: expect.stringContaining(why) }),
    );
  });

  test('is refused after five others', () => {
    const chain = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://kb.example/${name}`);
    expect(follow('/g', { chain: chain.slice(0, 5) })).toBe('https://kb.example/g');
    expect(() => follow('/g', { chain })).toThrow('more than 5 redirects');
  });

  test('of a change is followed only if the status preserves the method', () => {
    expect(follow('/x', { status: 308, isRead: false })).toBe('https://kb.example/x');
    expect(() => follow('/x', { status: 302, isRead: false })).toThrow(
      'does not allow a change to be sent again',
    );
  });

  test('never shows a query in its message, because it may contain a secret', () => {
    expect(() => follow('http://kb.example/x?token=abc')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('abc') }),
    );
  });
});
