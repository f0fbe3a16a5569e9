import type { ChunkSettings } from './chunk-settings.ts';

/** A stretch of Markdown that should stay whole: a block with the heading or the introducing line before it. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  /** Tokens including the blank lines up to the next atom. */
  readonly tokens: number;
  /** Level of the heading it starts with; 9 without one. */
  readonly level: number;
  /** A number made from its opening words: in a section that has to be cut, the lowest goes first. */
  readonly rank: number;
}

/** Cuts an atom that is over the maximum into smaller ones; gives it back alone when it cannot. */
export type RefineAtom = (atom: Atom) => readonly Atom[];

/** What stays together after cutting. */
export interface Piece {
  readonly atoms: readonly Atom[];
  /**
   * Which piece of a cut it is, as bits: at each level of cutting the second part gets that level's bit and the first
   * keeps the name it had. A further cut therefore renames nothing but its own second part, unlike counting would.
   */
  readonly turns: bigint;
}

/**
 * Cuts atoms into pieces of at most the soft maximum, where that is possible between atoms: in two, and again.
 * Each cut goes before the strongest heading inside, and among equals before the atom whose opening words hash lowest:
 * content decides and not counting, so an inserted paragraph moves no cut elsewhere.
 */
export function splitAtoms(
  atoms: readonly Atom[],
  settings: ChunkSettings,
  refine: RefineAtom,
  place: { readonly level: bigint; readonly turns: bigint } = { level: 0n, turns: 0n },
): readonly Piece[] {
  const tokens = sumTokens(atoms);
  const { level, turns } = place;
  const whole = [{ atoms, turns }];
  if (tokens <= settings.softMaxTokens) return whole;
  const cut = chooseCut(atoms, tokens, settings);
  if (cut !== null) {
    const first = { level: level + 1n, turns };
    const second = { level: level + 1n, turns: turns | (1n << level) };
    return [
      ...splitAtoms(atoms.slice(0, cut), settings, refine, first),
      ...splitAtoms(atoms.slice(cut), settings, refine, second),
    ];
  }
  if (tokens <= settings.maxTokens) return whole;
  const refined = atoms.flatMap((atom) => (atom.tokens > settings.minTokens ? refine(atom) : [atom]));
  return refined.length > atoms.length ? splitAtoms(refined, settings, refine, place) : whole;
}

export function sumTokens(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.tokens, 0);
}

/** Index of the atom a cut goes before; `null` when every cut would leave a stub. */
function chooseCut(atoms: readonly Atom[], tokens: number, settings: ChunkSettings): number | null {
  for (const side of [settings.targetTokens / 2, settings.minTokens]) {
    let best: Candidate | null = null;
    let before = 0;
    for (const [cut, { level, rank, tokens: own }] of atoms.entries()) {
      const room = level <= 3 ? settings.minTokens : side;
      const nearest = Math.min(before, tokens - before);
      if (nearest >= room) {
        const candidate = { cut, level, rank, nearest };
        if (best === null || isBetter(candidate, best)) best = candidate;
      }
      before += own;
    }
    if (best !== null) return best.cut;
  }
  return null;
}

interface Candidate {
  readonly cut: number;
  readonly level: number;
  readonly rank: number;
  /** Tokens of the smaller side. */
  readonly nearest: number;
}

/** Of equals the one nearer to the middle: a text that says the same again and again is halved, not peeled. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.level !== other.level) return one.level < other.level;
  if (one.rank !== other.rank) return one.rank < other.rank;
  return one.nearest > other.nearest;
}
