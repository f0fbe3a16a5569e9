import type { KnowledgeBase } from './half-translated.ts';

type Row = readonly [title: string, first: string, second: string, question: string];

/** By language, the same articles in the same order. The question is a heading of its article. */
const texts: Readonly<Record<string, readonly Row[]>> = {
  en: [
    [
      'Reset the router',
      'Hold the button for ten seconds until the lamp is red.',
      'The router starts again and has its first settings.',
      'How do I reset the router?',
    ],
    [
      'Change your password',
      'Open the settings of your account and choose a new password.',
      'It must have at least twelve characters.',
      'How can I change my password?',
    ],
    [
      'Return a parcel',
      'Print the label and bring the parcel to the post office.',
      'You get your money back within two weeks.',
      'How do I return a parcel?',
    ],
    [
      'Cancel the subscription',
      'You can cancel at any time in your account.',
      'The subscription ends with the month that you have paid.',
      'How do I cancel my subscription?',
    ],
    [
      'Download the invoice',
      'All invoices are in your account below the orders.',
      'You can save each of them as a file.',
      'Where can I find my invoice?',
    ],
    [
      'Replace the battery',
      'Open the cover and take out the old battery.',
      'Put the new one in with the plus sign on top.',
      'How do I replace the battery?',
    ],
    [
      'Connect a printer',
      'Switch the printer on and choose it in the list of devices.',
      'It takes a minute until the first page is printed.',
      'Why is my printer not in the list?',
    ],
    [
      'Export contacts',
      'Choose the contacts that you want to take with you.',
      'They are written into a table.',
      'Can I take my contacts with me?',
    ],
  ],
  de: [
    [
      'Router zurücksetzen',
      'Halten Sie die Taste zehn Sekunden lang, bis die Lampe rot ist.',
      'Der Router startet neu und hat wieder die ersten Einstellungen.',
      'Wie setze ich den Router zurück?',
    ],
    [
      'Passwort ändern',
      'Öffnen Sie die Einstellungen Ihres Kontos und wählen Sie ein neues Passwort.',
      'Es muss mindestens zwölf Zeichen haben.',
      'Wie kann ich mein Passwort ändern?',
    ],
    [
      'Paket zurückgeben',
      'Drucken Sie das Etikett und bringen Sie das Paket zur Post.',
      'Sie bekommen Ihr Geld in zwei Wochen zurück.',
      'Wie gebe ich ein Paket zurück?',
    ],
    [
      'Abonnement kündigen',
      'Sie können in Ihrem Konto jederzeit kündigen.',
      'Das Abonnement endet mit dem Monat, den Sie bezahlt haben.',
      'Wie kündige ich mein Abonnement?',
    ],
    [
      'Rechnung herunterladen',
      'Alle Rechnungen sind in Ihrem Konto unter den Bestellungen.',
      'Sie können jede als Datei speichern.',
      'Wo finde ich meine Rechnung?',
    ],
    [
      'Batterie wechseln',
      'Öffnen Sie den Deckel und nehmen Sie die alte Batterie heraus.',
      'Legen Sie die neue mit dem Pluszeichen nach oben ein.',
      'Wie wechsle ich die Batterie?',
    ],
    [
      'Drucker verbinden',
      'Schalten Sie den Drucker ein und wählen Sie ihn in der Liste der Geräte.',
      'Bis zur ersten Seite dauert es eine Minute.',
      'Warum ist mein Drucker nicht in der Liste?',
    ],
    [
      'Kontakte exportieren',
      'Wählen Sie die Kontakte, die Sie mitnehmen möchten.',
      'Sie werden in eine Tabelle geschrieben.',
      'Kann ich meine Kontakte mitnehmen?',
    ],
  ],
  fr: [
    [
      'Réinitialiser le routeur',
      'Appuyez sur le bouton pendant dix secondes jusqu’à ce que la lampe soit rouge.',
      'Le routeur redémarre avec ses premiers réglages.',
      'Comment réinitialiser le routeur ?',
    ],
    [
      'Changer le mot de passe',
      'Ouvrez les réglages de votre compte et choisissez un nouveau mot de passe.',
      'Il doit avoir au moins douze caractères.',
      'Comment puis-je changer mon mot de passe ?',
    ],
    [
      'Renvoyer un colis',
      'Imprimez l’étiquette et apportez le colis à la poste.',
      'Vous êtes remboursé en deux semaines.',
      'Comment renvoyer un colis ?',
    ],
    [
      'Résilier l’abonnement',
      'Vous pouvez résilier à tout moment dans votre compte.',
      'L’abonnement prend fin avec le mois que vous avez payé.',
      'Comment résilier mon abonnement ?',
    ],
    [
      'Télécharger la facture',
      'Toutes les factures sont dans votre compte sous les commandes.',
      'Vous pouvez enregistrer chacune comme fichier.',
      'Où est-ce que je trouve ma facture ?',
    ],
    [
      'Remplacer la pile',
      'Ouvrez le couvercle et sortez la vieille pile.',
      'Mettez la nouvelle avec le signe plus vers le haut.',
      'Comment remplacer la pile ?',
    ],
    [
      'Connecter une imprimante',
      'Allumez l’imprimante et choisissez-la dans la liste des appareils.',
      'La première page est imprimée après une minute.',
      'Pourquoi mon imprimante n’est-elle pas dans la liste ?',
    ],
    [
      'Exporter les contacts',
      'Choisissez les contacts que vous voulez emporter.',
      'Ils sont écrits dans un tableau.',
      'Puis-je emporter mes contacts ?',
    ],
  ],
  cs: [
    [
      'Restart zařízení',
      'Podržte tlačítko deset sekund, dokud lampa není červená.',
      'Zařízení se znovu spustí s původním nastavením.',
      'Jak restartuji své zařízení?',
    ],
    [
      'Změna hesla',
      'Otevřete nastavení svého účtu a zvolte nové heslo.',
      'Musí mít alespoň dvanáct znaků.',
      'Jak si mohu změnit heslo?',
    ],
    [
      'Vrácení balíku',
      'Vytiskněte štítek a odneste balík na poštu.',
      'Peníze dostanete zpět do dvou týdnů.',
      'Jak vrátím balík?',
    ],
    [
      'Zrušení předplatného',
      'Zrušit je můžete kdykoli ve svém účtu.',
      'Předplatné skončí s měsícem, který jste zaplatili.',
      'Jak zruším předplatné?',
    ],
    [
      'Stažení faktury',
      'Všechny faktury jsou ve vašem účtu pod objednávkami.',
      'Každou si můžete uložit jako soubor.',
      'Kde najdu svou fakturu?',
    ],
    [
      'Výměna baterie',
      'Otevřete kryt a vyjměte starou baterii.',
      'Vložte novou znaménkem plus nahoru.',
      'Jak vyměním baterii?',
    ],
    [
      'Připojení tiskárny',
      'Zapněte tiskárnu a zvolte ji v seznamu zařízení.',
      'První stránka se vytiskne za minutu.',
      'Proč není moje tiskárna v seznamu?',
    ],
    [
      'Export kontaktů',
      'Zvolte kontakty, které si chcete vzít s sebou.',
      'Zapíší se do tabulky.',
      'Mohu si vzít kontakty s sebou?',
    ],
  ],
  uk: [
    [
      'Скидання роутера',
      'Тримайте кнопку десять секунд, доки лампа не стане червоною.',
      'Роутер запуститься знову з початковими налаштуваннями.',
      'Як мені скинути роутер?',
    ],
    [
      'Зміна пароля',
      'Відкрийте налаштування свого облікового запису та виберіть новий пароль.',
      'Він має містити щонайменше дванадцять знаків.',
      'Як я можу змінити свій пароль?',
    ],
    [
      'Повернення посилки',
      'Надрукуйте етикетку та віднесіть посилку на пошту.',
      'Ви отримаєте гроші назад протягом двох тижнів.',
      'Як мені повернути посилку?',
    ],
    [
      'Скасування підписки',
      'Ви можете скасувати її будь-коли у своєму обліковому записі.',
      'Підписка закінчиться з місяцем, який ви оплатили.',
      'Як мені скасувати підписку?',
    ],
    [
      'Завантаження рахунку',
      'Усі рахунки є у вашому обліковому записі під замовленнями.',
      'Кожен можна зберегти як файл.',
      'Де я можу знайти свій рахунок?',
    ],
    [
      'Заміна батареї',
      'Відкрийте кришку та вийміть стару батарею.',
      'Вставте нову знаком плюс догори.',
      'Як мені замінити батарею?',
    ],
    [
      'Підключення принтера',
      'Увімкніть принтер і виберіть його у списку пристроїв.',
      'Перша сторінка друкується за хвилину.',
      'Чому мого принтера немає у списку?',
    ],
    [
      'Експорт контактів',
      'Виберіть контакти, які хочете взяти з собою.',
      'Їх буде записано в таблицю.',
      'Чи можу я взяти контакти з собою?',
    ],
  ],
  ja: [
    [
      'ルーターをリセットする',
      'ランプが赤くなるまでボタンを十秒間押し続けてください。',
      'ルーターは最初の設定で再起動します。',
      'ルーターをリセットするにはどうすればよいですか？',
    ],
    [
      'パスワードを変更する',
      'アカウントの設定を開き、新しいパスワードを選んでください。',
      '十二文字以上が必要です。',
      'パスワードを変更するにはどうすればよいですか？',
    ],
    [
      '荷物を返品する',
      'ラベルを印刷して、荷物を郵便局に持って行ってください。',
      '二週間以内に返金されます。',
      '荷物を返品するにはどうすればよいですか？',
    ],
    [
      '定期購読を解約する',
      'アカウントでいつでも解約できます。',
      '定期購読は支払い済みの月で終わります。',
      '定期購読を解約するにはどうすればよいですか？',
    ],
    [
      '請求書をダウンロードする',
      'すべての請求書はアカウントの注文の下にあります。',
      'それぞれファイルとして保存できます。',
      '請求書はどこにありますか？',
    ],
    [
      '電池を交換する',
      'カバーを開けて古い電池を取り出してください。',
      '新しい電池をプラスを上にして入れてください。',
      '電池を交換するにはどうすればよいですか？',
    ],
    [
      'プリンターを接続する',
      'プリンターの電源を入れ、機器の一覧で選んでください。',
      '最初のページが印刷されるまで一分かかります。',
      'プリンターが一覧にないのはなぜですか？',
    ],
    [
      '連絡先を書き出す',
      '持って行きたい連絡先を選んでください。',
      '表に書き込まれます。',
      '連絡先を持って行くことはできますか？',
    ],
  ],
};

/** A small knowledge base in English, German, French, Czech, Ukrainian and Japanese; the last three have no list of stop words. */
export function sixLanguages(): KnowledgeBase {
  const translate = (language: string, at: number) => {
    const [title = '', first = '', second = '', question = ''] = texts[language]?.[at] ?? [];
    const body = `<p>${first}</p>\n<h2>${question}</h2>\n<p>${second}</p>`;
    return { language_code: language, title, slug: `article-${at}`, body, description: '' };
  };
  const articles = (texts.en ?? []).map((_, at) => ({
    ...translate('en', at),
    article_id: `article00${at}`,
    is_published: true,
    is_private: false,
    multilingual: Object.keys(texts)
      .filter((language) => language !== 'en')
      .map((language) => translate(language, at)),
  }));
  return { articles, categories: [] };
}
