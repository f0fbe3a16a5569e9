import { isPrivateUrl, scrubUrl, scrubUrls } from './scrub-urls.ts';

/** Start of a link's or image's address, and the address: between angle brackets, or with balanced parentheses. */
const destination = /(\]\()(?:<([^<>\n]*)>|((?:\\.|[^()\s<>\\]+|\((?:\\.|[^()\s<>\\]){0,2000}\)){1,2000}))/g;

/**
 * Takes credentials and signatures out of every address of a Markdown text. Links and images that lead to private
 * addresses, and images that are data, lead nowhere (`#`): their words stay.
 */
export function scrubMarkdown(markdown: string): string {
  const linked = markdown.replace(
    destination,
    (all: string, open: string, quoted: string | undefined, bare: string | undefined) => {
      const url = quoted ?? bare?.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') ?? '';
      if (isPrivateUrl(url) || /^data:/i.test(url)) return `${open}#`;
      const clean = scrubUrl(url);
      return clean === url ? all : `${open}${clean.replaceAll(/[\\()<>\s]/g, escapeSign)}`;
    },
  );
  return scrubUrls(linked);
}

function escapeSign(sign: string): string {
  return /\s/.test(sign) ? encodeURIComponent(sign) : `\\${sign}`;
}
