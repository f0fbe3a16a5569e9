import type { LanguageTag } from '../model.ts';

/**
 * Words that readers and authors of help centres use for the same thing, in the ten languages with the most readers. A group is a line; its
 * entries are separated by commas. Short on purpose: each entry of a word in a query may need one more file of terms.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  en: [
    'log in, sign in, login',
    'sign up, signup',
    'set up, setup',
    'back up, backup',
    'check out, checkout',
    'check in, checkin',
    'log out, sign out, logout',
    'close, cancel, delete',
    'delete, remove',
    'undo, unmerge, revert',
    'restore, recover, undelete',
    'refund, money back',
    'bigger, larger, enlarge',
    'citation, cite',
    'phone, mobile',
    'email, mail',
    'invoice, bill, receipt',
  ],
  zh: [
    '登录, 登入',
    '删除, 注销',
    '取消, 退订',
    '退款, 退钱',
    '手机, 电话',
    '恢复, 还原',
    '发票, 账单',
    '密码, 口令',
  ],
  es: [
    'borrar, eliminar, suprimir',
    'iniciar sesión, entrar, acceder',
    'cancelar, anular',
    'reembolso, devolución',
    'celular, móvil, teléfono',
    'correo, email',
    'factura, recibo',
    'contraseña, clave',
    'deshacer, restaurar',
  ],
  hi: [
    'हटाएँ, मिटाएँ, डिलीट',
    'लॉगिन, साइन इन',
    'रद्द, कैंसल',
    'वापसी, रिफंड',
    'फ़ोन, मोबाइल',
    'बिल, चालान',
    'पासवर्ड, कूटशब्द',
  ],
  ar: [
    'حذف, إزالة, إغلاق',
    'تسجيل الدخول, دخول',
    'إلغاء, إيقاف',
    'استرداد, استرجاع',
    'هاتف, جوال',
    'فاتورة, إيصال',
    'بريد, إيميل',
  ],
  pt: [
    'apagar, excluir, eliminar, remover',
    'entrar, iniciar sessão, fazer login',
    'cancelar, anular',
    'reembolso, devolução',
    'celular, telemóvel, telefone',
    'fatura, recibo',
    'senha, palavra-passe',
    'desfazer, restaurar',
  ],
  ru: [
    'удалить, закрыть, стереть',
    'войти, вход, авторизация',
    'отменить, прекратить',
    'возврат, вернуть деньги',
    'телефон, мобильный',
    'счёт, квитанция',
    'почта, email',
    'восстановить, отменить удаление',
  ],
  ja: [
    'ログイン, サインイン',
    'ログアウト, サインアウト',
    '削除, 退会',
    '解約, キャンセル',
    '返金, 払い戻し',
    '携帯, スマホ',
    '請求書, 領収書',
    '復元, 元に戻す',
  ],
  de: [
    'löschen, entfernen',
    'kündigen, schließen, löschen',
    'anmelden, einloggen',
    'abmelden, ausloggen',
    'Erstattung, Geld zurück, Rückzahlung',
    'Handy, Mobiltelefon, Smartphone',
    'Rechnung, Beleg',
    'E-Mail, Mail',
    'wiederherstellen, rückgängig',
  ],
  fr: [
    'supprimer, effacer',
    'fermer, résilier, supprimer',
    'se connecter, connexion',
    'se déconnecter, déconnexion',
    'annuler, résilier',
    'remboursement, rembourser',
    'téléphone, portable, mobile',
    'facture, reçu',
    'restaurer, récupérer',
  ],
};

/** Abbreviations that readers type in every language, with what authors write for them in English, which many do. */
const abbreviations: readonly string[] = [
  '2FA, MFA, two-factor authentication, two-step verification, 2-step verification, multi-factor authentication',
  'SSO, single sign-on',
  'VPN, virtual private network',
  'OTP, one-time password, one-time code',
  'FAQ, frequently asked questions',
];

/** What authors write for these abbreviations in other languages. */
const spelledOut: Readonly<Record<string, readonly string[]>> = {
  zh: [
    '2FA, 双重验证, 两步验证, 双因素认证',
    'SSO, 单点登录',
    'VPN, 虚拟专用网络',
    'OTP, 一次性密码, 验证码',
  ],
  es: [
    '2FA, autenticación de dos factores, verificación en dos pasos',
    'SSO, inicio de sesión único',
    'VPN, red privada virtual',
    'OTP, contraseña de un solo uso, código de un solo uso',
  ],
  hi: ['2FA, दो-चरणीय सत्यापन, टू-फ़ैक्टर', 'OTP, वन-टाइम पासवर्ड'],
  ar: [
    '2FA, المصادقة الثنائية, التحقق بخطوتين',
    'SSO, الدخول الموحد',
    'VPN, شبكة افتراضية خاصة',
    'OTP, رمز لمرة واحدة',
  ],
  pt: [
    '2FA, autenticação de dois fatores, verificação em duas etapas',
    'SSO, login único',
    'VPN, rede privada virtual',
    'OTP, senha de uso único, código de uso único',
  ],
  ru: [
    '2FA, двухфакторная аутентификация, двухэтапная проверка',
    'SSO, единый вход',
    'VPN, виртуальная частная сеть',
    'OTP, одноразовый пароль, одноразовый код',
  ],
  ja: ['2FA, 二段階認証, 二要素認証, 2段階認証', 'SSO, シングルサインオン', 'OTP, ワンタイムパスワード'],
  de: [
    '2FA, Zwei-Faktor-Authentifizierung, Zwei-Schritt-Verifizierung, zweistufige Anmeldung',
    'SSO, einmalige Anmeldung',
    'VPN, virtuelles privates Netzwerk',
    'OTP, Einmalpasswort, Einmalcode',
    'AGB, Geschäftsbedingungen, Nutzungsbedingungen',
  ],
  fr: [
    '2FA, authentification à deux facteurs, double authentification, validation en deux étapes',
    'SSO, authentification unique',
    'VPN, réseau privé virtuel',
    'OTP, mot de passe à usage unique, code à usage unique',
    'CGU, conditions générales',
  ],
  ko: ['2FA, 2단계 인증, 이중 인증', 'SSO, 통합 로그인', 'OTP, 일회용 비밀번호'],
  it: ['2FA, autenticazione a due fattori, verifica in due passaggi', 'OTP, password monouso'],
  nl: ['2FA, tweestapsverificatie, tweefactorauthenticatie', 'OTP, eenmalige code'],
};

/** Synonyms of the language of a tag, and abbreviations, which every language has. */
export function helpSynonyms(tag: LanguageTag): readonly (readonly string[])[] {
  const [language = ''] = tag.toLowerCase().split('-');
  const ownOf = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.hasOwn(table, language) ? (table[language] ?? []) : [];
  return [...ownOf(groups), ...ownOf(spelledOut), ...abbreviations].map((group) =>
    group.split(',').map((entry) => entry.trim()),
  );
}
