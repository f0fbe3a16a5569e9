import type { LanguageTag } from '../foundation/model.ts';
import type { CategoryNode } from '../plan/plan.ts';
import type { LanguageContext, SiteBase } from './site-base.ts';
import type { ArticleLinkView, CategoryView, LinkView } from './views.ts';

/** A link to an article in the reader's language, else to its replacement, marked with its language. */
export function articleLink(site: SiteBase, language: LanguageContext, articleId: string): ArticleLinkView {
  const article = site.plan.articles.get(articleId);
  if (article === undefined) throw new Error(`the plan has no article "${articleId}"`);
  const fallback = language.fallbackFor(article);
  const page = fallback?.shown ?? article.pages.get(language.planned.tag);
  if (page === undefined) throw new Error(`article "${articleId}" has no page`);
  return {
    id: articleId,
    href: (fallback?.target ?? page).href,
    title: page.listTitle,
    description: page.description,
    lang: fallback === null ? null : page.language,
    languageName:
      fallback === null ? null : (site.plan.languageByTag.get(page.language)?.name ?? page.language),
  };
}

/** The direct articles of a category in display order; those in other languages come last. */
export function ownArticles({ articleIds, untranslatedIds }: CategoryNode): readonly string[] {
  return [...articleIds, ...untranslatedIds];
}

/** How much of a category's tree a view contains. */
interface CategoryDepth {
  /** Levels of child categories. */
  readonly levels: number;
  /** Articles listed per category; its own page lists all. */
  readonly articles: number;
  /** The same for subcategories; absent: the same number. */
  readonly below?: number;
}

/** A category with its articles and children, to the requested depth. */
export function categoryView(
  site: SiteBase,
  language: LanguageContext,
  node: CategoryNode,
  depth: CategoryDepth,
): CategoryView {
  const { page } = node;
  const icon = node.icon?.trim() ?? '';
  const own = ownArticles(node);
  const { levels, articles, below = articles } = depth;
  return {
    id: node.id,
    href: page.href,
    title: page.title,
    lang: foreign(page.titleLanguage, language),
    description: page.description,
    icon: icon === '' ? guessIcon(page.title) : icon,
    symbol: emojiOf(icon),
    articleCount: node.articleCount,
    ownCount: own.length,
    articles: own.slice(0, articles).map((id) => articleLink(site, language, id)),
    children:
      levels === 0
        ? []
        : node.children.map((child) =>
            categoryView(site, language, child, { levels: levels - 1, articles: below }),
          ),
  };
}

/** The top-level categories, without children. */
export function topCategories(site: SiteBase, language: LanguageContext): readonly CategoryView[] {
  return language.planned.categories.map((node) =>
    categoryView(site, language, node, { levels: 0, articles: 0 }),
  );
}

/** Home and the ancestors of a category, outermost first, including the category. */
export function breadcrumbs(language: LanguageContext, categoryId: string | null): readonly LinkView[] {
  const trail: LinkView[] = [];
  let node = categoryId === null ? undefined : language.planned.categoryById.get(categoryId);
  while (node !== undefined) {
    trail.unshift({
      href: node.page.href,
      title: node.page.title,
      lang: foreign(node.page.titleLanguage, language),
    });
    node = node.parentId === null ? undefined : language.planned.categoryById.get(node.parentId);
  }
  return [{ href: language.view.home, title: language.texts.text('home'), lang: null }, ...trail];
}

function foreign(tag: LanguageTag, language: LanguageContext): LanguageTag | null {
  return tag === language.planned.tag ? null : tag;
}

/** The icon if it is an emoji, else `null`. */
function emojiOf(icon: string): string | null {
  return /^\p{Extended_Pictographic}/u.test(icon) && icon.length <= 12 ? icon : null;
}

/**
 * Words of category titles, by icon, in the most common languages of help centres. The first icon with a word in the title wins, so
 * specific icons come first. In scripts that separate words, a word matches at its beginning.
 */
const words: Readonly<Record<string, string>> = {
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
    'device devices mobile phone app apps gerät handy mobil appareil téléphone dispositiv aplicaciones móvil aplicativo cellulare apparaat telefoon urządze устройств телефон cihaz 端末 アプリ 设备 手机 앱 기기 الجهاز מכשיר אפליקצי טלפון התקנים',
  code: 'software developer developers api sdk code coding integration integrations entwickler développeur intégration desarrollador integración desenvolvedor sviluppator integrazion ontwikkelaar программ разработ yazılım geliştirici ソフトウェア 開発 开发 软件 개발 المطورين תוכנה מפתחים',
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
