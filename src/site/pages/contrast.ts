import { type Color, loadColors } from '../../core/colors.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { accentGround, accentsOf, type Theme } from './palettes.ts';

/** Minimum contrast of text of ordinary size (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/**
 * The theme with accent colours in which links and buttons are readable. A colour with too little contrast is made darker on a light
 * background and lighter on a dark one, by changing its lightness (OKLCH), so that its hue stays. Each change is reported with the ratio.
 */
export function readableAccents(theme: Theme): {
  readonly theme: Theme;
  readonly problems: readonly Problem[];
} {
  if (theme.accent === undefined) return { theme, problems: [] };
  const accents = accentsOf(theme);
  const { formatHex, oklch, parse, toGamut, wcagContrast } = loadColors();
  const toRgb = toGamut('rgb', 'oklch');
  const problems: Problem[] = [];

  /** The nearest lightness at which the colour has enough contrast. */
  const adjust = (color: Color, ground: string, step: number): string => {
    const { l, c, h } = oklch(color);
    for (let lightness = l; lightness >= 0 && lightness <= 1; lightness += step) {
      const hex = formatHex(toRgb({ mode: 'oklch', l: lightness, c, ...(h === undefined ? {} : { h }) }));
      if (wcagContrast(hex, ground) >= minContrast) return hex;
    }
    return step < 0 ? '#000000' : '#ffffff';
  };

  const readable = (color: string, side: 'light' | 'dark'): string => {
    const parsed = parse(color);
    // The settings have been checked.
    if (parsed === undefined) throw new TypeError(`site.theme.accent is no colour: ${color}`);
    const contrast = wcagContrast(parsed, accentGround[side]);
    if (contrast >= minContrast) return color;
    const used = adjust(parsed, accentGround[side], side === 'light' ? -0.005 : 0.005);
    // Rounded down: 4.499 must not be reported as 4.50.
    const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
    const message = `site.theme.accent ${color} has a contrast of ${shown}:1 on a ${side} background; at least ${minContrast}:1 is needed, so ${used} is used there`;
    problems.push(problem('CONTRAST_LOW', message));
    return used;
  };

  const light = readable(accents.light, 'light');
  const dark = readable(accents.dark, 'dark');
  return { theme: { ...theme, accent: { light, dark } }, problems };
}
