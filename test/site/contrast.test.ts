import { wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { readableAccents } from '../../src/site/pages/contrast.ts';
import { groundOf, themeStyles, withPalette } from '../../src/site/pages/palettes.ts';

type Given = { readonly accent?: string; readonly accentDark?: string };

const themeOf = (theme: Given) => siteSettings.parse({ theme }).theme;
const messages = (theme: Given) =>
  readableAccents(themeOf(theme)).problems.map(({ code, message }) => `${code} ${message}`);

describe('the colour of links and buttons', () => {
  it('is reported with its contrast and made darker when it is too light for a white ground', () => {
    expect(messages({ accent: '#ffff00', accentDark: '#ffff00' })).toEqual([
      'CONTRAST_LOW site.theme.accent #ffff00 has a contrast of 1.07:1 on a light background; at least 4.5:1 is needed, so #7a7900 is used there',
    ]);
    expect(messages({ accent: 'red', accentDark: 'lightpink' })).toEqual([
      'CONTRAST_LOW site.theme.accent red has a contrast of 3.99:1 on a light background; at least 4.5:1 is needed, so #ee0000 is used there',
    ]);
    expect(messages({ accent: 'oklch(90% 0.1 120)', accentDark: '#fff' })).toHaveLength(1);
  });

  it('is reported and made lighter when it is too dark for a dark background, also if it is the only colour', () => {
    expect(messages({ accent: '#0b6e4f' })).toEqual([
      'CONTRAST_LOW site.theme.accent #0b6e4f has a contrast of 2.89:1 on a dark background; at least 4.5:1 is needed, so #398f6e is used there',
    ]);
    expect(messages({ accent: '#0b6e4f', accentDark: '#222' })).toEqual([
      expect.stringContaining('site.theme.accentDark #222 has a contrast of 1.1'),
    ]);
  });

  it.each(['#ffff00', '#000', '#fff', '#0b6e4f', 'red', 'oklch(70% 0.3 330)', '#808080'])(
    'can be read on both grounds, whatever it was: %s',
    (accent) => {
      const { theme } = readableAccents(themeOf({ accent }));
      expect(wcagContrast(theme.accent ?? '', '#fff')).toBeGreaterThanOrEqual(4.5);
      expect(wcagContrast(theme.accentDark ?? '', '#14161b')).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('stays as it is when it can be read or is absent', () => {
    for (const given of [{}, { accent: '#0b6e4f', accentDark: '#7fd8b4' }]) {
      const theme = themeOf(given);
      expect(readableAccents(theme)).toEqual({ theme, problems: [] });
    }
  });
});

describe.each(['indigo', 'forest', 'ember', 'ink'] as const)('the palette %s', (palette) => {
  const { theme } = siteSettings.parse({ theme: { palette } });
  const css = themeStyles(withPalette(theme));

  it('has readable texts and links on every ground, in light and in dark mode', () => {
    expect(readableAccents(withPalette(theme)).problems).toEqual([]);
    const shades = new Map(
      [...css.matchAll(/--(\w+):light-dark\((#\w+),(#\w+)\)/g)].map(([, name = '', light, dark]) => [
        name,
        { light: light ?? '', dark: dark ?? '' },
      ]),
    );
    expect(shades.size).toBe(palette === 'indigo' ? 0 : 7);
    for (const text of ['accent', 'text', 'muted'].flatMap((name) => shades.get(name) ?? [])) {
      for (const ground of ['ground', 'raised', 'sunken'].flatMap((name) => shades.get(name) ?? [])) {
        expect(wcagContrast(text.light, ground.light)).toBeGreaterThanOrEqual(4.5);
        expect(wcagContrast(text.dark, ground.dark)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('gives the accent of the settings precedence', () => {
    const own = siteSettings.parse({ theme: { palette, accent: '#123456', accentDark: '#abcdef' } }).theme;
    expect(themeStyles(withPalette(own))).toContain('--accent:light-dark(#123456,#abcdef)');
    expect(groundOf(own)).toEqual(groundOf(theme));
  });
});
