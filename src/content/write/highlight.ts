import { createRequire } from 'node:module';
// highlight.js colours code without style rules of its own, and only the languages that we register are bundled. Shiki is ten times as large.
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { oncePerKey } from '../../core/concurrency.ts';

/**
 * Longer code is not highlighted. Grammars are regular expressions, and their time can grow with the square of a token, a line or a run of
 * empty lines.
 */
const maxLength = 12_000;
const maxLines = 1000;
const maxLine = 500;

/** Grammars that are loaded; the code of other languages stays plain. */
const ownNames =
  'arduino bash c cpp csharp css dart diff dockerfile dos elixir go graphql groovy http ini java javascript json kotlin lua makefile markdown nginx objectivec perl php powershell properties python r ruby rust scala scss shell sql swift typescript vbnet xml yaml'.split(
    ' ',
  );

/** Further names of languages, by their grammar. */
const otherNames: Readonly<Record<string, string>> = {
  arduino: 'ino',
  bash: 'sh zsh',
  cpp: 'c++',
  csharp: 'c# cs',
  diff: 'patch',
  dos: 'bat cmd',
  go: 'golang',
  ini: 'toml',
  javascript: 'js jsx',
  markdown: 'md',
  powershell: 'ps1',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  typescript: 'ts tsx',
  vbnet: 'vb',
  xml: 'html svg',
  yaml: 'yml',
};

/** Grammar by the name of a language. */
const grammars = new Map(
  ownNames.flatMap((grammar) =>
    [grammar, ...(otherNames[grammar]?.split(' ') ?? [])].map((name) => [name, grammar] as const),
  ),
);

/** Whether code in a language of this name is coloured. */
export function hasGrammar(name: string): boolean {
  return grammars.has(name);
}

/** Grammars that use other grammars for parts of their code. */
const embedded: Readonly<Record<string, readonly string[]>> = {
  xml: ['javascript', 'css'],
  php: ['xml', 'javascript', 'css'],
  javascript: ['xml', 'css', 'graphql'],
  typescript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  shell: ['bash'],
  http: ['json', 'xml'],
};

/** Loaded for the first code block: pages without code and the start of the program do not pay for it. */
const load = createRequire(import.meta.url);
const highlighterOf = oncePerKey(createHighlighter);

/** Recently highlighted code, by grammar and code: translations of a page contain the same code. */
const recent = new Map<string, string>();
const maxRecent = 64;

/**
 * Highlighted code as HTML: escaped text with `<span class="hljs-…">` around tokens. `null` if the language is unknown or the code too
 * long; then the caller escapes it. The result depends only on code and language: every grammar has its own highlighter, so that the
 * languages of other bodies cannot change it.
 */
export function highlight(code: string, language: string): string | null {
  const grammar = grammars.get(language);
  if (grammar === undefined || code.length > maxLength || !hasUsualLines(code)) return null;
  const key = `${grammar}\n${code}`;
  let highlighted = recent.get(key);
  if (highlighted === undefined) {
    highlighted = highlighterOf(grammar).highlight(code, { language: grammar, ignoreIllegals: true }).value;
    if (recent.size === maxRecent) recent.clear();
    recent.set(key, highlighted);
  }
  return highlighted;
}

/** Whether neither the number of lines nor the length of any line exceeds its limit. */
function hasUsualLines(code: string): boolean {
  const lines = code.split('\n');
  return lines.length <= maxLines && lines.every(({ length }) => length < maxLine);
}

/** Names of all grammars that {@link highlight} loads; the package contains these. */
export function grammarNames(): ReadonlySet<string> {
  return new Set([...ownNames, ...Object.values(embedded).flat()]);
}

/** Where its files are; the package contains a copy of those that are loaded. */
const library = 'highlight.js/lib';

function createHighlighter(grammar: string): HLJSApi {
  const highlighter = (load(`${library}/core`) as HLJSApi).newInstance();
  for (const name of [grammar, ...(embedded[grammar] ?? [])]) {
    highlighter.registerLanguage(name, load(`${library}/languages/${name}`) as LanguageFn);
  }
  return highlighter;
}
