import { expect, test } from 'vitest';
import { createIndexLetter, titleOrder } from '../../src/site/pages/index-letter.ts';

/** Titles by index letter. */
function groups(tag: string, titles: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const letterOf = createIndexLetter(tag);
  const found: Record<string, string[]> = {};
  for (const title of titles) {
    const letter = letterOf(title) ?? 'other';
    found[letter] = [...(found[letter] ?? []), title];
  }
  return found;
}

test.each(['zh', 'zh-CN', 'zh-TW'])('Chinese titles are filed by the initial in pinyin: %s', (tag) => {
  const titles = [
    '安全',
    '备用代码',
    '更改密码',
    '如何删除',
    '人脸解锁',
    '删除账户',
    '我的帳戶',
    '重复帐户',
    '“自拍”',
    'Login',
    '2 步',
  ];
  expect(groups(tag, titles)).toEqual({
    A: ['安全'],
    B: ['备用代码'],
    G: ['更改密码'],
    R: ['如何删除', '人脸解锁'],
    S: ['删除账户'],
    W: ['我的帳戶'],
    Z: ['重复帐户', '“自拍”'],
    L: ['Login'],
    other: ['2 步'],
  });
  expect(['重置', '安全', '密码'].toSorted(titleOrder(tag))).toEqual(['安全', '密码', '重置']);
});

test('Japanese titles are filed by the row of kana, kanji by their usual reading', () => {
  const titles = [
    'アカウント',
    'ガイド',
    'ぎふと',
    '設定',
    'ぱすわーど',
    'プラン',
    '行動規範',
    '請求',
    'ヴィデオ',
    '登録',
    '言語',
    '齟齬',
    'API',
  ];
  expect(groups('ja', titles)).toEqual({
    あ: ['アカウント', 'ヴィデオ'],
    か: ['ガイド', 'ぎふと', '行動規範', '言語'],
    さ: ['設定', '請求'],
    は: ['ぱすわーど', 'プラン'],
    た: ['登録'],
    other: ['齟齬'],
    A: ['API'],
  });
});

test('Korean titles are filed by the first consonant, others by the letter without accents', () => {
  expect(groups('ko', ['비밀번호', '보안', '계정'])).toEqual({ ㅂ: ['비밀번호', '보안'], ㄱ: ['계정'] });
  expect(groups('fr', ['Éteindre', 'Effacer'])).toEqual({ E: ['Éteindre', 'Effacer'] });
});

test('Arabic titles that begin with the letters of the article, but have none, are filed under alif', () => {
  const nouns = ['التحاق', 'التصاق', 'التواء', 'التفات', 'التماس', 'التزام', 'التزاماتنا'];
  const verbs = ['التقط صورة', 'التحق بالفريق', 'التقى'];
  const withoutHamza = ['الغاء الاشتراك', 'الكتروني', 'المانيا'];
  const filed = [...nouns, ...verbs, ...withoutHamza];
  expect(groups('ar', filed)).toEqual({ ا: filed });
  expect(
    groups('ar', ['التحقق', 'التزامن', 'التقطيع', 'التقاطع', 'التماسك', 'الغرفة', 'الكتابة', 'المانح']),
  ).toEqual({
    ت: ['التحقق', 'التزامن', 'التقطيع', 'التقاطع', 'التماسك'],
    غ: ['الغرفة'],
    ك: ['الكتابة'],
    م: ['المانح'],
  });
});

test('Arabic titles are filed without hamza and by the letter after the article, and sorted so', () => {
  const titles = [
    'حساب',
    'أفضل',
    'البدء',
    'إعداد',
    'آلة',
    '«الحساب»',
    'التقاط صورة',
    'التسجيل',
    'الى',
    'إلغاء',
    'الإعدادات',
  ];
  expect(groups('ar-EG', titles)).toEqual({
    ح: ['حساب', '«الحساب»'],
    ا: ['أفضل', 'إعداد', 'آلة', 'التقاط صورة', 'الى', 'إلغاء', 'الإعدادات'],
    ب: ['البدء'],
    ت: ['التسجيل'],
  });
  const mixed = ['الحساب', 'تسجيل', 'البدء', 'بريد', 'حذف'];
  expect(mixed.toSorted(titleOrder('ar'))).toEqual(['البدء', 'بريد', 'تسجيل', 'حذف', 'الحساب']);
  expect(groups('fa', ['الگو', 'البته'])).toEqual({ ا: ['الگو', 'البته'] });
});
