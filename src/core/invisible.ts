/**
 * Invisible characters that change what a chatbot reads: zero-width spaces, word joiners, byte-order
 * marks, bidirectional overrides and isolates, deprecated format characters, tag characters, control characters.
 * The flags of England, Scotland and Wales, which have tag characters, are matched as a group that stays.
 */
const invisible =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})|[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0000}|[\u{e0001}-\u{e007f}]|[\ufdd0-\ufdef\ufffe\uffff]/gu;

/** Matches UTF-16 units that may be part of characters {@link stripInvisible} removes; U+DB40 starts the tag characters. */
export const suspicious =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200b-\u200d\u202a-\u202e\u2060-\u206f\udb40\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]/;

/** Line breaks of other programs, which browsers do not show: U+000B of Word and PowerPoint, U+0085 of mainframes. */
const foreignBreaks = /[\u000b\u0085]/g;

/** Removes invisible characters, and parts words where another program had a line break; ZWJ and ZWNJ stay if emoji and scripts need them. */
export function stripInvisible(text: string): string {
  if (!suspicious.test(text)) return text;
  return text.replace(foreignBreaks, ' ').replace(invisible, '$1').replace(looseJoiner, '');
}

/** Removes the hyphens that only a broken line shows: a text that is compared or searched must not contain them. */
export function stripSoftHyphens(text: string): string {
  return text.replaceAll('\u00ad', '');
}

/** Matches ZWNJ and ZWJ without an adjacent non-Latin letter or emoji: these join nothing. */
const looseJoiner =
  /(?<!(?![\u0000-\u024f])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+(?!(?![\u0000-\u024f])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])/gu;
