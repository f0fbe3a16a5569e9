import { createRequire } from 'node:module';
// highlight.js colours code without style rules of its own, and only the languages that we register are bundled. Shiki is ten times as large.
import type { HLJSApi, LanguageFn } from 'highlight.js';

/**
 * Longer code is not highlighted. Grammars are regular expressions, and their time can grow with the square of a token, a line or a run of
 * empty lines.
 */
const maxLength = 12_000;
const maxLines = 1000;
const maxLine = 500;

/** Grammar by class name; code with another name stays plain. */
const grammars: Readonly<Record<string, string>> = {
  arduino: 'arduino',
  bash: 'bash',
  bat: 'dos',
  c: 'c',
  'c#': 'csharp',
  'c++': 'cpp',
  cmd: 'dos',
  cpp: 'cpp',
  cs: 'csharp',
  csharp: 'csharp',
  css: 'css',
  dart: 'dart',
  diff: 'diff',
  dockerfile: 'dockerfile',
  dos: 'dos',
  elixir: 'elixir',
  go: 'go',
  golang: 'go',
  graphql: 'graphql',
  groovy: 'groovy',
  html: 'xml',
  http: 'http',
  ini: 'ini',
  ino: 'arduino',
  java: 'java',
  javascript: 'javascript',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  kotlin: 'kotlin',
  lua: 'lua',
  makefile: 'makefile',
  markdown: 'markdown',
  md: 'markdown',
  nginx: 'nginx',
  objectivec: 'objectivec',
  patch: 'diff',
  perl: 'perl',
  php: 'php',
  powershell: 'powershell',
  properties: 'properties',
  ps1: 'powershell',
  py: 'python',
  python: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  ruby: 'ruby',
  rust: 'rust',
  scala: 'scala',
  scss: 'scss',
  sh: 'bash',
  shell: 'shell',
  sql: 'sql',
  svg: 'xml',
  swift: 'swift',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  typescript: 'typescript',
  vb: 'vbnet',
  vbnet: 'vbnet',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zsh: 'bash',
};

/** Whether code in a language of this name is coloured. */
export function hasGrammar(name: string): boolean {
  return Object.hasOwn(grammars, name);
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
const highlighters = new Map<string, HLJSApi>();

/** Recently highlighted code, by grammar and code: translations of a page contain the same code. */
const recent = new Map<string, string>();
const maxRecent = 64;

/**
 * Highlighted code as HTML: escaped text with `<span class="hljs-…">` around tokens. `null` if the language is unknown or the code too
 * long; then the caller escapes it. The result depends only on code and language: every grammar has its own highlighter, so that the
 * languages of other bodies cannot change it.
 */
export function highlight(code: string, language: string): string | null {
  const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined;
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
  let start = 0;
  for (let line = 1; line <= maxLines; line++) {
    const end = code.indexOf('\n', start);
    if ((end < 0 ? code.length : end) - start >= maxLine) return false;
    if (end < 0) return true;
    start = end + 1;
  }
  return false;
}

function highlighterOf(grammar: string): HLJSApi {
  let highlighter = highlighters.get(grammar);
  if (highlighter === undefined) {
    highlighter = createHighlighter(grammar);
    highlighters.set(grammar, highlighter);
  }
  return highlighter;
}

/** Names of all grammars that {@link highlight} loads; the package contains these. */
export function grammarNames(): ReadonlySet<string> {
  return new Set([...Object.values(grammars), ...Object.values(embedded).flat()]);
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
