import { expect, it } from 'vitest';
import { WordCounts, withoutUrls } from '../../../src/consumers/mcp/word-counts.ts';
import { tokenize } from '../../../src/core/search/language-words.ts';
import { fc } from '../../support/properties.ts';

/** How often each text has each word. */
function countAll(language: string, texts: readonly string[]): readonly ReadonlyMap<string, number>[] {
  const counts = new WordCounts(language);
  for (const text of texts) {
    counts.count(text);
    counts.next();
  }
  counts.finish();
  const all = texts.map(() => new Map<string, number>());
  for (const [number, word] of counts.words.entries())
    for (const posting of counts.postingsOf(number)) all[posting >>> 8]?.set(word, posting & 255);
  return all;
}

function tokenizeAll(language: string, text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of tokenize(withoutUrls(text), false, language))
    counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const sentences = [
  'Wi-Fi isn’t on: TCP/IP, R&D and Node.js, up-to-date. See [the page](https://example.com/a_(b) and [it](/x).',
  'Straße, Schließfächer und ÄÖÜ; soft­hyphen, co\u0301mbined café…',
  'インクカートリッジを交換する。ＡＢＣ ｶﾀｶﾅ 10月',
  'กดปุ่มสีแดง ตัวอักษร',
  'والكتاب في المكتبة، إلى البيت',
  'हिन्दी में लॉग इन करें',
  'xác thực hai yếu tố, Wi-Fi',
  'Emoji 🙂 and 𝒜lpha, ΣΊΣΥΦΟΣ',
  'x'.repeat(70),
];

it.each(['en', 'de', 'ja', 'vi'])(
  'counts the words that the tokenizer finds, in %s',
  { tags: 'property' },
  (language) => {
    const piece = fc.oneof(
      fc.constantFrom(...sentences),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('-', '.', '’', ' ', '\n', '/', '\\'),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        expect(countAll(language, texts)).toEqual(texts.map((each) => tokenizeAll(language, each)));
      }),
    );
  },
);
