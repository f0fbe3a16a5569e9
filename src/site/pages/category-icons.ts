/** Icons that the theme can draw. A knowledge base may name them. */
export const iconNames: ReadonlySet<string> = new Set(
  (
    'account android bell billing bolt book browser building chart chat code download flag globe heart key laptop lock mail ' +
    'package rocket settings shield smartphone star terminal ticket truck windows wrench'
  ).split(' '),
);

/** The icon of a category: the one that the knowledge base names, else one that suits the title; `null` if there is neither. */
export function iconOf(named: string, title: string): string | null {
  return iconNames.has(named) ? named : (guessIcon(title) ?? (named === '' ? null : named));
}

/** Whether every category has an icon of its own: a page shows all icons or none. */
export function haveIcons(
  categories: readonly { readonly icon: string | null; readonly symbol: string | null }[],
): boolean {
  return categories.every(({ icon, symbol }) => symbol !== null || iconNames.has(icon ?? ''));
}

/**
 * Words of category titles, by icon, in the most common languages of help centres. The first icon with a word in the title wins, so
 * specific icons come first. In scripts that separate words, a word matches at its beginning.
 */
const words: Readonly<Record<string, string>> = {
  windows: 'windows ウィンドウズ 윈도우 виндовс',
  android: 'android أندرويد اندروید アンドロイド 安卓 안드로이드 андроид',
  laptop:
    'mac macos macbook imac osx laptop laptops notebook chromebook computer computers desktop ordinateur ordenador компьютер ноутбук パソコン 电脑 컴퓨터 حاسوب רايانه מחשב',
  terminal: 'linux unix ubuntu debian cli линукс リナックス 리눅스 لينكس لینوکس コマンド 命令行',
  browser:
    'browser browsers chrome firefox safari navigateur navegador navegadores przegląd браузер tarayıcı ブラウザ 浏览器 브라우저 المتصفح مرورگر דפדפן',
  ticket:
    'ticket tickets ticketing incident incidents tiket тикет заявк チケット 工单 티켓 التذاكر تیکت פניות',
  bolt: 'automation automations automate workflow workflows trigger triggers rule rules automatisierung automatisation automatización automatizaciones automação automações automazion automatisering automatyzac автоматизац otomasyon 自動化 オートメーション 自动化 자동화 الأتمتة اتوماسیون אוטומציה',
  rocket:
    'start onboarding quickstart einstieg erste démarr premiers empez primeros inici comec iniz slag pierwsze начал başla はじめ 始め 入门 开始 시작 البدء התחל ראשונים',
  billing:
    'billing payment payments invoice invoices pricing plan plans subscription subscriptions zahlung rechnung abrechnung abo preis paiement factur abonnement pago pagos cobro pagamento fattur betal płatno оплат платеж ödeme 支払 料金 請求 付款 账单 支付 결제 الدفع الفوترة חיוב תשלום תשלומים חשבונית חשבוניות מחיר מנוי',
  shield:
    'security privacy safety compliance sicherheit datenschutz sécurité confidentialité seguridad privacidad segurança privacidade sicurezza beveilig privacy bezpiecze безопасн güvenlik セキュリティ プライバシー 安全 隐私 보안 الأمان الخصوصية אבטח פרטיות',
  key: 'login sign password passwords authentication anmeld passwort connexion contraseña acceso senha accesso inloggen wachtwoord logowan вход парол giriş ログイン パスワード 登录 密码 로그인 تسجيل סיסמ התחבר כניסה',
  account:
    'account accounts profile user users member members team konto profil benutzer mitglied compte utilisateur cuenta perfil usuari conta utente gebruiker użytkown аккаунт профил hesap アカウント ユーザー 账户 用户 계정 الحساب חשבון פרופיל משתמש',
  truck:
    'shipping delivery deliveries shipment versand liefer livraison expédition envío entrega spedizion consegna verzend bezorg dostaw доставк kargo teslimat 配送 发货 배송 الشحن التوصيل משלוח',
  package:
    'order orders parcel parcels store shop return returns product products bestell paket rücksend commande colis produit boutique pedido paquete tienda producto encomenda produto ordin pacco prodott pakket zamówien заказ посылк sipariş 注文 荷物 返品 商品 订单 包裹 产品 주문 الطلبات הזמנ מוצר',
  wrench:
    'troubleshoot troubleshooting problem problems error errors repair hardware fehler störung reparatur problème dépann réparation solución problema errores reparación risoluzione problemen storing rozwiązywan ошибк неполадк ремонт sorun トラブル 故障 问题 문제 المشاكل תקלות בעיות שגיא תיקון',
  smartphone:
    'ios iphone ipad ipados device devices mobile phone app apps gerät handy mobil appareil téléphone dispositiv aplicaciones móvil aplicativo cellulare apparaat telefoon urządze устройств телефон cihaz 端末 アプリ 设备 手机 앱 기기 الجهاز מכשיר אפליקצי טלפון התקנים',
  code: 'software developer developers api apis sdk webhook webhooks code coding integration integrations entwickler développeur intégration desarrollador integración desenvolvedor sviluppator integrazion ontwikkelaar программ разработ yazılım geliştirici ソフトウェア 開発 开发 软件 개발 المطورين תוכנה מפתחים',
  globe:
    'cloud web website internet online language languages sprache langue idioma lingua taal язык クラウド ウェブ 网络 云 클라우드 ענן אינטרנט שפה שפות',
  settings:
    'setting settings configuration configure setup administration admin einstellung einricht réglage paramètre configura ajuste impostazion instelling ustawien настрой ayar 設定 设置 설정 الإعدادات הגדר',
  chart:
    'report reports analytics statistics dashboard bericht auswertung rapport statistiques informe análisis relatório rapporto statistiek raport отчет аналитик rapor 分析 レポート 报告 통계 التقارير דוחות סטטיסטיק',
  mail: 'mail email emails newsletter notification notifications benachrichtigung e-mail courriel notification correo notificac notifiche melding powiadom почт уведомл bildirim メール 通知 邮件 알림 البريد דוא מייל התראות',
  chat: 'community contact support forum chat kontakt gemeinschaft communauté contacto comunidad contato comunidade contatt gemeenschap społeczno сообществ контакт topluluk iletişim コミュニティ 問い合わせ 社区 联系 커뮤니티 المجتمع קהילה תמיכה קשר',
  book: 'education learning learn guide guides tutorial tutorials documentation school course courses bildung lern anleitung éducation guide apprendre educación guía aprend educação guia istruzione onderwijs handleiding edukacj обуч руковод eğitim 学習 ガイド 教育 指南 교육 التعليم מדריך לימוד חינוך',
  building:
    'about company business organization organisation enterprise unternehmen über entreprise propos empresa nosotros azienda bedrijf firma компани şirket 会社 について 公司 关于 회사 الشركة אודות חברה ארגון',
  lock: 'legal terms policy policies recht agb juridique conditions legal términos termos legali juridisch voorwaarden prawn правов yasal 法的 規約 法律 条款 약관 القانونية משפטי תנאי מדיניות',
  download:
    'download downloads install installation installer herunterladen installier télécharg instala descarga scaric installeren pobier instal загруз установ indir ダウンロード インストール 下载 安装 설치 التنزيل הורד התקנה',
};

const table = Object.entries(words).map(([icon, list]) => {
  const all = list.split(' ');
  return {
    icon,
    starts: all.filter((word) => !isUnspaced(word)),
    parts: all.filter(isUnspaced),
  };
});

/** Returns an icon that suits the title of a category, or `null`. */
export function guessIcon(title: string): string | null {
  const lower = title.toLowerCase();
  const titleWords = lower.split(/[^\p{L}\p{N}-]+/u);
  const found = table.find(
    ({ starts, parts }) =>
      titleWords.some((word) => starts.some((start) => matches(word, start))) ||
      parts.some((part) => lower.includes(part)),
  );
  return found?.icon ?? null;
}

/** Short words match as a whole: `app` does not match `apply`. */
function matches(word: string, start: string): boolean {
  return start.length < 5 ? word === start : word.startsWith(start);
}

/** Whether to match a word anywhere: Chinese, Japanese and Korean do not separate words, and Arabic and Hebrew words have prefixes. */
function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}]/u.test(
    word,
  );
}
