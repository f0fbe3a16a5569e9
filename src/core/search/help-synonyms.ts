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
    'set up, setup',
    'back up, backup',
    'sign up, signup',
    'check out, checkout',
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

/** Synonyms of the language of a tag; none for other languages. */
export function helpSynonyms(tag: LanguageTag): readonly (readonly string[])[] {
  const [language = ''] = tag.toLowerCase().split('-');
  const own = Object.hasOwn(groups, language) ? (groups[language] ?? []) : [];
  return own.map((group) => group.split(',').map((entry) => entry.trim()));
}
