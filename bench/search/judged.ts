/** A reader's query and the article that answers it. The knowledge bases are given on the command line. */
interface JudgedQuery {
  readonly base: string;
  readonly language: string;
  readonly group: Group;
  readonly query: string;
  readonly articleId: string;
}

type Group = 'words' | 'inflection' | 'typo' | 'question' | 'cjk';

type Row = readonly [group: Group, query: string, articleId: string];

function judged(base: string, language: string, rows: readonly Row[]): readonly JudgedQuery[] {
  return rows.map(([group, query, articleId]) => ({ base, language, group, query, articleId }));
}

const login = 'login-gov-help';
const guide = 'opensource-guide';
const arduino = 'arduino-help';

/** Our own queries. Each was written from the title or text of its article, before running any search. */
export const judgedQueries: readonly JudgedQuery[] = [
  ...judged(login, 'en', [['inflection', 'shared email addresses with partner agencies', '33YWnmPZ9y']]),
  ...judged(login, 'es', [
    ['inflection', 'cuentas bloqueadas', 'MZecS51jwJ'],
    ['inflection', 'estafa común', '4IHhKWlr6I'],
  ]),
  ...judged(login, 'fr', [['inflection', 'signaler des activités suspectes', 'rYUjPYvyj9']]),
  ...judged(guide, 'pt', [['inflection', 'códigos de conduta', 'sfnPlsiRZb']]),
  ...judged(guide, 'nl', [['inflection', 'juridisch', 'CLaCmAIVwg']]),
  ...judged(guide, 'pl', [['inflection', 'metryka projektu', 'xBA8BmNmp1']]),
  ...judged(guide, 'hu', [['inflection', 'magatartási kódexek', 'sfnPlsiRZb']]),
  ...judged(guide, 'ro', [['inflection', 'codurile de conduită', 'sfnPlsiRZb']]),
  ...judged(guide, 'el', [['inflection', 'κώδικες δεοντολογίας', 'sfnPlsiRZb']]),
  ...judged(arduino, 'en', [
    ['inflection', 'burning bootloaders on the giga', 'f9QIQudh0H'],
    ['inflection', 'placing orders', 'ZNhI9pZn3z'],
  ]),
  ...judged(login, 'en', [
    ['words', 'backup codes', 'i0UIHqJDqP'],
    ['words', 'delete account', 'YrgU3nYTmH'],
    ['words', 'post office', 'lweWGCajAy'],
    ['words', 'report phishing', 'rYUjPYvyj9'],
    ['inflection', 'deleting accounts', 'YrgU3nYTmH'],
    ['inflection', 'changing passwords', 'cNsM2IiMVL'],
    ['inflection', 'duplicated accounts', 'AIsTSy8MI6'],
    ['inflection', 'locking of accounts', 'MZecS51jwJ'],
    ['inflection', 'verifying addresses', '1qwYGTb71V'],
    ['typo', 'securty key', 'cFcQcSwoQu'],
    ['typo', 'delet acount', 'YrgU3nYTmH'],
    ['typo', 'take a slefie', 'cEtgec0Gji'],
    ['typo', 'suspicous activity', 'rYUjPYvyj9'],
    ['typo', 'duplciate accounts', 'AIsTSy8MI6'],
    ['question', 'why can I not get into my account, it says it is locked', 'MZecS51jwJ'],
    ['question', 'what kinds of ID do you accept', 'LTs5mz2PVn'],
    ['question', 'how can I tell if a text message is really from you', 'ZfVmjZwMaY'],
    ['question', 'can I use a phone number from another country', 'Dh9Zi2332a'],
    ['question', 'where do I change my phone number', 'qdwILiaVGJ'],
  ]),
  ...judged(login, 'es', [
    ['words', 'códigos de recuperación', 'i0UIHqJDqP'],
    ['words', 'clave de seguridad', 'cFcQcSwoQu'],
    ['inflection', 'eliminando cuentas', 'YrgU3nYTmH'],
    ['inflection', 'cambiando contraseñas', 'cNsM2IiMVL'],
    ['inflection', 'verificando direcciones por correo', '1qwYGTb71V'],
    ['typo', 'contrasena olvdada cambiar', 'cNsM2IiMVL'],
    ['typo', 'cuenta bloqeada', 'MZecS51jwJ'],
    ['typo', 'estfas comunes', '4IHhKWlr6I'],
    ['question', '¿cómo puedo borrar o eliminar mi cuenta?', 'YrgU3nYTmH'],
    ['question', '¿qué identificaciones se aceptan?', 'LTs5mz2PVn'],
    ['question', '¿por qué mi cuenta está desactivada?', 'ubBX3kSGsO'],
  ]),
  ...judged(login, 'fr', [
    ['words', 'clé de sécurité', 'cFcQcSwoQu'],
    ['words', 'bureau de poste', 'lweWGCajAy'],
    ['inflection', 'supprimer des comptes', 'YrgU3nYTmH'],
    ['inflection', 'comptes verrouillés', 'MZecS51jwJ'],
    ['inflection', 'comptes désactivés', 'ubBX3kSGsO'],
    ['typo', 'suprimer compte', 'YrgU3nYTmH'],
    ['typo', 'arnaqes courantes', '4IHhKWlr6I'],
    ['typo', 'prendre un sefie', 'cEtgec0Gji'],
    ['question', 'comment faire pour changer le mot de passe ?', 'cNsM2IiMVL'],
    ['question', 'quelles pièces d’identité sont acceptées ?', 'LTs5mz2PVn'],
  ]),
  ...judged(login, 'zh', [
    ['cjk', '备用代码', 'i0UIHqJDqP'],
    ['cjk', '删除账户', 'YrgU3nYTmH'],
    ['cjk', '更改密码', 'cNsM2IiMVL'],
    ['cjk', '帐户被锁', 'MZecS51jwJ'],
    ['cjk', '骗局', '4IHhKWlr6I'],
    ['cjk', '自拍', 'cEtgec0Gji'],
    ['cjk', '怎么举报可疑活动', 'rYUjPYvyj9'],
    ['cjk', '哪些身份证件可接受', 'LTs5mz2PVn'],
    ['cjk', '重复帐户', 'AIsTSy8MI6'],
    ['cjk', '邮局', 'lweWGCajAy'],
  ]),
  ...judged(guide, 'ja', [
    ['cjk', '行動規範', 'sfnPlsiRZb'],
    ['cjk', 'メトリクス', 'xBA8BmNmp1'],
    ['cjk', 'リーダーシップ', 'BUEuupH7Sv'],
    ['cjk', 'ライセンスの法的側面', 'CLaCmAIVwg'],
    ['cjk', '燃え尽きを防ぐバランス', '8yjcdleh6u'],
    ['cjk', 'お金を得る方法', 'nUNfeZlHYa'],
  ]),
  ...judged(guide, 'ko', [
    ['cjk', '행동강령', 'sfnPlsiRZb'],
    ['cjk', '측정항목', 'xBA8BmNmp1'],
    ['cjk', '법적 측면', 'CLaCmAIVwg'],
    ['cjk', '보안 모범 사례', 'PlAoDx4joy'],
    ['cjk', '리더십', 'BUEuupH7Sv'],
  ]),
  ...judged(guide, 'en', [
    ['inflection', 'contributed to projects', 'VXe9644njr'],
    ['inflection', 'governing leaders', 'BUEuupH7Sv'],
    ['typo', 'code of condcut', 'sfnPlsiRZb'],
    ['typo', 'leadershp', 'BUEuupH7Sv'],
    ['question', 'how do I earn money with my open source work', 'nUNfeZlHYa'],
  ]),
  ...judged(guide, 'de', [
    ['words', 'Verhaltenskodex', 'sfnPlsiRZb'],
    ['words', 'Metriken', 'xBA8BmNmp1'],
    ['words', 'Führung', 'BUEuupH7Sv'],
    ['inflection', 'rechtlicher Aspekt', 'CLaCmAIVwg'],
    ['inflection', 'bezahlte Arbeiten', 'nUNfeZlHYa'],
    ['inflection', 'Projekte gestartet', '5bFYuXEq3R'],
    ['typo', 'Verhaltenskodx', 'sfnPlsiRZb'],
    ['typo', 'Metrkien', 'xBA8BmNmp1'],
    ['question', 'Wie kann ich für Open Source bezahlt werden?', 'nUNfeZlHYa'],
  ]),
  ...judged(guide, 'ru', [
    ['words', 'кодекс поведения', 'sfnPlsiRZb'],
    ['words', 'метрики', 'xBA8BmNmp1'],
    ['inflection', 'метрика проекта', 'xBA8BmNmp1'],
    ['inflection', 'юридический аспект', 'CLaCmAIVwg'],
    ['inflection', 'лучшая практика безопасности', 'PlAoDx4joy'],
    ['typo', 'кодекс поведеня', 'sfnPlsiRZb'],
    ['typo', 'лидерсвто', 'BUEuupH7Sv'],
    ['question', 'как получать деньги за открытый код?', 'nUNfeZlHYa'],
  ]),
  ...judged(guide, 'it', [
    ['words', 'codice di condotta', 'sfnPlsiRZb'],
    ['inflection', 'metrica', 'xBA8BmNmp1'],
    ['inflection', 'lati legali', 'CLaCmAIVwg'],
    ['typo', 'codice di condota', 'sfnPlsiRZb'],
    ['question', 'come posso contribuire a un progetto open source?', 'VXe9644njr'],
  ]),
  ...judged(guide, 'tr', [
    ['words', 'davranış kuralları', 'sfnPlsiRZb'],
    ['inflection', 'ölçüm', 'xBA8BmNmp1'],
    ['typo', 'liderlk', 'BUEuupH7Sv'],
  ]),
  ...judged(guide, 'ar', [
    ['words', 'الجانب القانوني', 'CLaCmAIVwg'],
    ['words', 'القيادة والحوكمة', 'BUEuupH7Sv'],
    ['words', 'مقاييس المشاريع', 'xBA8BmNmp1'],
    ['inflection', 'قيادة', 'BUEuupH7Sv'],
    ['question', 'كيف تساهم في مشروع؟', 'VXe9644njr'],
  ]),
  ...judged(arduino, 'en', [
    ['words', 'chromebook', 'hIeLMZJCYX'],
    ['words', 'FTDI drivers', 'C80ENkQAYj'],
    ['words', 'two-factor verification', 'eWzeMGw2O9'],
    ['words', 'counterfeit', 'dM2Ti6bFV8'],
    ['words', 'tax exempt', 'e54T5cdhjU'],
    ['inflection', 'uninstalling the IDE', 'TPB6DNbAS5'],
    ['inflection', 'returning items', 'DbnLxcAMr0'],
    ['inflection', 'adding library to the IDE', 'In2nb2JleN'],
    ['inflection', 'resetting boards', 'GEE8R1xZtd'],
    ['inflection', 'antenna LoRaWAN devices', '8Lz5POKmDn'],
    ['inflection', 'shipping method', 'm0auN5elP7'],
    ['inflection', 'refunds for exams', 'NbO8D6PrVx'],
    ['typo', 'cromebook', 'hIeLMZJCYX'],
    ['typo', 'counterfiet board', 'dM2Ti6bFV8'],
    ['typo', 'bluetoth broadcast name', 'cmAWTP06XQ'],
    ['typo', 'verbose ouput', '4YD59coA0J'],
    ['typo', 'compilaton error fqbn', 'UT7r3Fmc6T'],
    ['typo', 'uninstal cloud agent', 'TIurlr88Qd'],
    ['typo', 'curency of the store', 'AqFZB5O3WE'],
    ['question', 'why is my board not found on Linux, permission denied on port', '8dI9AAnH2W'],
    ['question', 'how do I change the language of the IDE', 'sMTLxDT9wg'],
    ['question', 'what is the difference between UNO R3 and the SMD version', 'FrSRwBZqqQ'],
    ['question', 'does the price include tax', 'OBji4rwRbm'],
    ['question', 'can children have an account', 'av5vi3bceB'],
    ['question', 'how can I connect to the company wifi with a linux board', 'E49S3wZojN'],
  ]),
];
