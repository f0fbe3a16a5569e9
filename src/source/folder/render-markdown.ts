import { dirname, extname, join, relative } from 'node:path';
// micromark renders Markdown exactly as CommonMark says, with positions that extensions can use.
import { compile, type Options } from 'micromark';
// micromark-extension-gfm adds the tables, footnotes and links of GitHub.
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { escapeHtml } from '../../core/html.ts';
import { readFileIn } from '../../core/user-folder.ts';
import { parseBounded } from './bounded-parser.ts';
import { readCallout } from './read-callout.ts';
import { rewriteReferences } from './references.ts';

/**
 * Renders GitHub-flavoured Markdown to the HTML that a help centre stores. Raw HTML does not change (readers of the knowledge base sanitise
 * it), and `> [!NOTE]` becomes a `<div class="note-callout">`, with a title (`> [!tip] Title`) and folding (`> [!tip]-`) as in vaults.
 *
 * Markdown that would take too much time is shown as it is written. `report` is then called.
 */
export function renderMarkdown(markdown: string, report: () => void = () => {}): string {
  if (markdown === '') return '';
  const events = parseBounded(markdown, [syntaxOf(markdown)]);
  if (events === null) {
    report();
    return paragraphsOf(markdown);
  }
  const html = compile({
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    htmlExtensions: [gfmRules, urls, createHtmlRules(), callouts, linesOfCode, everyCell],
  })(events);
  return html.replace(footnotesHeading, '<hr />');
}

type HtmlExtension = NonNullable<Options['htmlExtensions']>[number];

type HtmlHandle = NonNullable<NonNullable<HtmlExtension['enter']>['codeFenced']>;

const gfmRules = gfmHtml();

/** Renders URLs in a text, such as `https://a.example/&lt;name&gt;`, as GitHub does: micromark takes an escaped bracket for a part of the URL. */
const urls: HtmlExtension = {
  exit: Object.fromEntries(
    Object.entries(gfmRules.exit ?? {})
      .filter(([name]) => name.startsWith('literalAutolink'))
      .map(([name, write]): [string, HtmlHandle] => [
        name,
        function (token) {
          this.buffer();
          write?.call(this, token);
          this.raw(this.resume().replace(/&amp;(lt|gt);/g, '&$1;'));
        },
      ]),
  ),
};

type Syntax = ReturnType<typeof gfm>;

/**
 * Syntax of GitHub that costs time in every line or word, and what a text contains that has it. Without that, its rules cannot match: they need
 * not be tried.
 */
