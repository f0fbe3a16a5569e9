/**
 * Answers are at most about this long, so that several of them fit into the context of a model; more is on the next page. Some clients cut or
 * refuse tool results of 25,000 tokens.
 */
export const answerTokens = 4000;

/** Characters per token, by script, rather too few: models have different tokenizers. */
const charsPerToken = { ascii: 3.5, letters: 2, others: 1 };

/** About how many tokens of a language model a text has. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) ascii += 1;
    // Latin, Greek, Cyrillic, Hebrew, Arabic, and the scripts of India.
    else if (unit < 0xe00) letters += 1;
  }
  const others = text.length - ascii - letters;
  return Math.ceil(
    ascii / charsPerToken.ascii + letters / charsPerToken.letters + others / charsPerToken.others,
  );
}

/** The start of a text that is too long, up to the end of a line or word if there is one, and an ellipsis. */
export function cutText(text: string, tokens: number): string {
  const end = endOfPage(text, 0, tokens);
  return end === text.length ? text : `${text.slice(0, end).trimEnd()} …`;
}

/**
 * End of the page of a text that starts at an offset: the last paragraph, line or word that fits, in this order, if that is more than half of
 * the page.
 */
export function endOfPage(text: string, start: number, tokens: number): number {
  let left = Math.min(text.length - start, Math.floor(tokens * charsPerToken.ascii));
  while (left > 1 && estimateTokens(text.slice(start, start + left)) > tokens) left = Math.floor(left * 0.9);
  const end = start + Math.max(1, left);
  if (end >= text.length) return text.length;
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(separator, end);
    if (at > start + left / 2) return at + separator.length;
  }
  // A cut between the halves of a character would leave an unpaired surrogate.
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end - 1 > start ? end - 1 : end;
}
