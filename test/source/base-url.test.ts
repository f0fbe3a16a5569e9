import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/core/net/base-url.ts';

describe('the base URL', () => {
  test.each([
    ['https://kb.example/v1/', 'https://kb.example/v1'],
    ['https://kb.example', 'https://kb.example/'],
    ['https://kb.example:8443/a/v1', 'https://kb.example:8443/a/v1'],
  ])('%s is read as %s', (text, href) => {
    expect(parseBaseUrl(text, false).href).toBe(href);
  });

  test.each(['kb.example/v1', 'ftp://kb.example', ''])('%j is not a URL', (text) => {
    expect(() => parseBaseUrl(text, false)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', exitCode: 2 }),
    );
  });

  test.each([
    'https://kb.example/v1?key=SECRET',
    'https://me:SECRET@kb.example/v1',
    'https://kb.example/v1#SECRET',
  ])('%s is refused without repeating its secret', (text) => {
    expect(() => parseBaseUrl(text, false)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('SECRET') }),
    );
  });

  test('is refused without https, except on this machine and on demand', () => {
    const insecure = expect.objectContaining({ code: 'CONFIG_INVALID', exitCode: 2 });
    expect(() => parseBaseUrl('http://kb.example/v1', true)).toThrow(insecure);
    expect(() => parseBaseUrl('http://127.0.0.1.evil.example/v1', true)).toThrow(insecure);
    expect(() => parseBaseUrl('http://localhost:80/v1', false)).toThrow(insecure);
    expect(parseBaseUrl('http://localhost:8080/v1', true).host).toBe('localhost:8080');
    expect(parseBaseUrl('http://[::1]:8080/v1', true).host).toBe('[::1]:8080');
    expect(parseBaseUrl('http://127.0.0.1:8080/v1', true).host).toBe('127.0.0.1:8080');
  });
});
