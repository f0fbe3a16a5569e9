import { Token, Tokenizer } from 'parse5';

/**
 * parse5's tokenizer with long strides: text and quoted attribute values are taken up to the next character that means
 * something, not a character at a time, and text reaches the tree in one piece, not a word at a time. Only where words and
 * spaces are told apart (in tables, after `<pre>`, in foreign content) does `isPlainText` send it the usual way.
 */
export class BodyTokenizer extends Tokenizer {
  /** Whether text goes to the tree just as it is. */
  isPlainText: () => boolean = () => false;

  override _stateData(cp: number): void {
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
}

const quotationMark = 0x22;
const ampersand = 0x26;
const lessThan = 0x3c;
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
