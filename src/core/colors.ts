import { createRequire } from 'node:module';

// culori reads every CSS colour and computes contrast; smaller libraries do not know oklch.
import type { Color as ParsedColor } from 'culori';

/** A parsed colour. */
export type Color = ParsedColor;

/** The library of colours. It is loaded when a colour is set, because that takes longer than reading a configuration. */
export function loadColors(): typeof import('culori') {
  return createRequire(import.meta.url)('culori');
}

/**
 * Whether a value is an opaque CSS colour (CSS Color 4), such as `teal`, `#0b6e4f` or `oklch(50% 0.1 160)`. Colours that show through are
 * refused, because their contrast depends on what is below them.
 */
export function isOpaqueColor(value: string): boolean {
  // The library reads `facade` as `#facade`; CSS does not.
  if (!/^(?:#[0-9a-f]+|(?:rgba?|hsla?|oklch|oklab|lab|lch)\([^;{}]+\)|(?![0-9a-f]+$)[a-z]+)$/i.test(value))
    return false;
  const color = loadColors().parse(value);
  return color !== undefined && (color.alpha ?? 1) === 1;
}
