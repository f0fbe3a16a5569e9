import { translatedArticle, translatedCategory } from '../../source/support/records.ts';
import type { Records } from '../../support/publish-site.ts';

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

/** Four articles in two categories in English, Arabic and Japanese (one also in Thai and Chinese), with bodies that use every element. */
export const sampleRecords: Records = {
  articles: [
    translatedArticle(
      'aaaaaaaaa1',
      {
        en: ['Reset your password', richBody],
        ar: [
          'إعادة تعيين كلمة المرور',
          '<p>أعد تعيين كلمة المرور.</p><h2>قبل أن تبدأ</h2><p>تحتاج إلى عنوان بريدك.</p><h2>الخطوات</h2><p>افتح الإعدادات.</p>',
        ],
        ja: [
          'パスワードを再設定する',
          '<p>サインインに使うパスワードを再設定します。</p><h2>始める前に</h2><p>登録したメールアドレスが必要です。</p><h2>手順</h2><p>設定を開きます。</p>',
        ],
        th: ['รีเซ็ตรหัสผ่าน', '<p>รีเซ็ตรหัสผ่านที่ใช้ลงชื่อเข้าใช้</p><h2>ขั้นตอน</h2><p>เปิดการตั้งค่า</p>'],
        'zh-CN': ['重置密码', '<p>重置您登录时使用的密码。</p><h2>步骤</h2><p>打开设置。</p>'],
      },
      { category_id: 'ccccccccc1', tags: ['account'], updated_at: '2026-03-01T10:00:00.000Z' },
    ),
    translatedArticle(
      'aaaaaaaaa2',
      {
        en: [
          'Change your email',
          '<p>Change the address we write to.</p><h2>Steps</h2><p>Open the settings and choose email.</p>',
        ],
        ar: ['تغيير البريد الإلكتروني', '<p>غيّر عنوان البريد الإلكتروني.</p>'],
        ja: ['メールを変更する', '<p>メールアドレスを変更します。</p>'],
      },
      {
        category_id: 'ccccccccc1',
        tags: ['account'],
        updated_at: '2026-05-01T10:00:00.000Z',
        is_featured: true,
      },
    ),
    translatedArticle(
      'aaaaaaaaa3',
      { en: ['Refunds', '<p>Money comes back within five days.</p>'] },
      { category_id: 'ccccccccc2', tags: ['money'] },
    ),
    translatedArticle('aaaaaaaaa4', { en: ['Something else', '<p>A page without a shelf.</p>'] }),
  ],
  categories: [
    translatedCategory('ccccccccc1', { en: 'Your account', ar: 'حسابك', ja: 'アカウント' }, { icon: '🔑' }),
    translatedCategory('ccccccccc2', { en: 'Billing' }, { parent_category_id: 'ccccccccc1' }),
  ],
  views: { aaaaaaaaa1: 1, aaaaaaaaa2: 1, aaaaaaaaa3: 1 },
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
