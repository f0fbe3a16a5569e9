import { beforeAll, describe, expect, test } from 'vitest';
import { translatedArticle, translatedCategory } from '../../source/support/records.ts';
import { pageRecords, publishSite } from '../../support/publish-site.ts';
import type { SiteFiles } from '../../support/static-server.ts';
import { sampleRecords } from '../support/sample.ts';
import { openSearch, type SearchAnswer, type SiteSearcher, titles } from '../support/search-site.ts';

type Page = readonly [title: string, body: string];

/** Publishes a site in one language, and opens its search. */
async function searchIn(language: string, pages: Readonly<Record<string, Page>>): Promise<SiteSearcher> {
  const { files } = await publishSite(pageRecords(language, pages), { defaultLanguage: language });
  return openSearch(files, language);
}

/** Publishes one site whose languages have different articles, and opens the search of each. */
async function searchEach(
  pages: Readonly<Record<string, readonly Page[]>>,
): Promise<(language: string) => Promise<SiteSearcher>> {
  const written = Object.entries(pages).flatMap(([language, own]) =>
    own.map((page) => ({ [language]: page })),
  );
  const articles = written.map((texts, at) => translatedArticle(`a${String(at).padStart(9, '0')}`, texts));
  const [defaultLanguage] = Object.keys(pages);
  const { files } = await publishSite({ articles }, { defaultLanguage });
  return (language) => openSearch(files, language);
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

  test('forgives a typing error: a letter too few, too many or wrong, or two letters swapped', async () => {
    for (const query of ['pasword', 'passsword', 'passwird', 'paswsord', 'opne']) {
      expect(await titles(english, query), query).toContain('Reset your password');
    }
  });

  test('puts similar words behind the word itself, and finds them for a word that does not occur', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Lost phone', '<p>What to do.</p>'],
      aaaaaaaaa2: ['Most wanted', '<p>Other things.</p>'],
    });
    expect(await titles(searcher, 'lost')).toEqual(['Lost phone', 'Most wanted']);
    expect(await titles(searcher, 'lqst')).toContain('Lost phone');
  });

  test('looks for the topic of a question in Vietnamese', async () => {
    const searcher = await searchIn('vi', {
      aaaaaaaaa1: ['Mật khẩu', '<p>Mở trang cài đặt.</p>'],
      aaaaaaaaa2: ['Tôi có thể làm thế nào?', '<p>Tôi có thể làm thế nào để được như thế?</p>'],
      aaaaaaaaa3: ['Hóa đơn', '<p>Bạn có thể tải về.</p>'],
    });
    expect((await titles(searcher, 'Tôi có thể làm thế nào để đổi mật khẩu?'))[0]).toBe('Mật khẩu');
  });

  test('tells Vietnamese words apart by their marks and their second syllable, also typed without marks', async () => {
    const searcher = await searchIn('vi', {
      aaaaaaaaa1: ['Liên hệ', '<p>Bạn được mời, được giúp, được trả lời. Thầy thuốc viết.</p>'],
      aaaaaaaaa2: ['Nhà thuốc', '<p>Hỏi dược sĩ về đơn của bạn.</p>'],
      aaaaaaaaa3: ['Phí', '<p>Thầy giáo và sinh viên trả ít hơn.</p>'],
    });
    for (const query of ['dược', 'dược sĩ', 'duoc si', 'được si'])
      expect((await titles(searcher, query))[0], query).toBe('Nhà thuốc');
    for (const query of ['sinh viên', 'sinh vien', 'sinh vi', 'sinh v'])
      expect((await titles(searcher, query))[0], query).toBe('Phí');
  });

  test('finds Thai words while their vowels and tones are typed', async () => {
    const searcher = await searchIn('th', {
      aaaaaaaaa1: ['เปลี่ยนรหัสผ่าน', '<p>เปิดหน้าบัญชี</p>'],
      aaaaaaaaa2: ['ลบชื่อผู้ใช้', '<p>เปิดหน้าตั้งค่า</p>'],
    });
    for (const query of ['ช', 'ชื', 'ชื่', 'ลบช', 'ลบชื', 'ลบชื่', 'ลบชื่อ', 'ลบชื่อผ', 'ชื่อผู้ใช'])
      expect((await titles(searcher, query))[0], query).toBe('ลบชื่อผู้ใช้');
  });

  test('finds the right word even if some article has the same typing error', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Reset your password', '<p>Open the settings.</p>'],
      aaaaaaaaa2: ['Old notes', '<p>Somebody wrote pasword here once.</p>'],
    });
    expect(await titles(searcher, 'pasword')).toEqual(
      expect.arrayContaining(['Reset your password', 'Old notes']),
    );
  });

  describe('of other forms of a word', () => {
    let formsIn: (language: string) => Promise<SiteSearcher>;

    beforeAll(async () => {
      formsIn = await searchEach({
        en: [
          ['Other', '<p>Text</p>'],
          ['Transfer a license', '<p>Text</p>'],
        ],
        de: [
          ['Anderes', '<p>Text</p>'],
          ['Ein Gerät verbindet sich', '<p>Text</p>'],
        ],
        ru: [
          ['Другое', '<p>Текст</p>'],
          ['Перенос лицензии', '<p>Текст</p>'],
        ],
        fr: [
          ['Autre', '<p>Texte</p>'],
          ['La suppression', '<p>Texte</p>'],
        ],
        pl: [
          ['Model', '<p>Metro</p>'],
          ['Metryki', '<p>Text</p>'],
          ['Projekt', '<p>Text</p>'],
        ],
        uk: [
          ['Model', '<p>Metro</p>'],
          ['Налаштування', '<p>Text</p>'],
        ],
      });
    });

    test.each([
      // Too far from each other to be found as misspelt.
      ['en', 'transferring', 'Transfer a license'],
      ['en', 'transferring licenses', 'Transfer a license'],
      ['de', 'geräte verbinden', 'Ein Gerät verbindet sich'],
      ['ru', 'переносы лицензий', 'Перенос лицензии'],
      ['fr', 'suppressions', 'La suppression'],
      // Languages without a stemmer.
      ['pl', 'metryka', 'Metryki'],
      ['pl', 'projektami', 'Projekt'],
      ['uk', 'налаштувань', 'Налаштування'],
    ])('finds them in %s: %s', async (language, query, title) => {
      expect(await titles(await formsIn(language), query)).toEqual([title]);
    });
  });

  test('puts the shorter of two titles with the words first, and other forms of a word are no rarer than it', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Issues and questions about all your backup codes', '<p>Text</p>'],
      aaaaaaaaa2: ['Backup codes', '<p>Text</p>'],
      aaaaaaaaa3: [
        'Change an address',
        '<p>Changes of a password are changed by changing it: changeable.</p>',
      ],
      aaaaaaaaa4: ['Change a password', '<p>Text</p>'],
    });
    expect((await titles(searcher, 'backup codes'))[0]).toBe('Backup codes');
    expect((await titles(searcher, 'changing passwords'))[0]).toBe('Change a password');
  });

  test('puts the article whose title is the query first, however often others say it', async () => {
    const often = '<p>Create an account. To create an account for a minor, create an account.</p>';
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Create an account for a minor', often],
      aaaaaaaaa2: ['Create an account', '<p>Open the page, and follow the steps.</p>'],
      aaaaaaaaa3: ['How to create an account', often],
    });
    for (const query of ['create an account', 'Create an account', '"create an account"'])
      expect((await titles(searcher, query))[0], query).toBe('Create an account');
  });

  test('puts the article first whose title is the only word of the query', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['R&D', '<p>The R&D team is for R&D.</p><h2>R&D</h2><p>R</p>'],
      aaaaaaaaa2: [
        'R',
        '<p>The language R. It has many packages, and some of them are about plots and tables.</p>',
      ],
      aaaaaaaaa3: ['Release dates', '<p>R and S.</p>'],
    });
    for (const query of ['R', 'r']) expect((await titles(searcher, query))[0], query).toBe('R');
    const firsts: [string | undefined, boolean | undefined][] = [];
    await searcher.search('R', 10, undefined, ({ results: [first], mayChange }) =>
      firsts.push([first?.title, mayChange]),
    );
    expect(firsts).toEqual([['R&D', true]]);
  });

  test('counts a word of the title for the words of every section', async () => {
    const section = '<h2 id="use">Use in a project</h2><p>Projects use it.</p>';
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Money', `${section}<p>There are metrics too.</p>`],
      aaaaaaaaa2: ['Metrics', `<p>Text</p>${section}`],
    });
    expect((await titles(searcher, 'metrics project'))[0]).toBe('Metrics');
  });

  test('ignores common stop words, and keeps rare ones as a hint', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `aaaaaaaaa${String.fromCharCode(97 + at)}`,
        [`Topic ${at}`, '<p>How do I do this? You do that.</p>'] as const,
      ]),
    );
    const searcher = await searchIn('en', {
      ...pages,
      bbbbbbbbb1: ['Turn notifications on', '<p>Text.</p>'],
      bbbbbbbbb2: ['Turn notifications off', '<p>Text.</p>'],
      bbbbbbbbb3: ['About', '<p>About.</p>'],
    });
    expect(await titles(searcher, 'about notifications')).toEqual([
      'Turn notifications on',
      'Turn notifications off',
    ]);
    expect(await titles(searcher, 'how do I turn off notifications')).toEqual([
      'Turn notifications off',
      'Turn notifications on',
    ]);
    expect(await titles(searcher, 'how do I turn notifications on')).toEqual([
      'Turn notifications on',
      'Turn notifications off',
    ]);
    const [first] = (await searcher.search('turn off notifications')).results;
    expect(first?.terms).toEqual(expect.arrayContaining(['turn', 'notifications']));
    expect(first?.terms).not.toContain('off');
    expect((await searcher.search('how do I')).total).toBe(20);
  });

  test('lets no stop word win over the only other word, nor stand for one that no text has', async () => {
    const words = {
      en: ['how', 'printer', 'off', 'kettle'],
      de: ['wie', 'Drucker', 'nicht', 'Kessel'],
      fr: ['pas', 'imprimante', 'avec', 'bouilloire'],
      es: ['como', 'impresora', 'sin', 'tetera'],
      pt: ['não', 'impressora', 'sem', 'chaleira'],
      nl: ['hoe', 'printer', 'niet', 'ketel'],
      sv: ['hur', 'skrivare', 'inte', 'kastrull'],
      ru: ['как', 'принтер', 'без', 'чайник'],
      tr: ['nasıl', 'yazıcı', 'için', 'çaydanlık'],
      ar: ['كيف', 'طابعة', 'على', 'غلاية'],
      vi: ['như', 'loa', 'không', 'bếp'],
    } as const;
    const long = Array.from({ length: 60 }, (_, at) => `<h2 id="n${at}">${at}</h2><p>${at}</p>`).join('');
    const open = await searchEach(
      Object.fromEntries(
        Object.entries(words).map(([language, [first, word, second]]) => [
          language,
          [
            ['0', long],
            [`${first} ${second}`, `<p>${first} ${second} ${first} ${second}.</p>`],
            [`${first} 1`, `<p>${second} ${first}.</p>`],
            ['2', `<p>${'1 2 3 4 5 6 7 8 9 10. '.repeat(40)} ${word}.</p>`],
          ],
        ]),
      ),
    );
    for (const [language, [first, word, second, unknown]] of Object.entries(words)) {
      const searcher = await open(language);
      for (const query of [`${first} ${word}`, `${word} ${second}`, `${first} ${word} ${second}`])
        expect(await titles(searcher, query), `${language}: ${query}`).toEqual(['2']);
      expect(await titles(searcher, `${first} ${unknown} ${second}`), language).toEqual([]);
      expect((await titles(searcher, `${first} ${second}`))[0], language).toBe(`${first} ${second}`);
    }
  });

  test('puts a word itself before its other forms in the same field', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Anything', '<p>This one connected.</p>'],
      aaaaaaaaa2: ['Something', '<p>This is about connecting.</p>'],
    });
    expect(await titles(searcher, 'connecting')).toEqual(['Something', 'Anything']);
  });

  test('ignores similar words if many articles have the word itself', async () => {
    const many = Array.from(
      { length: 8 },
      (_, at) => [`aaaaaaaaa${at}`, [`Lost item ${at}`, '<p>Text</p>']] as const,
    );
    const searcher = await searchIn('en', {
      ...Object.fromEntries(many),
      bbbbbbbbb1: ['Most wanted', '<p>Text</p>'],
    });
    expect((await searcher.search('lost')).total).toBe(8);
    expect(await titles(searcher, 'lost wanted')).toContain('Most wanted');
  });

  test('suggests the nearest word if nothing is found', async () => {
    expect((await english.search('paswrod')).suggestion).toBe('password');
    expect((await english.search('password')).suggestion).toBeNull();
    expect((await english.search('zzzzzzzz')).suggestion).toBeNull();
  });

  test('finds two adjacent words that an article writes as one', async () => {
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Checksums of downloads', '<p>Compare them.</p>'],
      aaaaaaaaa2: ['Check your order', '<p>The sum is on the receipt.</p>'],
    });
    expect((await titles(searcher, 'check sum download'))[0]).toBe('Checksums of downloads');
    expect(await titles(searcher, 'check sum')).toContain('Checksums of downloads');
  });

  describe('of words of help centres', () => {
    let helpIn: (language: string) => Promise<SiteSearcher>;

    beforeAll(async () => {
      helpIn = await searchEach({
        en: [
          ['Delete an account', '<p>…</p>'],
          ['Refunds', '<p>…</p>'],
          ['Login problems', '<p>…</p>'],
          ['Xyz', '<p>Abc def.</p>'],
        ],
        de: [
          ['Konto schließen', '<p>…</p>'],
          ['Xyz', '<p>Abc def.</p>'],
        ],
        fr: [
          ['Supprimer votre compte', '<p>…</p>'],
          ['Xyz', '<p>Abc def.</p>'],
        ],
        ja: [
          ['ログインできない場合', '<p>…</p>'],
          ['Xyz', '<p>Abc def.</p>'],
        ],
        ru: [
          ['Удалить аккаунт', '<p>…</p>'],
          ['Xyz', '<p>Abc def.</p>'],
        ],
      });
    });

    test.each([
      ['en', 'close my account', 'Delete an account'],
      ['en', 'get my money back', 'Refunds'],
      ['en', 'sign in', 'Login problems'],
      ['de', 'Konto kündigen', 'Konto schließen'],
      ['fr', 'effacer un compte', 'Supprimer votre compte'],
      ['ja', 'サインイン', 'ログインできない場合'],
      ['ru', 'стереть аккаунт', 'Удалить аккаунт'],
    ])('knows others with the same meaning in %s: %s', async (language, query, title) => {
      expect(await titles(await helpIn(language), query)).toEqual([title]);
    });
  });

  test('takes synonyms for each other, words and phrases, behind the word itself', async () => {
    const pages = {
      aaaaaaaaa1: ['Sign in with a code', '<p>Text.</p>'],
      aaaaaaaaa2: ['Your login', '<p>Text.</p>'],
      aaaaaaaaa3: ['A sign on the door', '<p>It hangs there.</p>'],
    } as const;
    const { files } = await publishSite(pageRecords('en', pages), {
      site: { synonyms: [['login', 'sign in', 'log in']] },
    });
    const searcher = await openSearch(files, 'en');
    expect(await titles(searcher, 'login')).toEqual(['Your login', 'Sign in with a code']);
    expect(await titles(searcher, 'sign in')).toEqual(['Sign in with a code', 'Your login']);
    expect((await titles(searcher, 'log in')).toSorted()).toEqual(['Sign in with a code', 'Your login']);
  });

  test('counts results by top category, and can show those of one only', async () => {
    const lockers = [
      ['one', 'ccccccccc1'],
      ['two', 'ccccccccc2'],
      ['three', 'ccccccccc3'],
      ['four', null],
    ] as const;
    const { files } = await publishSite({
      articles: lockers.map(([name, category_id], at) => {
        const body = name === 'four' ? '<p>Door</p>' : '<p>x</p>';
        return translatedArticle(`aaaaaaaaa${at}`, { en: [`Locker ${name}`, body] }, { category_id });
      }),
      categories: [
        translatedCategory('ccccccccc1', { en: 'Home' }),
        translatedCategory('ccccccccc2', { en: 'Office' }),
        translatedCategory('ccccccccc3', { en: 'Rooms' }, { parent_category_id: 'ccccccccc2' }),
      ],
    });
    const { search } = await openSearch(files, 'en');
    const found = async (query: string, wanted?: string) => {
      const { total, results, categories, category } = await search(query, 10, wanted);
      return [total, results.map(({ title }) => title), categories, category];
    };
    const counts = [
      { title: 'Office', count: 2 },
      { title: 'Home', count: 1 },
    ];
    const all = ['Locker one', 'Locker two', 'Locker three', 'Locker four'];
    expect(await found('locker')).toEqual([4, expect.arrayContaining(all), counts, null]);
    const office = expect.arrayContaining(['Locker two', 'Locker three']);
    expect(await found('locker', 'Office')).toEqual([2, office, counts, 'Office']);
    expect(await found('locker', 'Elsewhere')).toEqual([4, expect.arrayContaining(all), counts, null]);
    expect(await found('door', 'Office')).toEqual([1, ['Locker four'], [], null]);
  });

  test('shows the whole path of the category', async () => {
    const { files } = await publishSite(sampleRecords);
    const { results } = await (await openSearch(files, 'en')).search('refunds');
    expect(results[0]?.category).toBe('Your account › Billing');
  });

  test('does not mind accents and capitals, on either side', async () => {
    expect(await titles(english, 'CAFE facade')).toEqual(['Café opening hours']);
    expect((await titles(english, 'pässword'))[0]).toBe('Reset your password');
  });

  test('leads to the section that contains the words', async () => {
    const { results } = await english.search('scroll');
    expect(results[0]?.sections).toEqual([{ id: expect.any(String), heading: 'On a phone' }]);
  });

  test('shows the line that has the words, else the first one of what was found', async () => {
    const excerpts = async (query: string) =>
      (await english.search(query)).results.map(({ excerpt }) => excerpt);
    expect(await excerpts('scroll')).toEqual(['Scroll down.']);
    expect(await excerpts('naive')).toEqual(['We open at nine. Our naïve façade is blue.']);
    expect(await excerpts('phone')).toEqual(['Scroll down.']);
    expect((await excerpts('password'))[0]).toBe('Open the settings.');
    const list = await searchIn('en', {
      aaaaaaaaa1: ['List', '<ul><li>One</li><li>Two <b>apples</b></li></ul>'],
    });
    expect((await list.search('apples')).results[0]?.excerpt).toBe('Two apples');
  });

  test('looks for a word that does not occur in all files of words that begin like it', async () => {
    const words = Array.from({ length: 3500 }, (_none, at) => `pa${(at * 7919).toString(36)}x`).join(' ');
    const searcher = await searchIn('en', {
      aaaaaaaaa1: ['Words', `<p>${words}</p>`],
      aaaaaaaaa2: ['Package', '<p>pa</p>'],
    });
    expect(await titles(searcher, 'paqkage')).toEqual(['Package']);
  });

  describe('of many words', () => {
    const letters = [...'bcdfgh'];
    const query = letters.map((letter) => `${letter}word`).join(' ');
    let files: SiteFiles;

    beforeAll(async () => {
      const rare = (letter: string) =>
        Array.from({ length: 1500 }, (_none, at) => `${letter}${(at * 7919).toString(36)}x`).join(' ');
      const pages = letters.map(
        (letter, at) =>
          [`aaaaaaaaa${at}`, [`Topic ${letter}`, `<p>${letter}word ${rare(letter)}</p>`]] as const,
      );
      const topics = letters.map((letter) => `Room ${letter}`);
      ({ files } = await publishSite(pageRecords('en', Object.fromEntries(pages), topics)));
    });

    test('has an early answer for some of them, and a complete one after their files are loaded', async () => {
      const { search, loaded } = await openSearch(files, 'en');
      const firsts: [boolean | undefined, number][] = [];
      const note = ({ isPartial, total }: SearchAnswer) => firsts.push([isPartial, total]);
      await search(query, 10, undefined, note);
      const count = loaded().length;
      expect((await search(query, 10, undefined, note)).total).toBe(6);
      expect(firsts).toEqual([
        [true, expect.any(Number)],
        [false, 6],
      ]);
      expect(firsts[0]?.[1]).toBeLessThan(6);
      expect(loaded()).toHaveLength(count);
    });

    test('has no first answer with articles of other categories than the chosen one', async () => {
      for (const letter of letters) {
        const { search } = await openSearch(files, 'en');
        const shown: unknown[] = [];
        await search(query, 10, `Room ${letter}`, ({ category, results }) => {
          shown.push([category, results.map(({ title }) => title)]);
        });
        expect(shown).toEqual([[`Room ${letter}`, [`Topic ${letter}`]]]);
      }
    });

    test('finds a word whose other forms have many files', async () => {
      const path = 'en/search/index.json';
      const index = JSON.parse(files.get(path)?.toString() ?? '');
      const forms = ['bwords', 'bworded', 'bwording', 'bword’s', 'bwordings'];
      const ignoredFiles = forms.map((form, at) => [`/assets/search/en/form-${at}.json`, [form]]);
      const empty = ignoredFiles.map(([url]) => [String(url).slice(1), '[]'] as const);
      const changed = new Map([...files, ...empty, [path, JSON.stringify({ ...index, ignoredFiles })]]);
      const searcher = await openSearch(changed as SiteFiles, 'en');
      expect(await titles(searcher, 'bword')).toEqual(['Topic b']);
      const firsts: SearchAnswer[] = [];
      const again = await openSearch(changed as SiteFiles, 'en');
      await again.search('bword', 10, undefined, (answer) => firsts.push(answer));
      expect(firsts.map(({ results }) => results[0]?.title)).toEqual(['Topic b']);
    });
  });

  test('requires every word if some article has them all', async () => {
    expect(await titles(english, 'change password')).toEqual(['Change your email']);
  });

  test('puts the article with the exact phrase first, and shows no other one for a phrase in quotation marks', async () => {
    const search = await searchIn('en', {
      aaaaaaaaa1: ['Locker and wall', '<p>A wall of lockers. Every wall has one locker open wall.</p>'],
      aaaaaaaaa2: [
        'Doors',
        '<p>Somebody must open the locker wall first, and then tell the others about it.</p>',
      ],
      aaaaaaaaa3: ['Walls', '<p>A locker is in a wall.</p>'],
    });
    const titles = async (query: string) => (await search.search(query)).results.map(({ title }) => title);
    expect((await titles('the locker wall'))[0]).toBe('Doors');
    expect((await titles('locker wall')).length).toBeGreaterThan(1);
    expect(await titles('"locker wall first"')).toEqual(['Doors']);
    expect(await search.search('“wall locker first”')).toMatchObject({ total: 0, results: [] });
  });

  test.each([
    'Cannot open device "COM7": access denied',
    '15" screen and 17" screen',
    'device “of nobody” denied',
  ])('finds a pasted text although no article has what is in its quotation marks: %s', async (query) => {
    const search = await searchIn('en', {
      aaaaaaaaa1: ['Screens', '<p>Choose a screen.</p>'],
      aaaaaaaaa2: ['Access denied', '<p>If you cannot open a device, see whether its screen is on.</p>'],
    });
    expect(await titles(search, query)).not.toEqual([]);
    expect((await search.search(query)).total).toBeGreaterThan(0);
    expect(await titles(search, '"open a screen"')).toEqual([]);
    expect(await titles(search, 'see "open a device"')).toEqual(['Access denied']);
  });

  test.each([
    ['de', 'Die Straße sperren', 'die strasse'],
    ['ar', 'تغيير كلمة المرور', 'كلمه المرور'],
    ['ja', 'パスワードの変更', 'ﾊﾟｽﾜｰﾄﾞの変更'],
    ['ja', 'パスワードの変更', 'ぱすわーどの変更'],
    ['en', 'Programs in C++', 'in C++'],
    ['en', 'Start Acme™ Cloud™', 'Acme Cloud'],
  ])(
    'finds a phrase in quotation marks however its letters are typed, in %s: %s',
    async (language, title, typed) => {
      const search = await searchIn(language, {
        aaaaaaaaa1: [title, '<p>Text</p>'],
        aaaaaaaaa2: ['C', '<p>Programs in C. Cloud of Acme.</p>'],
      });
      expect(await titles(search, `"${typed}"`)).toEqual([title]);
    },
  );

  test('puts a title with the words in their order before a text that has them side by side', async () => {
    const search = await searchIn('en', {
      aaaaaaaaa1: ['How it works', '<p>Managers add residents, watch the wall and clear faults.</p>'],
      aaaaaaaaa2: ['Add and remove residents', '<p>People move in and out.</p>'],
      aaaaaaaaa3: ['Residents add up', '<p>A sum.</p>'],
    });
    const titles = async (query: string) => (await search.search(query)).results.map(({ title }) => title);
    expect((await titles('add residents')).slice(0, 2)).toEqual(['Add and remove residents', 'How it works']);
    expect(await titles('"add residents"')).toEqual(['How it works']);
  });

  test('finds the exact phrase far below the articles that have the words more often, with few files', async () => {
    const text = 'The locker of your wall. '.repeat(60);
    const others = Array.from({ length: 60 }, (_, at) => [
      `a${String(at).padStart(9, '0')}`,
      [`Wall and locker ${at}`, `<p>${text} ${'Walls have lockers and doors. '.repeat(150)}</p>`] as const,
    ]);
    const searcher = await searchIn('en', {
      ...Object.fromEntries(others),
      bbbbbbbbb1: [
        'Doors',
        `<p>Open the locker wall first. ${'Then tell the others about it. '.repeat(20)}</p>`,
      ],
    });
    const { results, total } = await searcher.search('locker wall');
    expect(results[0]?.title).toBe('Doors');
    expect(total).toBe(61);
    // A file for each article shown, ten for the phrase, and those with the terms.
    expect(searcher.loaded().length).toBeLessThan(25);
    const shown = (await searcher.search('locker wall', 40)).results.map(({ title }) => title);
    expect(shown.slice(0, 10)).toEqual(results.map(({ title }) => title));
    expect(new Set(shown).size).toBe(40);
  });

  test('puts the article first that its author gave the words as tags', async () => {
    const { files } = await publishSite({
      articles: [
        translatedArticle('aaaaaaaaa1', {
          en: ['Refund policy', '<p>A refund takes five days. Ask for a refund.</p>'],
        }),
        translatedArticle(
          'aaaaaaaaa2',
          { en: ['Get your money back', '<p>Send us the order number.</p>'] },
          { tags: ['refund'] },
        ),
        translatedArticle('aaaaaaaaa3', { en: ['Orders', '<p>See what you ordered.</p>'] }),
      ],
    });
    expect(await titles(await openSearch(files, 'en'), 'refund')).toEqual([
      'Get your money back',
      'Refund policy',
    ]);
  });

  test('finds nothing for nothing', async () => {
    expect(await english.search('')).toEqual({ total: 0, results: [], categories: [] });
    expect(await titles(english, '!?')).toEqual([]);
  });
});

