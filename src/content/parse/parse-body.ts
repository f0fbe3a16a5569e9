import { html, InsertionMode, Parser, Token, Tokenizer } from 'parse5';
import { htmlNamespace, type SourceMap, SourceNode, sourceTreeAdapter } from './source-tree.ts';

/** Bodies are published inside a `<div>`, so they are parsed as a browser parses the content of one. */
const context = new SourceNode('div', htmlNamespace, [], '');

/**
 * Parses author HTML as a browser does; never throws. The children of the root are the body's. Where a browser would repeat
 * unclosed formatting in every paragraph until the page is many times its source, the repetition ends.
 *
 * The two classes below override internals of parse5, which a minor release may change: package.json names its exact version, and
 * a property test compares the tree with that of plain parse5. Without them the content stage takes about a fifth longer.
 */
export function parseBody(body: string): SourceNode {
  const parser = BodyParser.getFragmentParser(context, { treeAdapter: sourceTreeAdapter }) as BodyParser;
  const tokenizer = new BodyTokenizer(parser.options, parser);
  tokenizer.isPlainText = () => parser.isPlainText();
  tokenizer.preprocessor.bufferWaterline = Number.POSITIVE_INFINITY;
  parser.tokenizer = tokenizer;
  parser.repetitionsLeft = 1000 + body.length / 8;
  parser.tokenizer.write(body, true);
  return parser.document.first ?? parser.document;
}

class BodyParser extends Parser<SourceMap> {
  /** How many elements may still be opened again. */
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
    // The common case, without the call: nothing is to be opened again.
    if (newest === null || newest.type === marker || openElements.contains(newest.element)) return;
    if (this.repetitionsLeft <= 0) return;
    const depth = openElements.stackTop;
    super._reconstructActiveFormattingElements();
    this.repetitionsLeft -= openElements.stackTop - depth;
  }
}

/** The type of an entry that ends the search for formatting: a table cell or the like began there. */
const marker = 0;

/**
 * parse5's tokenizer with long strides: text and quoted attribute values are taken up to the next character that means
 * something, not a character at a time, text reaches the tree in one piece, not a word at a time, and a tag that is written
 * as most are (`<a href="…">`, lower case, double quotes, no reference) is taken whole. Where the parser distinguishes words
 * and spaces (in tables, after `<pre>`, in foreign content), `isPlainText` sends text the usual way.
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
    // Decoded references and what else is pending come first.
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
    // Text before the tag is still the character token's.
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

/** End of input, NUL, a reference or a tag; a line feed may be a carriage return, which is one character of two. */
function isSignificant(cp: number): boolean {
  return cp <= 0x0d || cp === lessThan || cp === ampersand;
}

/** Position of the first character from `start` on that ends a stride. */
function strideEnd(html: string, start: number, delimiter: number): number {
  let end = start;
  for (; end < html.length; end++) {
    const code = html.charCodeAt(end);
    if (code === delimiter || code === ampersand || code === 0 || code === carriageReturn) break;
  }
  return end;
}

/** Attributes of a usual tag; to look for a name given twice among many takes another way. */
const maxAttributes = 16;

/** Reads `name="value"` at `start`; returns the position after it, or -1 if it is written in another way or one too many. */
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

/** Position after the lower-case letters, digits and hyphens, a letter first, at `start`. */
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

/** The one spelling of a common name in memory: it is compared with others many times. */
function internName(name: string): string {
  return names.get(name) ?? name;
}
