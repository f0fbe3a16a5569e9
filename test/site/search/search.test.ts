import { beforeAll, describe, expect, test } from 'vitest';
import { buildFiles } from '../support/build-files.ts';
import { baseOf, openSearch, type SiteSearcher, titles } from '../support/search-site.ts';

async function searchIn(
  language: string,
  pages: Readonly<Record<string, readonly [title: string, body: string]>>,
): Promise<SiteSearcher> {
  const { files } = await buildFiles(baseOf(language, pages));
  return openSearch(files, language);
}

describe('the search', () => {
  let english: SiteSearcher;

  beforeAll(async () => {
    english = await searchIn('en', {
      aaaaaaaaa1: [
        'Reset your password',
        '<p>Open the settings.</p><h2 id="phone">On a phone</h2><p>Scroll down.</p>',
      ],
      aaaaaaaaa2: ['Change your email', '<p>You need your password for this.</p>'],
      aaaaaaaaa3: ['Café opening hours', '<p>We open at nine. Our naïve façade is blue.</p>'],
    });
  });

  test('puts words of the title before words of the text', async () => {
    expect(await titles(english, 'password')).toEqual(['Reset your password', 'Change your email']);
  });

  test('finds a word by its beginning', async () => {
    expect(await titles(english, 'pass')).toContain('Reset your password');
  });

  test('forgives a typing error', async () => {
    expect((await titles(english, 'pasword'))[0]).toBe('Reset your password');
  });

  test('takes similar words only for a word that stands nowhere', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Lost phone', '<p>What to do.</p>'],
      aaaaaaaaa2: ['Most wanted', '<p>Other things.</p>'],
    });
    expect(await titles(searcher, 'lost')).toEqual(['Lost phone']);
    expect(await titles(searcher, 'lqst')).toContain('Lost phone');
  });

  test('does not mind accents and capitals, on either side', async () => {
    expect(await titles(english, 'CAFE facade')).toEqual(['Café opening hours']);
    expect((await titles(english, 'pässword'))[0]).toBe('Reset your password');
  });

  test('leads to the section where the words stand', async () => {
    const { results } = await english.search('scroll');
    expect(results[0]?.sections).toEqual([{ id: expect.any(String), heading: 'On a phone' }]);
  });

  test('wants every word where some article has them all', async () => {
    expect(await titles(english, 'change password')).toEqual(['Change your email']);
  });

  test('finds nothing for nothing', async () => {
    expect(await english.search('')).toEqual({ total: 0, results: [] });
    expect(await titles(english, '!?')).toEqual([]);
  });
});

describe('a script without spaces is searched by what stands in it', () => {
  test.each([
    [
      'ja',
      'パスワードを再設定する',
      '設定画面を開きます',
      ['再設定', 'パスワード', '画面', '設'],
      ['画設', '駅'],
    ],
    ['zh-CN', '重置您的密码', '打开设置页面', ['密码', '设置', '页'], ['码设']],
    ['th', 'รีเซ็ตรหัสผ่านของคุณ', 'เปิดหน้าการตั้งค่า', ['รหัสผ่าน', 'ตั้งค่า'], ['แมว']],
    ['ko', '비밀번호를 재설정하기', '설정 화면을 엽니다', ['비밀번호', '재설정', '화면'], ['고양이']],
  ])('in %s', async (language, title, body, hits, misses) => {
    const searcher = await searchIn(language, { aaaaaaaaa1: [title, `<p>${body}</p>`] });
    for (const query of hits) expect(await titles(searcher, query), query).toEqual([title]);
    for (const query of misses) expect(await titles(searcher, query), query).toEqual([]);
  });

  test('and Arabic without vowel signs and articles', async () => {
    const searcher = await searchIn('ar', {
      aaaaaaaaa1: ['إعادة تعيين كلمة المرور', '<p>افتح الإعدادات.</p>'],
    });
    for (const query of ['اعاده تعيين', 'مرور', 'كَلِمة', 'إعدادات']) {
      expect(await titles(searcher, query), query).toHaveLength(1);
    }
  });
});
