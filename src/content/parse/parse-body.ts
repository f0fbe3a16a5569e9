// parse5 parses HTML exactly as browsers do, which the safety of author HTML depends on.
import { html, InsertionMode, Parser, Token, Tokenizer } from 'parse5';
import { htmlNamespace, type SourceMap, SourceNode, sourceTreeAdapter } from './source-tree.ts';
import { isStorageFormat, storageToHtml } from './storage-format.ts';

/** Bodies are published inside a `<div>`, so they are parsed as a browser parses the content of one. */
const context = new SourceNode('div', htmlNamespace, [], '');

/**
 * Parses author HTML as a browser does; never throws. The children of the root are those of the body. A browser repeats unclosed formatting
 * in every paragraph; here the repetition ends before the page is many times larger than its source.
 *
 * The two classes below override internals of parse5, which a minor release may change. Therefore package.json pins its exact version, and
 * a property test compares the tree with that of plain parse5. Without the classes, the content stage takes about a fifth longer.
 */
export function parseBody(body: string): SourceNode {
  const parser = BodyParser.getFragmentParser(context, { treeAdapter: sourceTreeAdapter }) as BodyParser;
  parse(parser, isStorageFormat(body) ? storageToHtml(body) : body);
  return parser.document.first ?? parser.document;
}

/** Parses a whole page of another site, with its head, as a browser does; never throws. The only child of the root is `<html>`. */
export function parsePage(page: string): SourceNode {
  const parser = new BodyParser({ treeAdapter: sourceTreeAdapter });
  parse(parser, page);
  return parser.document;
}

function parse(parser: BodyParser, source: string): void {
  const tokenizer = new BodyTokenizer(parser.options, parser);
  tokenizer.isPlainText = () => parser.isPlainText();
  tokenizer.preprocessor.bufferWaterline = Number.POSITIVE_INFINITY;
  parser.tokenizer = tokenizer;
  parser.repetitionsLeft = 1000 + source.length / 8;
  tokenizer.write(source, true);
}

class BodyParser extends Parser<SourceMap> {
  /** How many more elements may be opened again. */
  repetitionsLeft = 0;

  /** Whether text is added to the current element with its white space unchanged. */
  isPlainText(): boolean {
    const mode = this.insertionMode;
    return (
      (mode === InsertionMode.IN_BODY ||
        mode === InsertionMode.IN_CELL ||
        mode === InsertionMode.IN_CAPTION) &&
      !this.skipNextNewLine &&
      !this.tokenizer.inForeignNode
    );
  }

  /** Opens formatting again that was still open when a block ended. */
  override _reconstructActiveFormattingElements(): void {
    const { activeFormattingElements, openElements } = this;
    const { newest } = activeFormattingElements;
    // The common case, without a call: there is nothing to open again.
    if (newest === null || newest.type === marker || openElements.contains(newest.element)) return;
    if (this.repetitionsLeft <= 0) return;
    const depth = openElements.stackTop;
    super._reconstructActiveFormattingElements();
    this.repetitionsLeft -= openElements.stackTop - depth;
  }
}

/** Type of an entry that ends the search for formatting, e.g. the start of a table cell. */
const marker = 0;

/**
 * A faster tokenizer for parse5. It reads text and quoted attribute values up to the next special character at once, passes text to the
 * tree in one piece, and reads a usual tag (`<a href="…">`: lower case, double quotes, no references) at once. If the parser has to
 * distinguish words and spaces (in tables, after `<pre>`, in foreign content), `isPlainText` makes it use parse5's own method.
 */
export class BodyTokenizer extends Tokenizer {
  /** Whether text is added to the tree unchanged. */
  isPlainText: () => boolean = () => false;

  override _stateData(cp: number): void {
    if (cp === lessThan) {
      const end = this.readTag(this.preprocessor.pos + 1);
      if (end < 0) super._stateData(cp);
      else {
        this.preprocessor.pos = end;
        this.emitCurrentTagToken();
      }
      return;
    }
    if (isSignificant(cp) || !this.isPlainText()) {
      super._stateData(cp);
      return;
    }
    // Emit decoded references and other pending text first.
    if (this.currentCharacterToken !== null) this._emitCurrentCharacterToken(null);
    const { html, codePointStart } = this.preprocessor;
    const end = strideEnd(html, this.preprocessor.pos + 1, lessThan);
    this.preprocessor.pos = end - 1;
    this.handler.onCharacter({
      type: Token.TokenType.CHARACTER,
      chars: html.slice(codePointStart, end),
      location: null,
    });
  }

