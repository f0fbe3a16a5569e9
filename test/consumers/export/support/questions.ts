import { fileURLToPath } from 'node:url';
import { readFolder } from '../../../../src/source/folder/read-folder.ts';
import { type BuiltCorpus, buildCorpus } from '../../../feed/support/build-corpus.ts';

/** Questions in the words of someone who has not read the sample help centre, with the article that answers each. */
export const questions: readonly (readonly [question: string, articleId: string])[] = [
  ['my phone was stolen, how do I lock my codes?', '8jPy5Wn1Fb'],
  ['what are the inside measurements and weight limits of the lockers?', '6hVn2Gs5Jp'],
  ['which API errors should I retry, and what is the rate limit?', '1wKm6Bp3Yd'],
  ['do the locks open during a power cut?', '4bWj7Dy9Km'],
  ['can a neighbour collect a parcel for me with a one-time pass?', '7sLq3Xw9Dy'],
  ['how many days does a parcel wait in storage before the reminders end?', '3xQp7Wd5Kt'],
  ['how do I check the signature of a webhook?', '5zTl2Rf8Js'],
  ['what does a blinking light above a door mean?', '2yWd9Ek3Qx'],
  ['remove residents from the list with a spreadsheet', '6pKx9Sb2Qr'],
  ['how do I delete my account?', '5kRs9Xq3Bv'],
];

/** The feed of the sample help centre. */
export async function buildSampleFeed(): Promise<BuiltCorpus> {
  const { articles, categories } = readFolder(fileURLToPath(new URL('../../../../sample/', import.meta.url)));
  return buildCorpus({
    articles: articles.map(({ record }) => record),
    categories: categories.map(({ record }) => record),
  });
}

/** Ids of the first three different articles, by their best result. */
export function topThree(articleIds: readonly string[]): readonly string[] {
  return [...new Set(articleIds)].slice(0, 3);
}

/** Dimensions of {@link embedWords}. */
export const dimensions = 512;

/** A hashed bag of words, of length 1: the simplest useful embedding. */
export function embedWords(text: string): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}{3,}|\d+/gu) ?? []) {
    if (stopWords.has(word)) continue;
    let code = 7;
    for (const sign of word.replace(/(?:ing|ed|s)$/, ''))
      code = (Math.imul(code, 31) + sign.charCodeAt(0)) | 0;
    const at = Math.abs(code) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  // A word that occurs often counts only logarithmically.
  const damped = vector.map((count) => Math.log2(1 + count));
  const length = Math.hypot(...damped) || 1;
  return damped.map((value) => value / length);
}

/** Words that do not distinguish articles; all text search engines ignore them. */
export const stopWords: ReadonlySet<string> = new Set(
  'the and for you your with that this what which does how can from have has are was not any all them they will its before during should'.split(
    ' ',
  ),
);
