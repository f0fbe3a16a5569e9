import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHex, oklch as toOklch, wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { readableAccents } from '../../src/site/pages/contrast.ts';
import { accentsOf, themeStyles, withPalette } from '../../src/site/pages/palettes.ts';
import { builtInTemplates } from '../../src/site/pages/template-files.ts';

type Given = { readonly accent?: string | { readonly light: string; readonly dark: string } };

const themeOf = (theme: Given) => siteSettings.parse({ theme }).theme;
const messages = (theme: Given) =>
  readableAccents(themeOf(theme)).problems.map(({ code, message }) => `${code} ${message}`);

describe('the colour of links and buttons', () => {
  it('is reported with its contrast and made darker when it is too light for a white ground', () => {
    expect(messages({ accent: { light: '#ffff00', dark: '#ffff00' } })).toEqual([
      'CONTRAST_LOW site.theme.accent #ffff00 has a contrast of 1.09:1 on a light background; at least 4.5:1 is needed, so #6e6d00 is used there',
    ]);
    expect(messages({ accent: { light: 'red', dark: 'lightpink' } })).toEqual([
      'CONTRAST_LOW site.theme.accent red has a contrast of 3.38:1 on a light background; at least 4.5:1 is needed, so #d70000 is used there',
    ]);
    expect(messages({ accent: { light: 'oklch(90% 0.1 120)', dark: '#fff' } })).toHaveLength(1);
  });

  it('is reported and made lighter when it is too dark for a dark background, also if it is the only colour', () => {
    expect(messages({ accent: '#0b6e4f' })).toEqual([
      'CONTRAST_LOW site.theme.accent #0b6e4f has a contrast of 2.31:1 on a dark background; at least 4.5:1 is needed, so #4ca07e is used there',
    ]);
    expect(messages({ accent: { light: '#0b6e4f', dark: '#222' } })).toEqual([
      expect.stringContaining('site.theme.accent #222 has a contrast of 1.0'),
    ]);
  });

  it.each(['#ffff00', '#000', '#fff', '#0b6e4f', 'red', 'oklch(70% 0.3 330)', '#808080'])(
    'can be read on both grounds, whatever it was: %s',
    (accent) => {
      const { theme } = readableAccents(themeOf({ accent }));
      expect(wcagContrast(accentsOf(theme).light, '#fff')).toBeGreaterThanOrEqual(4.5);
      expect(wcagContrast(accentsOf(theme).dark, '#14161b')).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('stays as it is when it can be read or is absent', () => {
    for (const given of [{}, { accent: { light: '#0b6e4f', dark: '#7fd8b4' } }]) {
      const theme = themeOf(given);
      expect(readableAccents(theme)).toEqual({ theme, problems: [] });
    }
  });
});

const tokens = readFileSync(join(builtInTemplates, 'assets/css/tokens.css'), 'utf8');

/** The colours of `tokens.css` for an accent, as browsers compute them. */
function colorsOf(accent: string, side: 'light' | 'dark'): ReadonlyMap<string, string> {
  const { c = 0, h = 0 } = toOklch(accent) ?? {};
  const colors = new Map([['accent', accent]]);
  for (const [, name = '', light = '', dark = ''] of tokens.matchAll(
    /--([\w-]+):\s*light-dark\(\s*(#\w+|oklch\(.*?\) h\)),\s*(#\w+|oklch\(.*?\) h\))\s*\)/g,
  )) {
    const value = side === 'light' ? light : dark;
    const [, lightness, share] =
      /^oklch\(from var\(--accent\) ([\d.]+) calc\(c \* ([\d.]+)\) h\)$/.exec(value) ?? [];
    if (name === 'accent') continue;
    const derived = { mode: 'oklch' as const, l: Number(lightness), c: c * Number(share), h };
    colors.set(name, lightness === undefined ? value : formatHex(derived));
  }
  return colors;
}

const hues = Array.from({ length: 24 }, (_, at) => at * 15);

describe('the colours that are made from the accent', () => {
  it.each([
    ['light', 0.2],
    ['light', 0.02],
    ['dark', 0.2],
    ['dark', 0.02],
  ] as const)('can be read on every ground in %s mode, at every hue, with a chroma of %d', (side, chroma) => {
    for (const h of hues) {
      const asked = formatHex({ mode: 'oklch', l: side === 'light' ? 0.6 : 0.5, c: chroma, h });
      const { theme } = readableAccents(themeOf({ accent: asked }));
      const colors = colorsOf(accentsOf(theme)[side], side);
      const color = (name: string) => colors.get(name) ?? '';
      for (const text of ['accent', 'text', 'muted'])
        for (const ground of ['ground', 'raised', 'sunken', 'tint'])
          expect(
            wcagContrast(color(text), color(ground)),
            `${text} on ${ground}, ${asked}`,
          ).toBeGreaterThanOrEqual(4.5);
      // The muted text of the bar is at least four fifths of white.
      expect(wcagContrast('#fff', color('brand')), asked).toBeGreaterThanOrEqual(10);
      expect(wcagContrast(color('on-accent'), color('accent')), asked).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe.each(['indigo', 'forest', 'ember', 'ink'] as const)('the palette %s', (palette) => {
  it('has a readable accent, and that of the settings has precedence', () => {
    const { theme } = siteSettings.parse({ theme: { palette } });
    expect(readableAccents(withPalette(theme)).problems).toEqual([]);
    const css = themeStyles(withPalette(theme));
    // That of `indigo` is in the style sheet.
    const own = /--accent: light-dark\(.*?\)/.exec(tokens)?.[0].replace(/\s/g, '');
    expect(palette === 'indigo' ? own : css).toContain(
      `--accent:light-dark(${accentsOf(theme).light},${accentsOf(theme).dark})`,
    );
    const given = siteSettings.parse({
      theme: { palette, accent: { light: '#123456', dark: '#abcdef' } },
    }).theme;
    expect(themeStyles(withPalette(given))).toContain('--accent:light-dark(#123456,#abcdef)');
  });
});
