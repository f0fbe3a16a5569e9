import { describe, expect, it } from 'vitest';
import type { CalloutKind } from '../../src/content/document.ts';
import { transform } from '../../src/content/transform.ts';
import { renderMarkdown } from '../../src/source/folder/render-markdown.ts';
import { compareMarkdown } from './parity.ts';
import { settings } from './settings.ts';

function kindOf(classes: string, callouts: Readonly<Record<string, CalloutKind>> = {}): string | undefined {
  const { html } = transform(
    `<div class="${classes}">x</div>`,
    settings({ policy: { iframeHosts: [], classes: [], callouts } }),
  );
  return /class="callout callout-(\w+)"/.exec(html)?.[1];
}

describe('callouts', () => {
  it.each([
    ['callout', 'note'],
    ['callout callout-info', 'note'],
    ['callout-blue', 'note'],
    ['alert alert-success', 'tip'],
    ['alert alert-dismissible alert-danger', 'caution'],
    ['usa-alert usa-alert--warning', 'warning'],
    ['admonition important', 'important'],
    ['helpjuice-callout warning', 'warning'],
    ['confluence-information-macro confluence-information-macro-tip', 'tip'],
    ['markdown-alert markdown-alert-caution', 'caution'],
    ['warningBox', 'warning'],
    ['successBox', 'tip'],
    ['ghq-card-content__callout', 'note'],
    ['note', 'note'],
  ])('are recognised by the classes "%s": %s', (classes, kind) => {
    expect(kindOf(classes)).toBe(kind);
  });

  it.each([
    'usa-alert__body',
    'alert-heading',
    'text-warning',
    'note-taking',
    'constructor',
    'tip jar',
    'alerting',
  ])('are not made of the classes "%s"', (classes) => {
    expect(kindOf(classes)).toBeUndefined();
  });

  it.each(['note', 'tip', 'important', 'warning', 'caution'])(
    'come from `> [!%s]` in a folder of Markdown',
    (kind) => {
      const html = renderMarkdown(`> [!${kind.toUpperCase()}]\n> Mind this.`);
      expect(transform(html, settings()).html).toBe(
        `<div class="callout callout-${kind}" role="note"><p>Mind this.</p></div>`,
      );
    },
  );

  it('are recognised by classes of the user, exact or by prefix', () => {
    expect(kindOf('kb-hint', { 'kb-hint': 'tip' })).toBe('tip');
    expect(kindOf('kb-red-big', { 'kb-red*': 'caution' })).toBe('caution');
  });

  it('are quotations with a marker in Markdown', () => {
    const { html, markdown, text } = transform(
      '<div class="alert alert-warning"><p>Hot.</p><ul><li>a</ul></div>',
      settings(),
    );
    expect(html).toBe(
      '<div class="callout callout-warning" role="note"><p>Hot.</p>\n<ul>\n<li>a</li></ul></div>',
    );
    expect(markdown).toBe('> [!WARNING]\n> Hot.\n>\n> - a\n');
    expect(text).toBe('Hot.\n- a');
  });

  it.each([
    '[!TIP]\nCharge it.',
    '[!TIP] Charge it.',
    ' [!tip]&nbsp;Charge it.',
    '<span>[!TIP]</span> Charge it.',
    '[!TIP]<br>Charge it.',
    '[!TIP]<br><br> Charge it.',
    '[!TIP] <br>&nbsp;<br>Charge it.',
  ])('are made of quotations that start with a marker: %j', (inner) => {
    expect(transform(`<blockquote><p>${inner}</p></blockquote>`, settings()).html).toBe(
      '<div class="callout callout-tip" role="note"><p>Charge it.</p></div>',
    );
  });

  it('written as preformatted text keep their lines and are not code', () => {
    const { html, markdown } = transform('<pre class="c-callout">First\nthen <b>this</b></pre>', settings());
    expect(html).toBe('<div class="callout callout-note" role="note">First<br>then <b>this</b></div>');
    expect(markdown).toBe('> [!NOTE]\n> First  \n> then **this**\n');
  });

  it.each([
    '<p><a id="reset"></a></p><blockquote><p>[!TIP]\nUse it.</p></blockquote>',
    '<blockquote><p><a id="reset"></a>[!TIP] Use it.</p></blockquote>',
    '<blockquote><p><a id="reset"></a></p><p>[!TIP] Use it.</p></blockquote>',
  ])('may begin with the target of a link: %s', (body) => {
    const { html, markdown } = transform(body, settings());
    expect(html).toMatch(
      /^<div class="callout callout-tip" role="note">.*<span id="reset"><\/span>Use it\./s,
    );
    expect(markdown).toBe('> [!TIP]\n> Use it.\n');
  });

  describe.each(['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION', 'note', 'Tip'])('[!%s] alone', (kind) => {
    const marker = `[!${kind}]`;

    it.each([
      [marker, `<blockquote>${marker}</blockquote>`],
      [` ${marker}&nbsp; `, `<blockquote>${marker}</blockquote>`],
      [`<p>${marker}</p><p> </p>`, `<blockquote><p>${marker}</p></blockquote>`],
      [`${marker}<br>`, `<blockquote>${marker}</blockquote>`],
      [`<abbr>${marker} </abbr>`, `<blockquote><abbr>${marker}</abbr></blockquote>`],
      [`<em><b>${marker}</b></em>`, `<blockquote><em><b>${marker}</b></em></blockquote>`],
      [`<code>${marker}</code>`, `<blockquote><code>${marker}</code></blockquote>`],
      [`<p id="x">${marker}</p>`, `<blockquote><p id="x">${marker}</p></blockquote>`],
      [`<div>${marker}</div>`, `<blockquote><div>${marker}</div></blockquote>`],
      [`${marker}<table></table><ul><li></li></ul>`, `<blockquote>${marker}</blockquote>`],
    ])('stays the text it is: %j', (inner, html) => {
      const document = transform(`<blockquote>${inner}</blockquote>`, settings());
      expect(document.html).toBe(html);
      expect(document.text).toBe(marker);
      expect(document.markdown).toMatch(/^> [*`]*\\?\[!/);
      expect(compareMarkdown(document)).toEqual([]);
    });

    it.each(['abbr', 'em', 'b', 's', 'q', 'code', 'span lang=de', 'a href=https://x.test/'])(
      'stays the text it is in a quotation within <%s>',
      (tag) => {
        const document = transform(`<${tag}><blockquote>${marker} </blockquote>`, settings());
        expect(document.html).toContain('<blockquote>');
        const marks = { s: '~~', q: '"' }[tag] ?? '';
        expect(document.text).toBe(marks + marker + marks);
        expect(compareMarkdown(document)).toEqual([]);
      },
    );
  });

  it.each([
    ['<p><strong>Warning:</strong> Hot.</p>', 'Hot.'],
    ['<p><b>Warning</b>: Hot.</p>', 'Hot.'],
    ['<p><b>WARNING!</b></p><p>Hot.</p>', 'Hot.'],
    ['<div><strong>Warning</strong></div><p>Hot.</p>', 'Hot.'],
    ['<strong>Warning</strong><br>Hot.', 'Hot.'],
    ['Warning: Hot.', 'Hot.'],
    ['<p><em><b>Warning: Hot.</b></em> Really.</p>', '***Hot.*** Really.'],
  ])('say their kind once in Markdown: %s', (inner, words) => {
    const document = transform(`<div class="alert alert-warning">${inner}</div>`, settings());
    expect(document.markdown).toBe(`> [!WARNING]\n> ${words}\n`);
    expect(document.html).toMatch(/warning/i);
    expect(document.text).toMatch(/^warning/i);
  });

  it.each([
    ['Warning lights are red.', 'Warning lights are red.'],
    ['<b>Warning</b> lights are red.', '**Warning** lights are red.'],
    ['Note: Hot.', 'Note: Hot.'],
    ['<p>Warning:</p>', 'Warning:'],
    ['<a href="https://x.test/">Warning</a>: Hot.', '[Warning](https://x.test/): Hot.'],
    ['<code>warning</code>: Hot.', '`warning`: Hot.'],
  ])('keep a first word that says something else: %s', (inner, words) => {
    expect(transform(`<div class="alert alert-warning">${inner}</div>`, settings()).markdown).toBe(
      `> [!WARNING]\n> ${words}\n`,
    );
  });

  it('that say something within another keep both markers', () => {
    const document = transform(
      '<blockquote>[!NOTE] <blockquote>[!TIP] x</blockquote></blockquote>',
      settings(),
    );
    expect(document.markdown).toBe('> [!NOTE]\n> > [!TIP]\n> > x\n');
    expect(compareMarkdown(document)).toEqual([]);
  });
});
