/** Sizes of chunks, in tokens of their Markdown. */
export interface ChunkSettings {
  /** A smaller section is joined to its neighbour. */
  readonly minTokens: number;
  /** Target size when an overlong section is cut. */
  readonly targetTokens: number;
  /** A larger section is cut between its blocks. */
  readonly softMaxTokens: number;
  /** A larger table, code block, list or callout is cut, too. */
  readonly maxTokens: number;
}

/** A range of Markdown that should not be cut: a block with the heading or introducing line before it. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  /** Tokens including the blank lines up to the next atom. */
  readonly tokens: number;
  /** Level of the heading it starts with; 9 if there is none. */
  readonly level: number;
  /** Computed from its opening words: if a section has to be cut, the cut goes before the lowest rank. */
  readonly rank: number;
}

/** Cuts an atom that exceeds the maximum into smaller ones; returns only the atom if it cannot be cut. */
type RefineAtom = (atom: Atom) => readonly Atom[];

/** A part after cutting. */
interface ChunkPart {
  readonly atoms: readonly Atom[];
  /**
   * Identifies a part of a cut section as bits: at each level of cutting, the second part gets the bit of that level and the first keeps
   * its name. So unlike numbering, a further cut renames only its own second part.
   */
  readonly turns: bigint;
}

/**
 * Cuts atoms into parts of at most the soft maximum, if cuts between atoms allow it, by repeated halving. Each cut goes before the
 * strongest heading inside; of equal headings, before the atom whose opening words hash lowest. The content decides, so an inserted
 * paragraph does not move other cuts.
 */
export function splitAtoms(
  atoms: readonly Atom[],
  settings: ChunkSettings,
  refine: RefineAtom,
  position: { readonly level: bigint; readonly turns: bigint } = { level: 0n, turns: 0n },
): readonly ChunkPart[] {
  const tokens = sumTokens(atoms);
  const { level, turns } = position;
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
  return refined.length > atoms.length ? splitAtoms(refined, settings, refine, position) : whole;
}

function sumTokens(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.tokens, 0);
}

/** Index of the atom that a cut goes before; `null` if every cut would leave a part that is too small. */
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

/** Returns whether a cut is better. If two are equal, the one nearer to the middle is: a repetitive text is halved instead of losing one atom per cut. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.level !== other.level) return one.level < other.level;
  if (one.rank !== other.rank) return one.rank < other.rank;
  return one.nearest > other.nearest;
}

interface GrowingPart extends ChunkPart {
  readonly atoms: ChunkPart['atoms'][number][];
}

/**
 * Cuts a run of sections into chunks. Each overlong section is cut separately, so that a small section joined to it does not move its cuts.
 * Then it cuts what became too long by joining.
 */
export function splitRun(
  run: readonly SectionAtoms[],
  settings: ChunkSettings,
  refine: RefineAtom,
): readonly ChunkPart[] {
  const parts: GrowingPart[] = [];
  for (const section of run) {
    for (const [at, part] of splitAtoms(section, settings, refine).entries()) {
      const last = parts.at(-1);
      // Appends in place: a run of many small sections would otherwise be copied once per section.
      if (at === 0 && last !== undefined) for (const atom of part.atoms) last.atoms.push(atom);
      else parts.push({ ...part, atoms: [...part.atoms] });
    }
  }
  return parts.flatMap((part) =>
    sumTokens(part.atoms) <= settings.softMaxTokens + settings.minTokens
      ? [part]
      : splitAtoms(part.atoms, settings, refine, { level: 64n, turns: part.turns }),
  );
}

/** Atoms of one h2 or h3 section, or of the text above the first. */
type SectionAtoms = readonly Atom[];

/**
 * Groups sections into runs: a section below the minimum is joined to the run before it, and a start below the minimum to the next section.
 *
 * h3 sections are compared only within their h2 section, and h2 sections (with their h3 sections) with each other. So a growing section can
 * add a boundary next to it, but never moves or removes a boundary elsewhere.
 */
export function joinSections(
  atoms: readonly Atom[],
  minTokens: number,
): readonly (readonly SectionAtoms[])[] {
  const chapters = cutBefore(atoms, 2).map((chapter) => joinSmall(cutBefore(chapter, 3), minTokens));
  const joined = joinSmall(
    chapters.map((runs) => runs.flat(2)),
    minTokens,
  );
  const starts = new Set(joined.map(([first]) => first?.[0]));
  const runs: SectionAtoms[][] = [];
  for (const chapter of chapters) {
    for (const [at, run] of chapter.entries()) {
      if (at > 0 || starts.has(run[0]?.[0])) runs.push([...run]);
      else runs.at(-1)?.push(...run);
    }
  }
  return runs;
}

/** Cuts before every heading of this level or a stronger one. */
function cutBefore(atoms: readonly Atom[], level: number): readonly SectionAtoms[] {
  const sections: Atom[][] = [];
  for (const atom of atoms) {
    const current = sections.at(-1);
    if (current === undefined || atom.level <= level) sections.push([atom]);
    else current.push(atom);
  }
  return sections;
}

function joinSmall(
  sections: readonly SectionAtoms[],
  minTokens: number,
): readonly (readonly SectionAtoms[])[] {
  const runs: SectionAtoms[][] = [];
  let runTokens = 0;
  for (const section of sections) {
    const tokens = sumTokens(section);
    const current = runs.at(-1);
    if (current === undefined || (runTokens >= minTokens && tokens >= minTokens)) {
      runs.push([section]);
      runTokens = tokens;
    } else {
      current.push(section);
      runTokens += tokens;
    }
  }
  return runs;
}
