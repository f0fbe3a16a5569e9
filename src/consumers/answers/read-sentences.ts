import { fold } from '../../core/search/language-words.ts';

/** Matches the citations after a sentence, `[1]`, `[1][3]`, `[1, 3]` or `【1】`, and a full stop after them. */
const citations = /((?:\s*[[【［]\p{Nd}{1,2}(?:\s*[,，、،]\s*\p{Nd}{1,2})*[\]】］])+)\s*([.!?。！？؟।]?)/u;

/** What follows a sentence and its citations if they are complete: something that does not belong to them. */
const nextText = /^\s*(?:[^\s[【［.!?。！？؟।]|[[【［][^\p{Nd}\s])/u;

/** A text without citations that becomes longer than this cannot be a sentence. */
const maxCharacters = 2_000;

/** Reads the text of a model piece by piece, and gives the sentences that may be shown. */
interface SentenceReader {
  /** @returns the sentences that are complete with this piece */
  add(piece: string): readonly string[];
  /** @returns the last sentences */
  end(): readonly string[];
}

/**
 * Creates a reader that lets through a sentence only if
 * - it ends with a citation of a passage that the model was given;
 * - every URL, e-mail address, HTML tag and number of two or more digits in it is in a passage that it cites;
 * - at least a third of its longer words occur in these passages, by their beginning. Languages without spaces between words are not checked for this.
 *
 * Text without a citation is dropped.
 * @param passages text of the passages: number 1 is the first
 */
export function createSentenceReader(passages: readonly string[], language: string): SentenceReader {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' });
  let text = '';

  function take(isEnd: boolean): string[] {
    const found: string[] = [];
    text = withoutThought(text);
    if (text.startsWith(thoughtStart)) return found;
    for (;;) {
      const match = citations.exec(text);
      if (match === null) break;
      const rest = text.slice(match.index + match[0].length);
      if (!isEnd && !nextText.test(rest)) break;
      const before = text.slice(0, match.index);
      const numbers = [
        ...new Set((match[1] ?? '').match(/\p{Nd}+/gu)?.map((number) => Number(asciiDigits(number)))),
      ];
      const cited = numbers.filter((number) => number >= 1 && number <= passages.length);
      const sentence = lastSentence(plainText(before) + (match[2] ?? ''), sentences);
      text = rest;
      if (cited.length === 0 || sentence === '') continue;
      const source = cited.map((number) => passages[number - 1] ?? '').join('\n');
      if (isSupported(sentence, source)) found.push(`${sentence} ${cited.map((one) => `[${one}]`).join('')}`);
    }
    // What came before is dropped in any case; the rest may still be a sentence.
    if (text.length > maxCharacters) text = text.slice(-maxCharacters);
    return found;
  }

  return {
    add(piece) {
      text += piece;
      return take(false);
    },
    end: () => take(true),
  };
}

const thoughtStart = '<think>';
const thoughtEnd = '</think>';

/**
 * A text without what a model thinks before it answers: not every server keeps this out of the text, and some keep out only its start. Of a
 * thought without an end, only what is needed to find its end is left.
 */
function withoutThought(text: string): string {
  const isOpen = text.trimStart().startsWith(thoughtStart);
  const end = isOpen ? text.indexOf(thoughtEnd) : text.search(/(?<=\n)<\/think>/);
  if (end !== -1) return text.slice(end + thoughtEnd.length);
  return isOpen ? thoughtStart + text.slice(-thoughtEnd.length) : text;
}

/** The digits of every script as 0 to 9. */
function asciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, fold);
}

/** Markdown that a model writes although it should not, as text on one line. */
function plainText(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|__|`|(?<![\p{L}\p{N}])\*(?=\S)|(?<=\S)\*(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/^\s*(?:[-*+]|#{1,6}|\d{1,2}\.)\s+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The sentence that a citation stands after: those before it have none. */
function lastSentence(text: string, segmenter: Intl.Segmenter): string {
  const all = [...segmenter.segment(text)].map(({ segment }) => segment);
  let sentence = all.pop() ?? '';
  // An abbreviation such as “e.g.” ends no sentence, and a sign alone is none.
  while (all.length > 0 && (/(?:\p{L}\.){2,}\s*$/u.test(all.at(-1) ?? '') || !/[\p{L}\p{N}]/u.test(sentence)))
    sentence = (all.pop() ?? '') + sentence;
  return sentence.trim();
}

/** Matches URLs, domains, e-mail addresses and HTML tags. */
const addresses =
  /<\/?[a-z][^>]*>|https?:\/\/[^\s)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b(?:\/[^\s)\]]*)?/gi;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function isSupported(sentence: string, source: string): boolean {
  const known = source.normalize('NFKC').toLowerCase();
  const said = sentence.normalize('NFKC').toLowerCase();
  for (const [address] of said.matchAll(addresses)) {
    if (!known.includes(address.replace(/[.,;:!?]+$/, ''))) return false;
  }
  const numbersOf = (text: string): readonly string[] =>
    (text.match(/\p{Nd}(?:[.,:٫٬]?\p{Nd})+/gu) ?? []).map((number) =>
      asciiDigits(number.replaceAll(/[.,:٫٬]/g, '')),
    );
  const numbers = new Set(numbersOf(known));
  if (numbersOf(said).some((number) => !numbers.has(number))) return false;
  if (unspaced.test(said)) return true;
  const words = said.match(/\p{L}[\p{L}\p{M}]{3,}/gu) ?? [];
  const starts = new Set((known.match(/\p{L}[\p{L}\p{M}]{2,}/gu) ?? []).map((word) => word.slice(0, 4)));
  return words.filter((word) => starts.has(word.slice(0, 4))).length * 3 >= words.length;
}