const costly: readonly { readonly needs: RegExp; readonly constructs: readonly string[] }[] = [
  { needs: /[\w.+-]@[\w.-]/, constructs: ['emailAutolink'] },
  { needs: /www\.|https?:\/\//i, constructs: ['wwwAutolink', 'protocolAutolink'] },
  // The line below the header of a table, also in a quotation or item.
  { needs: /^[ \t>]*(?=[-:| \t]*-)(?=[-:| \t]*[:|])[-:|][-:| \t]*$/m, constructs: ['table'] },
];

/** GitHub's syntax for texts with some of the `costly` parts, by a bit for each. Made once, since that takes longer than a short page. */
const syntaxes = Array.from({ length: 2 ** costly.length }, (_, bits) =>
  withoutConstructs(new Set(costly.flatMap(({ constructs }, at) => ((bits >> at) & 1 ? [] : constructs)))),
);

function syntaxOf(markdown: string): Syntax {
  const bits = costly.reduce((sum, { needs }, at) => sum | (Number(needs.test(markdown)) << at), 0);
  return syntaxes[bits] as Syntax;
}

function withoutConstructs(names: ReadonlySet<string>): Syntax {
  const syntax: Syntax = { ...gfm() };
  for (const kind of ['text', 'flow'] as const) {
    const record = Object.entries(syntax[kind] ?? {}).map(([code, constructs]) => {
      const left = [constructs ?? []].flat().filter(({ name = '' }) => !names.has(name));
      return [code, left] as const;
    });
    syntax[kind] = Object.fromEntries(record.filter(([, constructs]) => constructs.length > 0));
  }
  return syntax;
}

/** The hidden heading that GitHub puts above footnotes. It would be English on pages of every language, and a line separates them as well. */
const footnotesHeading =
  /(?<=<section data-footnotes="" class="footnotes">)<h2 id="footnote-label" class="sr-only">Footnotes<\/h2>/;

/** A text as it is written, with its paragraphs and lines. */
function paragraphsOf(text: string): string {
  return text
    .split(/\n[ \t]*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${escapeHtml(part.trim()).replaceAll('\n', '<br />\n')}</p>`)
    .join('\n');
}

/** Elements that GitHub shows as text, except `iframe`: a player is published if its host is trusted. And addresses, which Markdown reads outside of HTML only. */
const filtered =
  /<(\/?(?:title|textarea|style|xmp|noembed|noframes|script|plaintext)(?=[\t\n\f\r />])|(?:https?:\/\/|[^\s<>@"'=]+@)[^\s<>]+(?=>))/gi;

const codeStart = /^[ \t]*<(script|style)(?=[\s/>])/i;

/**
 * Renders raw HTML as GitHub does, with players. Scripts and style sheets on lines of their own do not become text, because site generators do not show
 * them either: they are HTML, which the content stage removes and reports. In the middle of a line, they are names of elements that an author forgot to mark as code.
 */
function createHtmlRules(): HtmlExtension {
  /** The element that the current line is in. */
  let code: string | null = null;
  return {
    exit: {
      htmlFlowData(token) {
        const line = this.sliceSerialize(token);
        code ??= codeStart.exec(line)?.[1]?.toLowerCase() ?? null;
        this.raw(code === null ? line.replace(filtered, '&lt;$1') : line);
        if (code !== null && line.toLowerCase().includes(`</${code}`)) code = null;
      },
      htmlTextData(token) {
        this.raw(this.sliceSerialize(token).replace(filtered, '&lt;$1'));
      },
    },
  };
}

/** Renders block quotes as micromark does, and those that start with the mark of a callout as callouts. */
const callouts: HtmlExtension = {
  enter: {
    blockQuote() {
      this.getData('tightStack').push(false);
      this.lineEndingIfNeeded();
      this.buffer();
    },
  },
  exit: {
    blockQuote() {
      this.getData('tightStack').pop();
      const content = this.resume().trim();
      const callout = readCallout(content);
      this.tag(callout === null ? '<blockquote>' : `<div class="${callout.kind}-callout">`);
      this.raw(`\n${callout?.html ?? content}\n`);
      this.tag(callout === null ? '</blockquote>' : '</div>');
      this.setData('slurpAllLineEndings');
    },
  },
};

/** After a paragraph of a tight item, micromark 4 drops the ends of lines, also those in code and HTML directly below it. */
const writeLineEndings: HtmlHandle = function () {
  this.setData('slurpAllLineEndings');
};

export const linesOfCode: HtmlExtension = {
  enter: {
    codeFencedFence: writeLineEndings,
    codeFlowValue: writeLineEndings,
    htmlFlowData: writeLineEndings,
  },
};

/** What micromark-extension-gfm-table keeps of a table and a row. */
interface TableData {
  readonly getData: (key: string) => unknown;
  readonly setData: (key: string, value: number) => void;
}

const startCell: HtmlHandle = function () {
  this.buffer();
};

/** Also writes the cells of a row beyond those of the header, which a bar in code makes: GitHub shows nothing of them. */
const endCell: HtmlHandle = function () {
  const content = this.resume();
  const data = this as TableData;
  const alignments = data.getData('tableAlign') as readonly string[];
  const column = data.getData('tableColumn') as number;
  if (column >= alignments.length && content === '') return;
  const alignment = alignments[column] ?? 'none';
  this.lineEndingIfNeeded();
  this.tag(alignment === 'none' ? '<td>' : `<td align="${alignment}">`);
  this.raw(content);
  this.tag('</td>');
  data.setData('tableColumn', column + 1);
};

export const everyCell = { enter: { tableData: startCell }, exit: { tableData: endCell } } as HtmlExtension;

/**
 * Replaces relative image paths in HTML by `data:` URLs, because the knowledge base does not store files. Throws an `Error` with the file
 * name if a file is missing, too large, not an image, or outside `root`.
 * @param file path of the file with the HTML; images are relative to its folder
 */
export function inlineImages(html: string, file: string, root: string): string {
  return rewriteReferences(html, (address, kind) =>
    kind === 'image' && isRelativeFile(address) ? toDataUri(address, file, root) : address,
  );
}

function isRelativeFile(address: string): boolean {
  return address !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(address);
}

function toDataUri(address: string, file: string, root: string): string {
  const name = decodeURIComponent(address.replace(/[?#].*$/, ''));
  const type = mediaTypes[extname(name).toLowerCase()];
  if (type === undefined) throw new Error(`the image ${address} has no known image type`);
  return `data:${type};base64,${readImage(join(dirname(file), name), root, address).toString('base64')}`;
}

function readImage(path: string, root: string, address: string): Buffer {
  try {
    return readFileIn(root, relative(root, path), maxImageBytes);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const known: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      ENOTSUP: 'is not a regular file',
      EFBIG: message.replace(/^the file /, ''),
      FILE_OUTSIDE: 'is outside the folder',
    };
    throw new Error(`the image ${address} ${known[code ?? ''] ?? `cannot be read (${code})`}`, { cause });
  }
}

/** Largest image file that is put into a body, in bytes. */
export const maxImageBytes = 256 * 1024;

/** Media types of image files, by their extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
};

/** File extension of a media type; `null` if it is not a known image type. */
export function extensionOf(mediaType: string): string | null {
  return Object.keys(mediaTypes).find((extension) => mediaTypes[extension] === mediaType) ?? null;
}
