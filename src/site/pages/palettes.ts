import type { SiteSettings } from '../../core/config/site-settings.ts';

/** `site.theme`. */
export type Theme = SiteSettings['theme'];

/** A colour in light and in dark mode. */
interface Shade {
  readonly light: string;
  readonly dark: string;
}

const shade = (light: string, dark: string): Shade => ({ light, dark });

/** Accent colours. All other colours of a palette have their hue (`tokens.css`). The first one is in `tokens.css`, too. */
const palettes: Readonly<Record<NonNullable<Theme['palette']>, Shade>> = {
  indigo: shade('#3a46c8', '#aeb8ff'),
  forest: shade('#0b6b4b', '#84d8b4'),
  ember: shade('#a83f14', '#ffb38f'),
  ink: shade('#26262b', '#e8e8ec'),
};

/**
 * The colours of the page behind texts, for contrast and for the browser's own bars. In dark mode, `tokens.css` gives the ground the hue of the
 * accent, which changes its luminance by less than a hundredth.
 */
export const ground: Shade = shade('#fff', '#131417');

/** Of the grounds that texts in the accent colour are on, those with the least contrast: `--tint`. */
export const accentGround: Shade = shade('#ebecf0', '#29292d');

/** The theme with the accent colours of its palette where it sets none. */
export function withPalette(theme: Theme): Theme {
  if (theme.palette === 'indigo' || theme.accent !== undefined) return theme;
  const { light, dark } = palettes[theme.palette];
  return { ...theme, accent: { light, dark } };
}

/** The accent colour in both modes. */
export function accentsOf(theme: Theme): Shade {
  const { accent = palettes[theme.palette] } = theme;
  return typeof accent === 'string' ? { light: accent, dark: accent } : accent;
}

/** The accent of the settings as a custom property, which the style sheets use. @param theme see {@link withPalette} */
export function themeStyles(theme: Theme): string {
  if (theme.accent === undefined) return '';
  const { light, dark } = accentsOf(theme);
  return `:root{--accent:light-dark(${light},${dark})}`;
}
