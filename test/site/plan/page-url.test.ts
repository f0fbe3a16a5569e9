import { describe, expect, it } from 'vitest';
import {
  createPathRegistry,
  expandPattern,
  isSafeSlug,
  pathSlug,
  safeSegment,
} from '../../../src/site/plan/page-url.ts';
import { fc } from '../../support/properties.ts';

describe('pathSlug', () => {
  it.each([
    ['Reset your password', 'reset-your-password'],
    ['Crème brûlée', 'creme-brulee'],
    ['パスワードをリセット', 'パスワードをリセット'],
    ['비밀번호 재설정', '비밀번호-재설정'],
    ['إعادة تعيين كلمة المرور', 'إعادة-تعيين-كلمة-المرور'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a/b\\c?d#e', 'a-b-c-d-e'],
    ['.', ''],
    ['🎉', ''],
    ['⚙️', ''],
    ['', ''],
  ])('makes %j into %j', (text, slug) => {
    expect(pathSlug(text)).toBe(slug);
  });

  it('cuts a long slug at a hyphen and stays under 180 bytes', () => {
    const slug = pathSlug('word '.repeat(100));
    expect(slug).toMatch(/^(word-)*word$/);
    expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(180);
  });

  it('gives the same slug again for a slug, and only safe characters, for any text', {
    tags: 'property',
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const slug = pathSlug(text);
        expect(pathSlug(slug)).toBe(slug);
        expect(slug).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u);
        expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(180);
      }),
    );
  });
});

describe('isSafeSlug', () => {
  it('accepts a slug with upper case and refuses dots, slashes and nothing', () => {
    expect(['Reset-Password', 'reset', '..', 'a/b', ''].map(isSafeSlug)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('safeSegment', () => {
  it('changes only names that Windows reserves', () => {
    expect(['con', 'CON', 'lpt1', 'nul.html', 'console', 'article'].map(safeSegment)).toEqual([
      'con_',
      'CON_',
      'lpt1_',
      'nul.html_',
      'console',
      'article',
    ]);
  });
});

describe('expandPattern', () => {
  it.each([
    ['{lang}/category/{id}-{slug}', { id: '-', slug: '' }, 'en/category/--/index.html'],
    ['{lang}/category/{id}-{slug}', { id: 'a', slug: '' }, 'en/category/a/index.html'],
    ['{lang}/{slug}.html', { id: 'a', slug: '' }, 'en/a.html'],
    ['{id}-{slug}.html', { id: '-', slug: '' }, '--.html'],
    ['{path}', { id: 'a', slug: 'b', path: 'docs/Brakes' }, 'docs/Brakes/index.html'],
    ['{path}', { id: 'a', slug: 'b', path: 'guide/brakes.html' }, 'guide/brakes.html'],
    ['{path}', { id: 'a', slug: 'b', path: 'guide/old.htm' }, 'guide/old.htm'],
    ['{path}', { id: 'a', slug: 'b', path: 'guide/index.htm' }, 'guide/index.htm'],
    ['{path}', { id: 'a', slug: 'b', path: 'sitemaps/x.htm' }, 'sitemaps_/x.htm'],
    ['{path}', { id: 'a', slug: 'b', path: 'en/guide/' }, 'en/guide/index.html'],
    ['help/{lang}/{path}', { id: 'a', slug: 'b', path: 'en/guide/' }, 'help/en/guide/index.html'],
    ['{path}', { id: 'a', slug: 'welcome', path: '' }, 'welcome/index.html'],
    ['{path}', { id: 'a', slug: 'welcome', path: 'index.html' }, 'welcome/index.html'],
    ['{path}', { id: 'a', slug: 'b', path: '../x/./What? {id}/' }, 'x/What-id/index.html'],
    ['{path}', { id: 'a', slug: 'b', path: 'assets/brakes' }, 'assets_/brakes/index.html'],
    ['{path}', { id: 'a', slug: 'b', path: 'robots.txt' }, 'robots.txt_/index.html'],
    ['{path}', { id: 'a', slug: 'b', path: 'llms.txt/format' }, 'llms.txt_/format/index.html'],
    ['{path}', { id: 'a', slug: 'b', path: null }, 'b/index.html'],
  ])('fills %s with %j', (pattern, values, path) => {
    expect(expandPattern(pattern, { lang: 'en', path: null, ...values })).toBe(path);
  });

  it('leaves room in a long name for the names of the Markdown twin and the compressed copies', () => {
    const registry = createPathRegistry();
    for (const pattern of ['help-centre-of-a-company-{lang}-{id}-{slug}.html', '{lang}/{id}-{slug}']) {
      const slug = pathSlug('語'.repeat(300));
      const path = expandPattern(pattern, { lang: 'zh-Hant', id: 'x'.repeat(64), slug, path: null });
      const names = ['a', 'X'.repeat(64)].map((id) => registry.claimForRecord(path, id, id).path);
      for (const name of names.join('/').split('/'))
        expect(Buffer.byteLength(`${name}.md.br`)).toBeLessThan(255);
      expect(new Set(names).size).toBe(2);
    }
  });
});

describe('createPathRegistry', () => {
  it('appends the id before the ending of a file', () => {
    const registry = createPathRegistry();
    registry.claim('guide/old.htm', 'another page');
    expect(registry.claimForRecord('guide/old.htm', 'aaaaaaaaaa', 'article').path).toBe(
      'guide/old-aaaaaaaaaa.htm',
    );
  });

  it.each(['index.html', '404.html', 'Feed/index.html', 'ASSETS/index.html'])(
    'gives no record the path %s, which Lectern uses itself',
    (path) => {
      expect(createPathRegistry().claimForRecord(path, 'aaaaaaaaaa', 'article')).toEqual({
        path: path.replace(/(?:\/index)?\.html$/, '-aaaaaaaaaa$&'),
        takenBy: 'Lectern itself',
      });
    },
  );
});
