import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completeBody } from '../../src/site/pages/body-parts.ts';
import { createTexts, readLocales } from '../../src/site/pages/texts.ts';

const locales = readLocales([resolve('templates')]);

const callout = (kind: string, inside: string) =>
  `<p>Before.</p>\n<div class="callout callout-${kind}" role="note">\n${inside}\n</div>`;

const shown = (html: string, language = 'en') => completeBody(html, createTexts(locales, language));

describe('a callout', () => {
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

it('a callout keeps its id, and has a title in the language of the page', () => {
  const html = '<div class="callout callout-warning" role="note" id="hot"><p>Hot.</p></div>';
  expect(shown(html, 'fr')).toBe(
    '<div class="callout callout-warning" role="note" id="hot"><p class="callout-title">Avertissement</p><p>Hot.</p></div>',
  );
});

describe('a code block', () => {
  const block = (language: string) =>
    `<pre tabindex="0"><code${language === '' ? '' : ` class="language-${language}"`}>a &lt; b</code></pre>`;

  it.each([
    ['js', 'JavaScript'],
    ['YAML', 'YAML'],
    ['zig', 'zig'],
    ['text', ''],
    ['', ''],
  ])('has a head that names its language: %j as %j', (language, name) => {
    expect(shown(`<p>Run:</p>${block(language)}`)).toBe(
      `<p>Run:</p><div class="code-frame"><div class="code-head"><span>${name}</span></div>${block(language)}</div>`,
    );
  });

  it.each([
    ['<p><strong>src/kettle.js</strong></p>\n', '', 'src/kettle.js'],
    ['<p><strong>Example:</strong></p>', '<p><strong>Example:</strong></p>', 'JavaScript'],
    ['<p><strong>In two words</strong></p>', '<p><strong>In two words</strong></p>', 'JavaScript'],
  ])('takes the bold word above it as its title, but no sentence: %s', (above, kept, title) => {
    expect(shown(`${above}${block('js')}`)).toBe(
      `${kept}<div class="code-frame"><div class="code-head"><span>${title}</span></div>${block('js')}</div>`,
    );
  });

  it('that is a diagram has none', () => {
    expect(shown(block('mermaid'))).toBe(block('mermaid'));
  });
});

describe('an item of a list that begins with a check box', () => {
  it('has no other marker', () => {
    const list = (name: string) =>
      `<ul><li${name}>☐ One</li><li${name}><p>☑ Two</p></li><li>Three ☐ four</li></ul>`;
    expect(shown(list(''))).toBe(list(' class="task"'));
  });
});
