import { expect, it } from 'vitest';
import { ownText, textFor } from '../../src/core/language.ts';

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

it('gives the first text if the default language has none, and the same text to all if there is only one', () => {
  expect(textFor(texts, 'de', 'fr')).toBe('Help');
  expect(textFor('Help', 'de', 'fr')).toBe('Help');
  expect(ownText('Help', 'de')).toBe('Help');
});

it('finds no text if neither the tag nor a shorter tag has one', () => {
  expect(ownText(texts, 'de')).toBeNull();
  expect(ownText({}, 'constructor')).toBeNull();
});

it.each([
  ['en-UK', 'en-GB'],
  ['EN-gb', 'en-GB'],
  ['tl', 'fil'],
  ['iw', 'he'],
])('finds a text written for %s in %s', (written, language) => {
  expect(ownText({ [written]: 'Help' }, language)).toBe('Help');
});
