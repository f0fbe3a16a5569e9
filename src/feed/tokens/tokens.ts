import { createRequire } from 'node:module';
import { createUnitReader } from '../chunks/text-units.ts';
import { rememberCounts } from './piece-counts.ts';
import { pieceEnd } from './piece-end.ts';

/** Counts the tokens of a text. Pure; the same text always gives the same number. */
export type CountTokens = (text: string) => number;

/** The tokenizer that is installed: the manifest names it, and where it changes, chunks may be cut at other places. */
export function describeTokenizer(): Tokenizer {
  const require = createRequire(import.meta.url);
  const { name, version } = require('gpt-tokenizer/package.json') as Pick<Tokenizer, 'name' | 'version'>;
  return { name, version, encoding: 'o200k_base' };
}

interface Tokenizer {
  readonly name: string;
  readonly version: string;
  readonly encoding: string;
}

/** Merging byte pairs costs the square of a piece's length; a piece longer than this is counted in windows. */
const longPieceChars = 1000;
const windowChars = 250;

/**
 * Loads the tokenizer (120 ms and some 30 MB, therefore only when a feed is made).
 * Counts are exact, except that an unbroken run of over 1,000 letters or signs is counted in windows.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text such as `<|endoftext|>` is content here, never a control token.
  const asText = { disallowedSpecial: new Set<string>() };
  const readUnits = createUnitReader();
  const countKnown = rememberCounts((piece) => countTokens(piece, asText));

  const countWindows = (piece: string): number => {
    let tokens = 0;
    for (let at = 0; at < piece.length; at += windowChars) {
      tokens += countTokens(piece.slice(at, at + windowChars), asText);
    }
    return tokens;
  };
  // The encoding first splits a text into pieces and never merges across them, so the sum over pieces is exact.
  return (text) => {
    const units = readUnits(text);
    let tokens = 0;
    for (let at = 0; at < text.length; ) {
      const end = pieceEnd(units, at, text.length);
      tokens += end - at > longPieceChars ? countWindows(text.slice(at, end)) : countKnown(units, at, end);
      at = end;
    }
    return tokens;
  };
}
