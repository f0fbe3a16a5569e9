import { createRequire } from 'node:module';
// gemoji lists the short names of emoji on GitHub, which site generators use.
import type * as Gemoji from 'gemoji';
import type { Markup } from './rules.ts';

const load = createRequire(import.meta.url);
let names: Readonly<Record<string, string>> | null = null;

/** Adds the short names of emoji to the syntax of a generator: `:tada:` is 🎉. Unknown names are text. */
export function withEmoji(markup: Markup): Markup {
  return {
    ...markup,
    inline: (text, page) => replaceNames(markup.inline?.(text, page) ?? text),
  };
}

function replaceNames(text: string): string {
  return text.replace(
    /(?<![\w:/]):([a-z0-9_+-]{1,60}):(?![\w:])/g,
    (whole, name: string) => emojiOf(name) ?? whole,
  );
}

/** @param name as on GitHub: `raising_hand_woman`; or as in Twemoji: `woman_raising_hand` */
function emojiOf(name: string): string | undefined {
  // Few folders have any, and the list is large.
  names ??= (load('gemoji') as typeof Gemoji).nameToEmoji;
  const [, person, action] = /^(man|woman)_(?:in_)?(.+)$/.exec(name) ?? [];
  const other = `${action}_${person}`;
  if (Object.hasOwn(names, name)) return names[name];
  return Object.hasOwn(names, other) ? names[other] : undefined;
}