describe('a script without spaces, or with signs above letters,', () => {
  let scriptsIn: (language: string) => Promise<SiteSearcher>;

  beforeAll(async () => {
    scriptsIn = await searchEach({
      ja: [['パスワードを再設定する', '<p>設定画面を開きます</p>']],
      'zh-CN': [['重置您的密码', '<p>打开设置页面</p>']],
      th: [['รีเซ็ตรหัสผ่านของคุณ', '<p>เปิดหน้าการตั้งค่า</p>']],
      ko: [['비밀번호를 재설정하기', '<p>설정 화면을 엽니다</p>']],
      ar: [['إعادة تعيين كلمة المرور', '<p>افتح الإعدادات.</p>']],
    });
  });

  test.each([
    ['ja', 'pairs of its characters', ['再設定', 'パスワード', '画面', '設'], ['画設', '駅']],
    ['zh-CN', 'pairs of its characters', ['密码', '设置', '页'], ['码设']],
    ['th', 'pairs of its characters', ['รหัสผ่าน', 'ตั้งค่า'], ['แมว']],
    ['ko', 'pairs of its characters', ['비밀번호', '재설정', '화면'], ['고양이']],
    ['ar', 'words without vowel signs and articles', ['اعاده تعيين', 'مرور', 'كَلِمة', 'إعدادات'], ['قطة']],
  ])('is searched in %s by %s', async (language, _what, hits, misses) => {
    const searcher = await scriptsIn(language);
    for (const query of hits) expect(await titles(searcher, query), query).toHaveLength(1);
    for (const query of misses) expect(await titles(searcher, query), query).toEqual([]);
  });
});
