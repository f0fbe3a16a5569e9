import type { LanguageTag } from '../../core/model.ts';

/** Groups of an index: the character at which each group starts. */
interface LetterTable {
  readonly collator: Intl.Collator;
  /** In the collator's order; `null`: titles from this character on have no group. */
  readonly starts: readonly (readonly [character: string, group: string | null])[];
}

/** The first character of each initial in pinyin order. */
const pinyin = [...'阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥仨它穵夕丫帀'];
const pinyinInitials = 'A B C D E F G H J K L M N O P Q R S T W X Y Z'.split(' ');

/**
 * The rows of kana, each with the first kanji whose reading starts with a sound of the row. The kanji of JIS level 1 are sorted by their
 * usual reading, and the collation follows JIS. Those of level 2 start with the last character and are sorted by radicals.
 */
const kanaRows = [...'あかさたなはまやらわ'];
const kanji = [...'亜下些他那把麻也裸和'];
const firstOfLevel2 = '弌';

const tables: Readonly<Record<string, () => LetterTable>> = {
  zh: () => ({
    collator: titleCollator('zh'),
    starts: pinyin.map((first, at) => [first, pinyinInitials[at] as string]),
  }),
  ja: () => ({
    collator: new Intl.Collator('ja', { sensitivity: 'base' }),
    starts: [
      ...kanaRows.map((row) => [row, row] as const),
      ...kanji.map((first, at) => [first, kanaRows[at] as string] as const),
      [firstOfLevel2, null],
    ],
  }),
};

const initialConsonants = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'];
const firstSyllable = 0xac00;
const syllablesPerInitial = 588;

/** Chinese is sorted by pinyin even for tags with another usual order, because the groups follow pinyin. */
function titleCollator(tag: LanguageTag): Intl.Collator {
  const isChinese = new Intl.Locale(tag).language === 'zh';
  return new Intl.Collator(isChinese ? 'zh-u-co-pinyin' : tag, { numeric: true });
}

/** The order of titles in the index of a language: by their filed form, see {@link createIndexLetter}. */
export function titleOrder(tag: LanguageTag): (a: string, b: string) => number {
  const collator = titleCollator(tag);
  const filed = filedTitle(tag);
  return (a, b) => collator.compare(filed(a), filed(b)) || collator.compare(a, b);
}

/**
 * Arabic words that begin with the letters of the article but do not have one: verbal nouns of roots that begin with lām (and prefixes of
 * other words that begin alike), then their verbs as whole words, and some words written without their hamza.
 */
const verbalNouns = 'زام(?!ن)|قاط(?!ع)|ماس(?!ك)|حاق|صاق|هاب|فاف|فات|قاء|باس|جاء|ئام|واء';
const verbs = '(?:زم|قط|مس|حق|صق|هب|فت|قى|جأ|بس|وى)(?!\\p{sc=Arabic})';
const withoutHamza = 'غاء|كترون|ماني';
const arabicArticle = new RegExp(
  `^([\\s\\p{P}\\p{S}]*)ال(?!ت(?:${verbalNouns}|${verbs})|${withoutHamza})(?=\\p{sc=Arabic}{3})`,
  'u',
);

/** A title in the form it is filed under: Arabic titles without the article, as in dictionaries and library catalogues. */
function filedTitle(tag: LanguageTag): (title: string) => string {
  if (new Intl.Locale(tag).language !== 'ar') return (title) => title;
  return (title) => title.replace(arabicArticle, '$1');
}

/** Returns the group of a title; `null` for signs and digits. */
type IndexLetter = (title: string) => string | null;

/**
 * Files titles by their first letter: Latin, Greek and Cyrillic without accents, Arabic without hamza and article, Chinese by the initial
 * in pinyin, Japanese by the row of kana, Korean by the first consonant.
 */
export function createIndexLetter(tag: LanguageTag): IndexLetter {
  const table = tables[new Intl.Locale(tag).language]?.();
  const filed = filedTitle(tag);
  return (title) => {
    const first = /^[\s\p{P}\p{S}]*(\p{L})/u.exec(filed(title))?.[1];
    if (first === undefined) return null;
    if (table !== undefined && /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u.test(first)) {
      const { collator, starts } = table;
      return starts.findLast(([character]) => collator.compare(character, first) <= 0)?.[1] ?? null;
    }
    if (/\p{sc=Hangul}/u.test(first)) {
      const at = Math.floor(
        ((first.normalize('NFC').codePointAt(0) ?? 0) - firstSyllable) / syllablesPerInitial,
      );
      return initialConsonants[at] ?? first;
    }
    const base = first
      .normalize('NFD')
      .replace(/[\u0300-\u036f\u0653-\u0655]/g, '')
      .normalize('NFC');
    return base.toLocaleUpperCase(tag);
  };
}
