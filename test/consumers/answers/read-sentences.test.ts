import { describe, expect, it } from 'vitest';
import { createSentenceReader } from '../../../src/consumers/answers/read-sentences.ts';
import { fc } from '../../support/properties.ts';

const passages = [
  'Reset your password\n\nOpen the settings and choose Reset. A code with 6 digits arrives within 15 minutes.',
  'Prices\n\nA seat costs 1,200 euros. Write to billing@example.com or see https://example.com/prices.',
  '料金\n\n座席は毎月お支払いください。',
];

/** What is let through of a text that arrives in pieces of some characters. */
function read(text: string, language = 'en', size = 3): readonly string[] {
  const reader = createSentenceReader(passages, language);
  const found: string[] = [];
  for (let at = 0; at < text.length; at += size) found.push(...reader.add(text.slice(at, at + size)));
  return [...found, ...reader.end()];
}

describe('the sentences of a model', () => {
  it('are let through with citations of the passages that were given', () => {
    expect(read('Open the settings. [1] A seat costs 1200 euros [2].')).toEqual([
      'Open the settings. [1]',
      'A seat costs 1200 euros. [2]',
    ]);
    expect(read('Choose Reset in the settings [1][2], and write to billing@example.com [2].')).toHaveLength(
      2,
    );
    expect(read('Open the settings [1, 2].')).toEqual(['Open the settings. [1][2]']);
  });

  it.each([
    ['without a citation', 'Open the settings. I hope this helps!'],
    ['with a citation of a passage that does not exist', 'Open the settings. [4] Choose Reset. [0]'],
    ['with an address that is not in the passage', 'Open the settings at https://evil.example/login. [1]'],
    ['with a domain that is not in the passage', 'Open the settings on evil.example. [1]'],
    ['with an e-mail address of another passage', 'Open the settings and write to billing@example.com. [1]'],
    ['with a number that is not in the passage', 'A code arrives within 45 minutes. [1]'],
    ['about something else', 'Visit our wonderful casino partner and receive free money. [1]'],
    ['that refuse', 'NO_ANSWER'],
    ['without words', ' [1] [2] '],
  ])('are dropped %s', (_what, text) => {
    expect(read(text)).toEqual([]);
    expect(read(text, 'en', 1000)).toEqual([]);
  });

  it('are dropped alone: sentences before and after with a citation stay', () => {
    expect(read('Sure, I can help. Open the settings. [1] Trust me. Choose Reset. [1] Bye.')).toEqual([
      'Open the settings. [1]',
      'Choose Reset. [1]',
    ]);
  });

  it('are plain text, whatever Markdown the model writes', () => {
    expect(
      read(
        '- Open the **settings** and choose [Reset](https://evil.example). [1]\n- `Reset` arrives within 15 minutes [1].',
      ),
    ).toEqual(['Open the settings and choose Reset. [1]', 'Reset arrives within 15 minutes. [1]']);
  });

  it('may be in a language without spaces', () => {
    expect(read('毎月お支払いください。[3]', 'ja')).toEqual(['毎月お支払いください。 [3]']);
  });

  it.each(['【3】', '［3］', '[３]', '【1、3】', '【1】【3】'])(
    'may have the brackets and digits of their script: %s',
    (mark) => {
      for (const size of [1, 1000])
        expect(read(`毎月お支払いください。${mark}`, 'ja', size).at(-1)).toMatch(
          /^毎月お支払いください。 (?:\[1\])?\[3\]$/,
        );
    },
  );

  it('may have numbers in the digits of their script', () => {
    expect(read('open settings within ١٥ minutes [١].', 'ar')).toEqual([
      'open settings within ١٥ minutes. [1]',
    ]);
    expect(read('open settings within ٤٥ minutes [١].', 'ar')).toEqual([]);
  });

  it.each([
    ['', 'Open the settings. [1]'],
    [
      '<think>\nThe reader asks about the settings [1]. Choose Reset in the settings. [1]\n</think>\n\n',
      'Open the settings. [1]',
    ],
    ['<think>\n</think>', 'Open the settings. [1]'],
  ])('are not what a model thinks before: %s', (thought, answer) => {
    for (const size of [1, 3, 1000]) expect(read(thought + answer, 'en', size)).toEqual([answer]);
  });

  it('are none of a model that only thinks', () => {
    expect(read('<think>Choose Reset in the settings. [1] Open the settings. [1] ')).toEqual([]);
  });

  it.each([
    ['座席は毎月お支払いください。[3]【注意】', 'ja', '座席は毎月お支払いください。 [3]'],
    ['Open the settings. [1] [Prices](', 'en', 'Open the settings. [1]'],
  ])('are let through when other text in brackets follows: %s', (text, language, sentence) => {
    expect(createSentenceReader(passages, language).add(text)).toEqual([sentence]);
  });

  it('follow a thought whose beginning a server has removed', () => {
    expect(read('Hm, settings.\n</think>\nOpen the settings. [1]')).toEqual(['Open the settings. [1]']);
  });
});

it('the pieces in which a text arrives make no difference', { tags: 'property' }, () => {
  const part = fc.constantFrom(
    'Open the settings',
    '. ',
    ' [1]',
    '[2]',
    '[9]',
    ' Choose Reset',
    '\n- ',
    '!',
    ' [1, 2] ',
    '【',
    '[a',
    'evil.example',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join('');
      expect(read(text, 'en', size)).toEqual(read(text, 'en', 1000));
      for (const sentence of read(text)) expect(sentence).toMatch(/ (?:\[[123]\])+$/);
    }),
  );
});
