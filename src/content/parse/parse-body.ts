// parse5 parses HTML exactly as browsers do, which the safety of author HTML depends on.
import { Parser } from 'parse5';
import { htmlNamespace, type SourceMap, SourceNode, sourceTreeAdapter } from './source-tree.ts';
import { isStorageFormat, storageToHtml } from './storage-format.ts';
import { endPlayers } from './unclosed-players.ts';

/** Bodies are published inside a `<div>`, so they are parsed as a browser parses the content of one. */
const context = new SourceNode('div', htmlNamespace, [], '');

/**
 * Parses author HTML as a browser does; never throws. The children of the root are those of the body. A browser repeats unclosed formatting
 * in every paragraph; here the repetition ends before the page is many times larger than its source. Nor does a player without an end take the rest.
 *
 * The class below overrides an internal method of parse5, which a minor release may change. Therefore package.json pins its exact version, and
 * a property test compares the tree with that of plain parse5.
 */
export function parseBody(body: string): SourceNode {
  const parser = BodyParser.getFragmentParser(context, { treeAdapter: sourceTreeAdapter }) as BodyParser;
  parse(parser, endPlayers(isStorageFormat(body) ? storageToHtml(body) : body));
  return parser.document.first ?? parser.document;
}

/** Parses a whole page of another site, with its head, as a browser does; never throws. The only child of the root is `<html>`. */
export function parsePage(page: string): SourceNode {
  const parser = new BodyParser({ treeAdapter: sourceTreeAdapter });
  parse(parser, page);
  return parser.document;
}

function parse(parser: BodyParser, source: string): void {
  parser.repetitionsLeft = 1000 + source.length / 8;
  parser.tokenizer.write(source, true);
}

class BodyParser extends Parser<SourceMap> {
  /** How many more elements may be opened again. */
  repetitionsLeft = 0;

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