  override _stateAttributeValueDoubleQuoted(cp: number): void {
    if (cp === quotationMark || isSignificant(cp)) {
      super._stateAttributeValueDoubleQuoted(cp);
      return;
    }
    this._extendRun(cp);
    const end = strideEnd(this.preprocessor.html, this.preprocessor.pos + 1, quotationMark);
    this.preprocessor.pos = end - 1;
    this.runEnd = end;
  }

  /** Makes the tag that starts before `start` the current token; returns the position of its `>`, or -1 for an unusual tag. */
  private readTag(start: number): number {
    const source = this.preprocessor.html;
    const isEnd = source.charCodeAt(start) === solidus;
    const nameStart = isEnd ? start + 1 : start;
    const nameEnd = skipName(source, nameStart);
    if (nameEnd === nameStart) return -1;
    const attrs: Token.Attribute[] = [];
    let at = nameEnd;
    while (!isEnd && source.charCodeAt(at) === space && source.charCodeAt(at + 1) !== solidus) {
      at = readAttribute(source, at + 1, attrs);
      if (at < 0) return -1;
    }
    const selfClosing = !isEnd && (source.startsWith('/', at) || source.startsWith(' /', at));
    if (selfClosing) at = source.indexOf('/', at) + 1;
    if (source.charCodeAt(at) !== greaterThan) return -1;
    // Text before the tag still belongs to the character token.
    this._flushRun('');
    this.currentToken = {
      type: isEnd ? Token.TokenType.END_TAG : Token.TokenType.START_TAG,
      tagName: internName(source.slice(nameStart, nameEnd)),
      tagID: 0,
      selfClosing,
      ackSelfClosing: false,
      attrs,
      location: null,
    };
    return at;
  }
}

const space = 0x20;
const quotationMark = 0x22;
const ampersand = 0x26;
const solidus = 0x2f;
const lessThan = 0x3c;
const equals = 0x3d;
const greaterThan = 0x3e;
const carriageReturn = 0x0d;

/** End of input, NUL, a reference or a tag. A line feed counts because it may be part of CR LF, which is one character. */
function isSignificant(cp: number): boolean {
  return cp <= 0x0d || cp === lessThan || cp === ampersand;
}

/** Position of the first character from `start` that ends such a run of text. */
function strideEnd(html: string, start: number, delimiter: number): number {
  let end = start;
  for (; end < html.length; end++) {
    const code = html.charCodeAt(end);
    if (code === delimiter || code === ampersand || code === 0 || code === carriageReturn) break;
  }
  return end;
}

/** Tags with more attributes use parse5's own method, because checking for duplicate names would be slow here. */
const maxAttributes = 16;

/** Reads `name="value"` at `start`. Returns the position after it, or -1 if it is written differently or exceeds the limit. */
function readAttribute(source: string, start: number, attributes: Token.Attribute[]): number {
  const nameEnd = skipName(source, start);
  if (nameEnd === start || source.charCodeAt(nameEnd) !== equals) return -1;
  if (source.charCodeAt(nameEnd + 1) !== quotationMark) return -1;
  const end = strideEnd(source, nameEnd + 2, quotationMark);
  if (source.charCodeAt(end) !== quotationMark) return -1;
  const name = internName(source.slice(start, nameEnd));
  if (attributes.length === maxAttributes || attributes.some((other) => other.name === name)) return -1;
  attributes.push({ name, value: source.slice(nameEnd + 2, end) });
  return end + 1;
}

/** Position after a name at `start`: a lower-case letter, then lower-case letters, digits and hyphens. */
function skipName(source: string, start: number): number {
  let end = start;
  for (; ; end++) {
    const code = source.charCodeAt(end);
    const isLetter = code >= 0x61 && code <= 0x7a;
    if (!isLetter && (end === start || !((code >= 0x30 && code <= 0x39) || code === 0x2d))) return end;
  }
}

const names: ReadonlyMap<string, string> = new Map(
  [...Object.values(html.TAG_NAMES), ...Object.values(html.ATTRS), 'class', 'style', 'href', 'id', 'src'].map(
    (name) => [name, name],
  ),
);

/** Returns the same string object for a common name, because it is compared often. */
function internName(name: string): string {
  return names.get(name) ?? name;
}
