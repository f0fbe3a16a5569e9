import { describe, expect, it } from 'vitest';
import { findLowContrast } from '../../src/site/contrast.ts';

const messages = async (theme: { readonly accent?: string; readonly accentDark?: string }) =>
  (await findLowContrast(theme)).map(({ code, message }) => `${code} ${message}`);

describe('the colour of links and buttons', () => {
  it('is reported with its contrast when it is too light for a white ground', async () => {
    expect(await messages({ accent: '#ffff00', accentDark: '#ffff00' })).toEqual([
      'CONTRAST_LOW site.theme.accent #ffff00 has a contrast of 1.07:1 on a light background; at least 4.5:1 is needed',
    ]);
    expect(await messages({ accent: 'red', accentDark: 'lightpink' })).toEqual([
      'CONTRAST_LOW site.theme.accent red has a contrast of 3.99:1 on a light background; at least 4.5:1 is needed',
    ]);
    expect(await messages({ accent: 'oklch(90% 0.1 120)', accentDark: '#fff' })).toHaveLength(1);
  });

  it('is reported when it is too dark for a dark ground, also where it is the only one', async () => {
    expect(await messages({ accent: '#0b6e4f' })).toEqual([
      'CONTRAST_LOW site.theme.accent #0b6e4f has a contrast of 2.89:1 on a dark background; at least 4.5:1 is needed',
    ]);
    expect(await messages({ accent: '#0b6e4f', accentDark: '#222' })).toEqual([
      expect.stringContaining('site.theme.accentDark #222 has a contrast of 1.1'),
    ]);
  });

  it('is not reported when it can be read, is absent, or is not a colour that can be computed', async () => {
    expect(await messages({})).toEqual([]);
    expect(await messages({ accent: '#0b6e4f', accentDark: '#7fd8b4' })).toEqual([]);
    expect(await messages({ accent: 'inherit' })).toEqual([]);
  });
});
