import type { SiteSettings } from '../../core/config/site-settings.ts';

/** `site.theme`. */
export type Theme = SiteSettings['theme'];

/** A colour in light and in dark mode. */
interface Shade {
  readonly light: string;
  readonly dark: string;
}

/** Colours by name of the custom property that they set. */
type Palette = Readonly<Record<'accent' | 'ground', Shade>> &
  Readonly<Partial<Record<'raised' | 'sunken' | 'text' | 'muted' | 'line', Shade>>>;

const shade = (light: string, dark: string): Shade => ({ light, dark });

/** The default: the colours of `tokens.css`. */
const indigo: Palette = { accent: shade('#3451b2', '#a8b8ff'), ground: shade('#fff', '#14161b') };

const palettes: Readonly<Record<NonNullable<Theme['palette']>, Palette>> = {
  indigo,
  forest: {
    accent: shade('#0b6b4b', '#84d8b4'),
    ground: shade('#fff', '#111714'),
    raised: shade('#fff', '#18201c'),
    sunken: shade('#f2f7f4', '#18201c'),
    text: shade('#17241d', '#e2ebe5'),
    muted: shade('#51625a', '#9db0a5'),
    line: shade('#dbe5df', '#2b362f'),
  },
  ember: {
    accent: shade('#a83f14', '#ffb38f'),
    ground: shade('#fffdfa', '#191512'),
    raised: shade('#fff', '#221c18'),
    sunken: shade('#f9f3ec', '#221c18'),
    text: shade('#2a1f18', '#efe6df'),
    muted: shade('#6a5a4e', '#b5a698'),
    line: shade('#ebe0d5', '#3a3029'),
  },
  ink: {
    accent: shade('#18181b', '#e8e8ec'),
    ground: shade('#fff', '#0b0b0d'),
    raised: shade('#fff', '#141417'),
    sunken: shade('#f4f4f5', '#18181b'),
    text: shade('#18181b', '#e8e8ec'),
    muted: shade('#5b5b66', '#a3a3ad'),
    line: shade('#e4e4e7', '#2b2b31'),
  },
};

/** The colours of the page behind texts, for contrast and for the browser's own bars. */
export function groundOf(theme: Theme): Shade {
  return palettes[theme.palette].ground;
}

/** The theme with the accent colours of its palette where it sets none. */
export function withPalette(theme: Theme): Theme {
  if (theme.palette === 'indigo' || theme.accent !== undefined) return theme;
  const { light, dark } = palettes[theme.palette].accent;
  return { ...theme, accent: light, accentDark: theme.accentDark ?? dark };
}

/** The accent colour in light mode. */
export function accentOf(theme: Theme): string {
  return theme.accent ?? palettes[theme.palette].accent.light;
}

/** The accent colour in both modes. */
export function accentsOf(theme: Theme): Shade {
  const { dark } = palettes[theme.palette].accent;
  return { light: accentOf(theme), dark: theme.accentDark ?? theme.accent ?? dark };
}

/** The theme settings as custom properties, which the style sheets use. @param theme see {@link withPalette} */
export function themeStyles(theme: Theme): string {
  const { accent, accentDark, font, palette } = theme;
  const colors = palette === 'indigo' ? {} : palettes[palette];
  const properties = [
    ...Object.entries<Shade>(colors)
      .filter(([name]) => name !== 'accent')
      .map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`),
    ...(accent === undefined ? [] : [`--accent:light-dark(${accent},${accentDark ?? accent})`]),
    ...(font === undefined ? [] : [`--font:${font}`]),
  ];
  return properties.length === 0 ? '' : `:root{${properties.join(';')}}`;
}
