import { InsertionMode, Parser } from 'parse5';
import { BodyTokenizer } from './body-tokenizer.ts';
import { htmlNamespace, type SourceMap, SourceNode, sourceTreeAdapter } from './source-tree.ts';

/** Bodies are published inside a `<div>`, so they are parsed as a browser parses the content of one. */
const context = new SourceNode('div', htmlNamespace, [], '');

/**
 * Parses author HTML as a browser does; never throws. The children of the root are the body's. Where a browser would repeat
 * unclosed formatting in every paragraph until the page is many times its source, the repetition ends.
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

  /** Whether text goes to the current element, white space and all. */
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
