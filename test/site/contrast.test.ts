import { wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { readableAccents } from '../../src/site/contrast.ts';

type Theme = { readonly accent?: string; readonly accentDark?: string };

const messages = (theme: Theme) =>
  readableAccents(theme).problems.map(({ code, message }) => `${code} ${message}`);

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
      const { theme } = readableAccents({ accent });
      expect(wcagContrast(theme.accent ?? '', '#fff')).toBeGreaterThanOrEqual(4.5);
      expect(wcagContrast(theme.accentDark ?? '', '#14161b')).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('stays as it is when it can be read or is absent', () => {
    for (const theme of [{}, { accent: '#0b6e4f', accentDark: '#7fd8b4' }]) {
      expect(readableAccents(theme)).toEqual({ theme, problems: [] });
    }
  });
});
