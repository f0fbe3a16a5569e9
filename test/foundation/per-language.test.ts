import { expect, it } from 'vitest';
import { ownText, textFor } from '../../src/foundation/language.ts';

const texts = { en: 'Help', pt: 'Ajuda', 'zh-Hant': '說明' };

it.each([
  ['pt', 'Ajuda'],
  ['pt-BR', 'Ajuda'],
  ['zh-Hant-HK', '說明'],
  ['zh', 'Help'],
  ['de', 'Help'],
])('gives %s the text %s', (language, text) => {
  expect(textFor(texts, language, 'en')).toBe(text);
});

it('gives the first text where the default language has none, and the same text to all where there is one', () => {
  expect(textFor(texts, 'de', 'fr')).toBe('Help');
  expect(textFor('Help', 'de', 'fr')).toBe('Help');
  expect(ownText('Help', 'de')).toBe('Help');
});

it('knows no text of its own where neither the tag nor its beginning is named', () => {
  expect(ownText(texts, 'de')).toBeNull();
  expect(ownText({}, 'constructor')).toBeNull();
});
