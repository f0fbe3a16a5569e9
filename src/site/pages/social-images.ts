import { createHash, hash } from 'node:crypto';
import { join } from 'node:path';
import type { Renderer } from '@takumi-rs/core';
import { loadColors } from '../../core/colors.ts';
import type { SiteSettings } from '../../core/config/site-settings.ts';
import { LecternError, messageOf } from '../../core/errors.ts';
import type { LanguageTag } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { readFileIn, walkFolder } from '../../core/user-folder.ts';
import type { PageAddress } from '../plan/plan.ts';
import { accentOf } from './palettes.ts';

/** The picture that chats and social networks show beside a link to an article, before it is drawn. Plain data. */
export interface SocialImage {
  /** It contains a hash of everything that the picture shows, so a picture that exists need not be drawn again. */
  readonly path: string;
  /** Absolute. */
  readonly url: string;
  /** What the template `social-image` printed. */
  readonly html: string;
}

/** A font of the user. */
interface FontFile {
  /** The folder that it must not leave through a link. */
  readonly root: string;
  readonly path: string;
}

/** What all pictures of a site have in common. Plain data. */
export interface SocialImageDesign {
  readonly fonts: readonly FontFile[];
  /** The logo for a dark ground; `null` if there is none. */
  readonly logo: Uint8Array | null;
  /** Background, `#rrggbb`. White text is readable on it. */
  readonly accent: string;
  /** Letters and digits that the site needs, but no font has. */
  readonly missing: string;
  readonly sha256: string;
}

/** The name by which the template refers to the logo. */
export const logoName = 'logo';

const width = 1200;
const height = 630;

/**
 * Reads the fonts for pictures: all files of `fonts/` in the user's templates folder.
 * @param templates absolute path of that folder; `null`: none
 * @param logo content of the file
 * @param texts everything that pictures say, by language
 * @throws PACKAGE_MISSING, FONT_INVALID
 */
export async function readSocialImageDesign(
  { theme }: Pick<SiteSettings, 'theme'>,
  templates: string | null,
  logo: Uint8Array | null,
  texts: ReadonlyMap<LanguageTag, string>,
): Promise<{ readonly design: SocialImageDesign; readonly problems: readonly Problem[] }> {
  const fonts: FontFile[] = [];
  const digest = createHash('sha256');
  if (templates !== null) {
    for (const { path, kind } of walkFolder(templates, 'fonts')) {
      if (kind !== 'file' || !/\.(?:ttf|otf|ttc|woff2?)$/i.test(path)) continue;
      fonts.push({ root: templates, path: `fonts/${path}` });
      digest.update(readFileIn(templates, `fonts/${path}`));
    }
  }
  const { formatHex, parse } = loadColors();
  const accent = formatHex(parse(accentOf(theme))) ?? '#000000';
  digest.update(accent).update(logo ?? '');
  const { renderer } = await openRenderer(fonts);
  const missing = new Set<string>();
  const problems: Problem[] = [];
  for (const [language, text] of texts) {
    const letters = await findMissing(renderer, text);
    if (letters.length === 0) continue;
    for (const letter of letters) missing.add(letter);
    problems.push(problem('IMAGE_FONT_MISSING', describeMissing(letters), { language }));
  }
  const design = { fonts, logo, accent, missing: [...missing].join(''), sha256: digest.digest('hex') };
  return { design, problems };
}

/**
 * The picture of a page; `null` if no font has all letters of it, because the picture would show boxes.
 * @param page whose address the picture has, with another ending
 * @param text everything that the picture says
 */
export function describeSocialImage(
  { sha256, missing }: SocialImageDesign,
  { path, url }: Pick<PageAddress, 'path' | 'url'>,
  html: string,
  text: string,
): SocialImage | null {
  if (missing !== '' && lettersOf(text).some((letter) => missing.includes(letter))) return null;
  const ending = `.${hash('sha256', `${sha256} ${html}`).slice(0, 10)}.png`;
  const withEnding = (address: string) => address.replace(/(?:\.html)?\.md$/, ending);
  return { path: withEnding(path), url: withEnding(url), html };
}

