import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as tokens from '../../templates/assets/tokens.js';
import type { LanguageTag } from './model.ts';

/** Splits texts into words as the search of the site, the service and the MCP server compare them. */
export interface Tokens {
  /** Converts to lower case without accents. */
  readonly fold: (text: string) => string;
  /** Terms of a text, in order, with repetitions. */
  readonly tokenize: (text: string, isQuery?: boolean) => string[];
  /** Whether a term is of a script without spaces: one or two characters. */
  readonly isPair: (term: string) => boolean;
}

/** The tokenizer of the site's search and of the service. It is an asset of the theme, because browsers load the same file. */
export const { fold, tokenize, isPair }: Tokens = tokens;

const require = createRequire(import.meta.url);

/** Languages with a Snowball stemmer and stop words, and their file names in the two packages. */
const files = new Map([
  ['ar', 'ar'],
  ['da', 'dk'],
  ['de', 'de'],
  ['el', 'gr'],
  ['en', 'en'],
  ['es', 'es'],
  ['fi', 'fi'],
  ['fr', 'fr'],
  ['hi', 'in'],
  ['hu', 'hu'],
  ['id', 'id'],
  ['it', 'it'],
  ['lt', 'lt'],
  ['nb', 'no'],
  ['nl', 'nl'],
  ['nn', 'no'],
  ['no', 'no'],
  ['pt', 'pt'],
  ['ro', 'ro'],
  ['ru', 'ru'],
  ['sv', 'se'],
  ['tr', 'tr'],
]);

/** Name of the stemmer of a language; `null` if there is none. */
export function stemmerName(tag: LanguageTag): string | null {
  return files.get(tag.replace(/-.*/, '').toLowerCase()) ?? null;
}

/** Absolute path of the ES module of a stemmer, which exports `stemmer` and imports nothing. */
export function stemmerPath(name: string): string {
  const folder = dirname(require.resolve('@orama/stemmers/english'));
  return join(folder, `${name}.js`);
}

