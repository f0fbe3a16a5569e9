/** The items of a list in a flag or a variable, separated by commas, without blanks and empty ones: `en, de` → `['en', 'de']`. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
