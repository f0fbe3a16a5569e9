import type { ArticleBodies } from '../../../src/foundation/model.ts';
import type { SampleBase } from './build-files.ts';
import { article, category } from './fixture.ts';

/** All elements an author may use, in one body. */
const richBody = `
<p>Reset the <strong>password</strong> you sign in with. See also <a href="/article/aaaaaaaaa2-email">your email</a>.</p>
<h2>Before you start</h2>
<p>You need the address you signed up with. <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="A dot"></p>
<blockquote><p>[!WARNING]<br>Codes expire after ten minutes.</p></blockquote>
<h2>Steps</h2>
<ol><li>Open the settings.</li><li>Choose <em>Security</em>.<ul><li>On a phone, scroll down.</li></ul></li></ol>
<h3>From the command line</h3>
<pre><code class="language-bash"># ask for a code
acme password reset --email you@example.com --with-a-rather-long-option-that-makes-the-line-scroll=yes</code></pre>
<h2>Limits</h2>
<table><thead><tr><th>Plan</th><th>Attempts</th></tr></thead><tbody><tr><td>Free</td><td>3</td></tr></tbody></table>
<details><summary>What if I lost my phone?</summary><p>Use a recovery code.</p></details>
`;

const bodies: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'aaaaaaaaa1',
    {
      en: richBody,
      ar: '<p>أعد تعيين كلمة المرور.</p><h2>قبل أن تبدأ</h2><p>تحتاج إلى عنوان بريدك.</p><h2>الخطوات</h2><p>افتح الإعدادات.</p>',
      th: '<p>รีเซ็ตรหัสผ่านที่ใช้ลงชื่อเข้าใช้</p><h2>ขั้นตอน</h2><p>เปิดการตั้งค่า</p>',
      'zh-CN': '<p>重置您登录时使用的密码。</p><h2>步骤</h2><p>打开设置。</p>',
      ja: '<p>サインインに使うパスワードを再設定します。</p><h2>始める前に</h2><p>登録したメールアドレスが必要です。</p><h2>手順</h2><p>設定を開きます。</p>',
    },
  ],
  [
    'aaaaaaaaa2',
    {
      en: '<p>Change the address we write to.</p><h2>Steps</h2><p>Open the settings and choose email.</p>',
      ar: '<p>غيّر عنوان البريد الإلكتروني.</p>',
      ja: '<p>メールアドレスを変更します。</p>',
    },
  ],
  ['aaaaaaaaa3', { en: '<p>Money comes back within five days.</p>' }],
  ['aaaaaaaaa4', { en: '<p>A page without a shelf.</p>' }],
];

/** Four articles in two categories in English, Arabic and Japanese (one also in Thai and Chinese), with bodies that use every element. */
export const sampleBase: SampleBase = {
  knowledgeBase: {
    defaultLanguage: 'en',
    articles: [
      article(
        'aaaaaaaaa1',
        {
          en: 'Reset your password',
          ar: 'إعادة تعيين كلمة المرور',
          ja: 'パスワードを再設定する',
          th: 'รีเซ็ตรหัสผ่าน',
          'zh-CN': '重置密码',
        },
        { categoryId: 'ccccccccc1', tags: ['account'], updatedAt: '2026-03-01T10:00:00.000Z' },
      ),
      article(
        'aaaaaaaaa2',
        { en: 'Change your email', ar: 'تغيير البريد الإلكتروني', ja: 'メールを変更する' },
        {
          categoryId: 'ccccccccc1',
          tags: ['account'],
          updatedAt: '2026-05-01T10:00:00.000Z',
          isFeatured: true,
        },
      ),
      article('aaaaaaaaa3', { en: 'Refunds' }, { categoryId: 'ccccccccc2', tags: ['money'] }),
      article('aaaaaaaaa4', { en: 'Something else' }),
    ],
    categories: [
      category('ccccccccc1', { en: 'Your account', ar: 'حسابك', ja: 'アカウント' }, { icon: '🔑' }),
      category('ccccccccc2', { en: 'Billing' }, { parentId: 'ccccccccc1' }),
    ],
    excluded: new Map(),
  },
  bodies: new Map(
    bodies.map(([id, byLanguage]): [string, ArticleBodies] => [id, new Map(Object.entries(byLanguage))]),
  ),
};

/** One page of each kind in a language, by kind. */
export function pagesOfEachKind(language: 'en' | 'ar' | 'ja'): Readonly<Record<string, string>> {
  const slugs = {
    en: ['your-account', 'reset-your-password'],
    ar: ['حسابك', 'إعادة-تعيين-كلمة-المرور'],
    ja: ['アカウント', 'パスワードを再設定する'],
  } as const;
  const [category, title] = slugs[language];
  return {
    home: `/${language}/`,
    category: `/${language}/category/ccccccccc1-${category}/`,
    article: `/${language}/article/aaaaaaaaa1-${title}/`,
    index: `/${language}/index/`,
    search: `/${language}/search/`,
    'not found': `/${language}/404.html`,
  };
}
