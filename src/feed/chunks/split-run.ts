import type { Section } from '../join-sections.ts';
import type { ChunkSettings } from './chunk-settings.ts';
import { type Piece, type RefineAtom, splitAtoms, sumTokens } from './split-atoms.ts';

interface GrowingPiece extends Piece {
  readonly atoms: Piece['atoms'][number][];
}

/**
 * Cuts a run of sections into chunks: each overlong section by itself, so that a small one joined to it never moves its
 * cuts; then what grew too long by joining.
 */
export function splitRun(
  run: readonly Section[],
  settings: ChunkSettings,
  refine: RefineAtom,
): readonly Piece[] {
  const pieces: GrowingPiece[] = [];
  for (const section of run) {
    for (const [at, piece] of splitAtoms(section, settings, refine).entries()) {
      const last = pieces.at(-1);
      // In place: a run of many small sections would otherwise be copied once per section.
      if (at === 0 && last !== undefined) for (const atom of piece.atoms) last.atoms.push(atom);
      else pieces.push({ ...piece, atoms: [...piece.atoms] });
    }
  }
  return pieces.flatMap((piece) =>
    sumTokens(piece.atoms) <= settings.softMaxTokens + settings.minTokens
      ? [piece]
      : splitAtoms(piece.atoms, settings, refine, { level: 64n, turns: piece.turns }),
  );
}
