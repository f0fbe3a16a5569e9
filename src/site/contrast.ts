import type { SiteSettings } from '../config/site-settings.ts';
import { type Problem, problem } from '../foundation/problems.ts';

/** What WCAG 2.2 asks of text of ordinary size (1.4.3). */
const leastContrast = 4.5;

/** `--ground` of the themes, light and dark. */
const grounds = { light: '#fff', dark: '#14161b' };

/** Reports an accent that links and buttons cannot be read in. Of a colour that is not fixed (`inherit`) nothing is known. */
export async function findLowContrast({
  accent,
  accentDark,
}: Pick<SiteSettings['theme'], 'accent' | 'accentDark'>): Promise<readonly Problem[]> {
  if (accent === undefined) return [];
  const { parse, wcagContrast } = await import('culori');
  const dark = accentDark === undefined ? 'accent' : 'accentDark';
  const uses = [
    { setting: 'accent', color: accent, ground: 'light' },
    { setting: dark, color: accentDark ?? accent, ground: 'dark' },
  ] as const;
  return uses.flatMap(({ setting, color, ground }) => {
    const parsed = parse(color);
    if (parsed === undefined) return [];
    const contrast = wcagContrast(parsed, grounds[ground]);
    if (contrast >= leastContrast) return [];
    // Rounded down: 4.499 must not be reported as 4.50.
    const told = (Math.floor(contrast * 100) / 100).toFixed(2);
    const message = `site.theme.${setting} ${color} has a contrast of ${told}:1 on a ${ground} background; at least ${leastContrast}:1 is needed`;
    return [problem('CONTRAST_LOW', message)];
  });
}
