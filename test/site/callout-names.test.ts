import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameCallouts } from '../../src/site/pages/callout-names.ts';
import { createTexts, readLocales } from '../../src/site/pages/texts.ts';

const locales = readLocales([resolve('templates')]);

const callout = (kind: string, inside: string) =>
  `<p>Before.</p>\n<div class="callout callout-${kind}" role="note">\n${inside}\n</div>`;

const shown = (html: string, language = 'en') => nameCallouts(html, createTexts(locales, language), true);

describe('a callout on a page of a folder', () => {
  it.each([
    ['note', 'en', 'Note'],
    ['warning', 'de', 'Warnung'],
    ['caution', 'ja', '注意'],
    ['tip', 'ar', 'نصيحة'],
  ])('without a title shows what it is: %s in %s', (kind, language, title) => {
    expect(shown(callout(kind, '<p>Charge it.</p>'), language)).toBe(
      callout(kind, '<p>Charge it.</p>').replace(
        'role="note">',
        `role="note"><p class="callout-title">${title}</p>`,
      ),
    );
  });

  it.each(['<p><strong>Before you start</strong></p>', '<p> <b>Read <em>this</em></b></p>'])(
    'with a title keeps it, and shows it as one: %s',
    (title) => {
      expect(shown(callout('note', `${title}\n<p>Text.</p>`))).toBe(
        callout('note', `${title}\n<p>Text.</p>`)
          .replace('role="note">\n<p>', 'role="note"><p>')
          .replace('role="note"><p>', 'role="note" aria-label="Note"><p class="callout-title">'),
      );
    },
  );

  it.each(['<p><strong>Note:</strong> charge it.</p>', '<p>NOTE: charge it.</p>'])(
    'that begins with its kind does not say it twice: %s',
    (inside) => {
      expect(shown(callout('note', inside))).toBe(
        callout('note', inside).replace('role="note"', 'role="note" aria-label="Note"'),
      );
    },
  );

  it('that begins with a longer word has no title', () => {
    expect(shown(callout('note', '<p>Notebooks need it, too.</p>'))).toContain(
      '<p class="callout-title">Note</p>',
    );
  });

  it('whose first words are bold has no title', () => {
    expect(shown(callout('tip', '<p><strong>Save</strong> first, <strong>then</strong></p>'))).toContain(
      '<p class="callout-title">Tip</p>',
    );
  });
});

it('a callout of a knowledge base tells its kind to assistive technology, and keeps its id', () => {
  const html = '<div class="callout callout-warning" role="note" id="hot"><p>Hot.</p></div>';
  expect(nameCallouts(html, createTexts(locales, 'fr'), false)).toBe(
    '<div class="callout callout-warning" role="note" aria-label="Avertissement" id="hot"><p>Hot.</p></div>',
  );
});