/** Word forms and synonyms of a language; input and output are search terms. */
export interface LanguageWords {
  readonly stem: (term: string) => string;
  /** Words such as "how", "do", "my", which do not describe the topic of a question. */
  readonly stopWords: ReadonlySet<string>;
  /** Stems of words in questions, such as "want" and "tell", which are not the topic of any article. */
  readonly questionWords: ReadonlySet<string>;
  /** Stems with almost the same meaning in a help centre, by stem; excludes the words of the stem itself. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

/** Groups of words that readers and authors of help centres use interchangeably. */
const synonymGroups: Readonly<Record<string, readonly string[]>> = {
  en: [
    'delete remove erase rid uninstall close deactivate',
    'cancel stop end terminate unsubscribe',
    'cell cellphone mobile phone smartphone telephone',
    'call phone ring dial',
    'picture photo image photograph screenshot',
    'licence license',
    'refund reimburse money return',
    'price cost fee charge rate',
    'invoice receipt bill',
    'delivery shipping shipment ship deliver arrive',
    'parcel package packet',
    'buy purchase order',
    'pay payment billing',
    'login signin',
    'log sign',
    'password passphrase passcode',
    'code pin otp',
    'text sms message',
    'letter mail post',
    'forgot forgotten lost lose missing misplace',
    'broken broke damaged defective faulty',
    'error problem issue trouble fail failure wrong',
    'fix repair solve resolve troubleshoot',
    'locked blocked suspended disabled',
    'scam fraud phishing fake suspicious legit genuine',
    'fake counterfeit clone original authentic genuine',
    'change update edit modify switch replace',
    'install setup',
    'download get obtain',
    'get receive',
    'show display appear see visible list',
    'find locate search where detect recognize recognise',
    'connect pair link attach join',
    'limit maximum restriction allowed quota',
    'computer pc laptop desktop machine',
    'mac macos osx apple',
    'wifi wireless wlan network internet',
    'start launch open run boot begin',
    'slow sluggish long',
    'kid child children minor son daughter underage',
    'school teacher student classroom education',
    'firm company business organisation organization',
    'colleague member coworker team user',
    'talk speak contact reach call',
    'help support assistance',
    'allow enable permit activate',
    'disable deactivate off',
    'verify confirm prove check validate',
    'request ask',
    'id identity identification document',
    'fingerprint biometric touch',
    'reset restore recover',
    'transfer move migrate',
    'merge combine duplicate',
    'version release upgrade update',
    'discount coupon voucher promo',
    'guide manual instruction documentation tutorial',
    'country region location',
    'fast quick speed',
    'stolen theft lost',
    'file document',
    'language translation locale',
    'colour color',
  ],
};

/**
 * Irregular forms that a stemmer does not recognise, after their base word. Excludes forms that are often other words, such as "left" and
 * "led", and forms of question words: otherwise "known" in "known issues" would not count.
 */
const irregularForms: Readonly<Record<string, readonly string[]>> = {
  en: [
    'begin began begun',
    'break broke broken',
    'build built',
    'buy bought',
    'catch caught',
    'child children',
    'choose chose chosen choice',
    'come came',
    'draw drew drawn',
    'drive drove driven',
    'fall fell fallen',
    'find found',
    'freeze froze frozen',
    'go went gone',
    'grow grew grown',
    'hear heard',
    'hide hid hidden',
    'hold held',
    'man men',
    'mean meant',
    'meet met',
    'pay paid',
    'person people',
    'run ran',
    'see saw seen',
    'sell sold',
    'send sent',
    'shake shook shaken',
    'show shown',
    'sleep slept',
    'speak spoke spoken',
    'spend spent',
    'stand stood',
    'steal stole stolen',
    'stick stuck',
    'take took taken',
    'teach taught',
    'tear tore torn',
    'think thought',
    'throw threw thrown',
    'understand understood',
    'wake woke woken',
    'wear wore worn',
    'woman women',
    'write wrote written',
  ],
};

/** Articles (grammar) that are missing in the lists of stop words. */
const missingStopWords: Readonly<Record<string, readonly string[]>> = { en: ['a'] };

/** Question words that are not in the lists of stop words. */
const questionWords: Readonly<Record<string, string>> = {
  en: 'get try tell want need keep say said give make know happen',
};

/** For an unknown language, every term is its own stem, and there are no stop words. */
export async function loadLanguageWords(tag: LanguageTag): Promise<LanguageWords> {
  const name = stemmerName(tag);
  if (name === null) {
    return { stem: (term) => term, stopWords: new Set(), questionWords: new Set(), synonyms: new Map() };
  }
  const stemming = (await import(pathToFileURL(stemmerPath(name)).href)) as {
    readonly stemmer: LanguageWords['stem'];
  };
  const folder = dirname(require.resolve('@orama/stopwords/english'));
  const { stopwords } = (await import(pathToFileURL(join(folder, `${name}.js`)).href)) as {
    readonly stopwords: readonly string[];
  };
  const all = [...stopwords, ...(missingStopWords[name] ?? [])];
  const regular = new Map<string, string>();
  for (const group of irregularForms[name] ?? []) {
    const [base = '', ...forms] = tokenize(group);
    for (const form of forms) regular.set(form, base);
  }
  const stem = (term: string) => stemming.stemmer(regular.get(term) ?? term);
  const synonyms = new Map<string, readonly string[]>();
  for (const group of synonymGroups[name] ?? []) {
    const stems = tokenize(group).map(stem);
    for (const own of stems) {
      const others = [...(synonyms.get(own) ?? []), ...stems].filter((other) => other !== own);
      synonyms.set(own, [...new Set(others)]);
    }
  }
  return {
    stem,
    stopWords: new Set(all.flatMap((word) => tokenize(word))),
    questionWords: new Set(tokenize(questionWords[name] ?? '').map(stem)),
    synonyms,
  };
}
