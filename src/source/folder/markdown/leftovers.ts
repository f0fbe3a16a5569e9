import { countEach } from '../../../core/group-by.ts';
import { CodeStore } from './code-store.ts';

/** What Git writes where it could not merge two edits. */
const conflict = /^<{7} /gm;

/** Syntax that only a site generator reads, and how it is named in the report. */
const kinds: readonly (readonly [pattern: RegExp, name: (match: RegExpMatchArray) => string])[] = [
  [/(?<!\{)\{%-?\s*(?!end)(\w[\w-]*)[^%\n]*%\}/g, ([, name]) => `{% ${name} %}`],
  [/\{\{<\s*(\w[\w/.-]*)[^}\n]*>\}\}/g, ([, name]) => `{{< ${name} >}}`],
  [/\{\{%\s*(\w[\w/.-]*)[^}\n]*%\}\}/g, ([, name]) => `{{% ${name} %}}`],
  [/\{\{(?![<%])[^{}\n]+\}\}/g, () => '{{ … }}'],
  // Attributes of a link or block: {.external}, {: .note}.
  [/(?<!\{)\{(\.[A-Za-z][\w-]*|:{1,2} ?[.#]?[A-Za-z][\w-]*)[^{}\n]*\}/g, ([, name]) => `{${name}}`],
  [/(?<!\](?:\(|:) *)<([A-Z]\w*(?:\.\w+)*)(?=[\s/>])[^<>\n]*>?/g, ([, name]) => `<${name}>`],
  [/^[ \t]*(::+)[ \t]*(\{?[A-Za-z][\w-]*\}?|\([A-Za-z]+\))/gm, ([, marks, name]) => `${marks}${name}`],
  // Edits that somebody proposes in CriticMarkup.
  [/\{(\+\+|--|~~)(?:(?!\{\1)[^\n])*?\1\}/g, ([, marks]) => `{${marks} … ${marks}}`],
  // Roles, whose text is code, and targets of MyST.
  [/\{([a-z][\w:.+-]*)\}(?=\0)/gi, ([, name]) => `{${name}}\`…\``],
  [/^\([\w./:-]+\)=[ \t]*$/gm, () => '(…)='],
  // Abbreviations, and what Microsoft's documentation includes.
  [/^\*\[[^[\]\n]+\]:/gm, () => '*[…]:'],
  [/\[!(include|video|div|code(?:-\w+)?)(?=[ [(])/gi, ([, name]) => `[!${name}]`],
  // Names of emoji and icons, and options of directives.
  [/(?<![\w:/]):[a-z+][\w+-]*:(?![\w:/])/gi, () => ':…:'],
  [/^[ \t]*([!?]>)[ \t]/gm, ([, marks]) => `${marks}`],
  // A footnote of Pandoc in its text; a pattern such as ^[a-z] has no words.
  [/\^\[[^[\]\n]*\p{L} [^[\]\s]/gu, () => '^[…]'],
  [/^[ \t]*(!!!|\?\?\?\+?)[ \t]*([\w-]+)/gm, ([, marks, name]) => `${marks} ${name}`],
  [/^[ \t]*===[!+]*[ \t]+"/gm, () => '=== "…"'],
  // Properties and references of outlines.
  [/^[ \t]*(?:[-*+][ \t]+)?([a-z][\w-]*::)(?=[ \t])/gim, ([, name]) => `${name}`],
  [/\(\([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\)\)/gi, () => '((…))'],
  [
    /^(?:import\s[^\n]*?\sfrom\s*["']|import\s+["']|export\s+(?:const|default|function)\s)/gm,
    () => 'import or export',
  ],
  [conflict, () => '<<<<<<< (merge conflict)'],
];

/** Whether a text has a merge conflict that nobody resolved, outside of code. */
export function hasConflict(text: string): boolean {
  return text.includes('<<<<<<<') && new CodeStore().hide(text).search(conflict) >= 0;
}

/**
 * Counts the syntax of site generators in a text whose code is hidden, by its name: `<RuleLinks>`, `:::note`. It is published as it is
 * written.
 */
export function findLeftovers(text: string, { directives }: CodeStore): ReadonlyMap<string, number> {
  const found = kinds.flatMap(([pattern, nameOf]) => Array.from(text.matchAll(pattern), nameOf));
  return countEach([...found, ...directives]);
}