/**
 * Loads the library and the fonts, once per thread.
 * @returns a function that draws a picture as PNG, and throws TEMPLATE_FAILED
 */
export async function createImageMaker({
  fonts,
  logo,
}: SocialImageDesign): Promise<(image: SocialImage) => Promise<Uint8Array>> {
  const { renderer, fromHtml } = await openRenderer(fonts);
  const images = logo === null ? [] : [{ src: logoName, data: logo }];
  return async ({ html, path }) => {
    try {
      const { node, css } = fromHtml(html);
      return await renderer.render(node, { width, height, format: 'png', css, images });
    } catch (error) {
      throw new LecternError(
        'TEMPLATE_FAILED',
        `template "social-image" failed on ${path}: ${messageOf(error)}`,
        {
          hint: 'correct social-image.eta: it is drawn by a library that knows a part of HTML and CSS',
          cause: error,
        },
      );
    }
  };
}

/** The library is not among the dependencies, because it has 9 MB and few sites draw pictures. @throws PACKAGE_MISSING, FONT_INVALID */
async function openRenderer(fonts: readonly FontFile[]) {
  const { Renderer, fromHtml } = await loadLibrary();
  const renderer = new Renderer();
  for (const { root, path } of fonts) {
    try {
      await renderer.registerFont(readFileIn(root, path));
    } catch (cause) {
      throw new LecternError('FONT_INVALID', `${join(root, path)} is no font: ${messageOf(cause)}`, {
        hint: 'replace it by a TrueType, OpenType or WOFF font, or remove it',
        exitCode: 2,
        cause,
      });
    }
  }
  return { renderer, fromHtml };
}

async function loadLibrary() {
  try {
    const [{ Renderer }, { fromHtml }] = await Promise.all([
      import('@takumi-rs/core'),
      import('@takumi-rs/helpers/html'),
    ]);
    return { Renderer, fromHtml };
  } catch (cause) {
    throw new LecternError(
      'PACKAGE_MISSING',
      'site.socialImages needs the packages @takumi-rs/core and @takumi-rs/helpers',
      {
        hint: 'run npm install @takumi-rs/core @takumi-rs/helpers, or remove site.socialImages',
        exitCode: 2,
        cause,
      },
    );
  }
}

/** Signs such as emoji do not count: without a font, they are left out or a box, and the title can still be read. */
function lettersOf(text: string): readonly string[] {
  return [...new Set(text.normalize('NFC').match(/[\p{L}\p{N}]/gu))];
}

/** Letters that are drawn at once, to find out which no font has. */
const lettersAtOnce = 1000;

/** Letters and digits that no font has are drawn like a code point that no font can have. */
async function findMissing(renderer: Renderer, text: string): Promise<readonly string[]> {
  const nothing = '\u{10ffff}';
  const draw = (letters: readonly string[]) =>
    renderer.renderSvg(
      { type: 'text', text: [nothing, ...letters].join(' '), style: { fontSize: 32 } },
      { width: 64, height: 64 * (letters.length + 1) },
    );
  const hasBoxes = async (letters: readonly string[]): Promise<boolean> => {
    const svg = await draw(letters);
    // A glyph is a shape with a name, and that of the first character is the box.
    const [box = ''] = /href="#[^"]+"/.exec(svg) ?? [];
    return svg.split(box).length > 2;
  };
  const all = lettersOf(text);
  const missing: string[] = [];
  for (let from = 0; from < all.length; from += lettersAtOnce) {
    const some = all.slice(from, from + lettersAtOnce);
    if (!(await hasBoxes(some))) continue;
    for (const letter of some) if (await hasBoxes([letter])) missing.push(letter);
  }
  return missing;
}

function describeMissing(letters: readonly string[]): string {
  const shown = letters
    .slice(0, 5)
    .map((letter) => `"${letter}"`)
    .join(', ');
  const rest = letters.length > 5 ? ` and ${letters.length - 5} others` : '';
  return `articles with these letters in their titles have no picture for shared links, because no font has ${shown}${rest}`;
}
