import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/source/normalise/fields.ts';
import { fc, runs } from '../../support/properties.ts';

describe('plain text', () => {
  test.each([
    ['  two\t\n words  ', 'two words'],
    ['a\u0000b\u0007c\u001bd\u009fe', 'a b c d e'],
    ['line\u2028one\u2029two', 'line one two'],
    ['\ufeffmarked', 'marked'],
    ['over\u202eridden', 'over ridden'],
    ['half \ud83d character', 'half character'],
    ['whole 😀 character', 'whole 😀 character'],
    ['no\u00a0break', 'no break'],
    ['شكرا\u200fجزيلا', 'شكرا\u200fجزيلا'],
    ['zero\u200bwidth and \u2066isolated\u2069', 'zerowidth and isolated'],
    ['a\u{e0069}\u{e0067}\u{e006e}b', 'ab'],
    ['नमस्\u200dते 👩\u200d💻 می\u200cخواهم', 'नमस्\u200dते 👩\u200d💻 می\u200cخواهم'],
    ['\u200b', ''],
    ['', ''],
    ['\u0000\u0001', ''],
  ])('of %j is %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  test.each([
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    ['&lt;b&gt; &quot;tag&quot; &#39;x&#39; &#x27;y&#X27;', "<b> \"tag\" 'x' 'y'"],
    ['Getting&nbsp;started', 'Getting started'],
    ['&amp;amp; once', '&amp; once'],
    ['a null &#0; and a control &#7;', 'a null and a control'],
  ])('of %j, which is certainly escaped, is %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  test.each(['R&D &amp; more', 'write &lt; as <', 'the &euro; entity', 'Q&A', 'AT&T; &amp;'])(
    'of %j stays as it is, since it may be meant so',
    (text) => {
      expect(plainText(text)).toBe(text);
    },
  );

  test('contains no control characters and no leading, trailing or double spaces, whatever the input', {
    tags: 'property',
  }, () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('&#10;', '&amp;', '\ud800', '\u202e', '  '),
    );
    fc.assert(
      fc.property(
        fc.array(unit).map((parts) => parts.join('')),
        (text) => {
          expect(plainText(text)).toMatch(/^(?:[^\p{Cc}\p{Cs}\s]+(?: [^\p{Cc}\p{Cs}\s]+)*)?$/u);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
