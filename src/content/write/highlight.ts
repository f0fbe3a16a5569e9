import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';

/**
 * Code that is highlighted: grammars are regular expressions, and their time can grow with the square of a token, a line or a
 * run of empty lines.
 */
const maxLength = 12_000;
const maxLines = 1000;
const maxLine = 500;

/** Grammar by the name a class gives; names that are not here stay plain. */
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

/** Grammars that hand parts of their code to others. */
const embedded: Readonly<Record<string, readonly string[]>> = {
  xml: ['javascript', 'css'],
  php: ['xml', 'javascript', 'css'],
  javascript: ['xml', 'css', 'graphql'],
  typescript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  shell: ['bash'],
  http: ['json', 'xml'],
};

/** Loaded with the first code there is: pages without code, and the start of the program, pay nothing. */
const load = createRequire(import.meta.url);
const highlighters = new Map<string, HLJSApi>();

/** Code highlighted last, by grammar and code: translations of a page repeat the code of the page. */
const recent = new Map<string, string>();
const mostRecent = 64;

/**
 * Highlighted code as HTML: text escaped, `<span class="hljs-…">` around tokens. `null` when the language is not known or the
 * code too long; the caller then escapes it itself. The result depends on code and language alone: every grammar has a
 * highlighter of its own, so that no other body's languages change it.
 */
export function highlight(code: string, language: string): string | null {
  const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined;
  if (grammar === undefined || code.length > maxLength || !hasUsualLines(code)) return null;
  const key = `${grammar}\n${code}`;
  let highlighted = recent.get(key);
  if (highlighted === undefined) {
    highlighted = highlighterOf(grammar).highlight(code, { language: grammar, ignoreIllegals: true }).value;
    if (recent.size === mostRecent) recent.clear();
    recent.set(key, highlighted);
  }
  return highlighted;
}

/** Whether code has neither too many lines nor a line too long. */
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

function createHighlighter(grammar: string): HLJSApi {
  const highlighter = (load('highlight.js/lib/core') as HLJSApi).newInstance();
  for (const name of [grammar, ...(embedded[grammar] ?? [])]) {
    highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`) as LanguageFn);
  }
  return highlighter;
}
