import type { CalloutKind } from '../../content/document.ts';
import { escapeHtml } from '../../core/html.ts';
import type { TextKey, Texts } from './texts.ts';

/** A callout as the content stage writes it, and the start of a first paragraph that is bold as a whole: its title. */
const opening =
  /<div class="callout callout-(note|tip|important|warning|caution)" role="note"([^>]*)>(\s*<p>(?=\s*<(strong|b)>(?:(?!<\/\4>).){1,300}<\/\4>\s*<\/p>))?/gs;

const keys: Readonly<Record<CalloutKind, TextKey>> = {
  note: 'calloutNote',
  tip: 'calloutTip',
  important: 'calloutImportant',
  warning: 'calloutWarning',
  caution: 'calloutCaution',
};

/** Characters at the start of a callout in which its kind is looked for. */
const maxNameChars = 200;

/** An item of a list that begins with a check box. */
const task = /<li>(?=\s*(?:<p>)?[☐☑] )/g;

/**
 * Adds to a body what a page shows of its parts: the titles of callouts, the heads of code blocks, and which items are tasks, because these have no other marker. The text of the body stays as it is, because
 * feed and search have the same.
 */
export function completeBody(html: string, texts: Texts): string {
  return addCodeHeads(nameCallouts(html, texts)).replace(task, '<li class="task">');
}

/**
 * Gives every callout the name of its kind in the language of the page, so that colour and sign are not all that tells it. A callout that has a title
 * keeps it, and tells the name to assistive technology only.
 */
function nameCallouts(html: string, { text }: Texts): string {
  if (!html.includes('<div class="callout ')) return html;
  return html.replace(
    opening,
    (whole, kind: CalloutKind, attributes: string, title: string | undefined, _bold, at: number) => {
      const name = text(keys[kind]);
      const start = html.slice(at + whole.length, at + whole.length + maxNameChars);
      if (title === undefined && !beginsWith(start, [name, kind]))
        return `${whole}<p class="callout-title">${escapeHtml(name)}</p>`;
      const paragraph = title === undefined ? '' : '<p class="callout-title">';
      return `<div class="callout callout-${kind}" role="note" aria-label="${escapeHtml(name)}"${attributes}>${paragraph}`;
    },
  );
}

function beginsWith(html: string, names: readonly string[]): boolean {
  const words = html
    .replace(/<[^>]*>/g, '')
    .trimStart()
    .toLowerCase();
  return names.some(
    (name) => words.startsWith(name.toLowerCase()) && !/^\p{L}/u.test(words.slice(name.length)),
  );
}

/** A code block as the content stage writes it, and the bold word above it, such as the name of a file: its title. */
const codeBlock =
  /(?:<p><strong>([^<>\s]{0,79}[^<>\s:])<\/strong><\/p>\s*)?(<pre tabindex="0"><code(?: class="language-([^"]*)")?>[\s\S]*?<\/code><\/pre>)/g;

/** Names of languages by the words that authors write; all others are shown as written. */
const languageNames = new Map(
  Object.entries({
    Bash: 'bash',
    Shell: 'sh shell zsh shellsession console',
    PowerShell: 'powershell ps1 ps',
    Batch: 'cmd bat batch',
    JavaScript: 'js javascript mjs',
    TypeScript: 'ts typescript',
    JSON: 'json json5 jsonc',
    YAML: 'yaml yml',
    TOML: 'toml',
    XML: 'xml',
    HTML: 'html',
    CSS: 'css',
    SQL: 'sql',
    CSV: 'csv',
    HTTP: 'http',
    PHP: 'php',
    Python: 'python py',
    Ruby: 'ruby rb',
    Java: 'java',
    Kotlin: 'kotlin kt',
    Swift: 'swift',
    Go: 'go golang',
    Rust: 'rust rs',
    C: 'c',
    Arduino: 'arduino ino',
    'C++': 'cpp c++',
    'C#': 'csharp cs c#',
    Markdown: 'markdown md',
    Diff: 'diff',
    INI: 'ini',
    nginx: 'nginx',
    Dockerfile: 'dockerfile docker',
    '': 'text txt plaintext plain',
  }).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

/** Puts every code block into a frame with a head, which has its title or language and room for the copy button of a script. Diagrams have none. */
function addCodeHeads(html: string): string {
  if (!html.includes('<pre ')) return html;
  return html.replace(codeBlock, (whole, title: string | undefined, block: string, language = '') => {
    if (language === 'mermaid') return whole;
    const name = title ?? languageNames.get(language.toLowerCase()) ?? language;
    return `<div class="code-frame"><div class="code-head"><span>${name}</span></div>${block}</div>`;
  });
}
