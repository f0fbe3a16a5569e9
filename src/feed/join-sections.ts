import { type Atom, sumTokens } from './chunks/split-atoms.ts';

/** Atoms of one h2 or h3 section, or of the text above the first. */
export type Section = readonly Atom[];

/**
 * Groups sections into runs: a section below the minimum is joined to the run before it, and a beginning below the
 * minimum to what follows.
 *
 * h3 sections are weighed against their h2 section alone, and h2 sections (with what is below them) against each other,
 * so that growing one section can add a boundary beside it and never moves or removes one elsewhere.
 */
export function joinSections(atoms: readonly Atom[], minTokens: number): readonly (readonly Section[])[] {
  const chapters = cutBefore(atoms, 2).map((chapter) => joinSmall(cutBefore(chapter, 3), minTokens));
  const joined = joinSmall(
    chapters.map((runs) => runs.flat(2)),
    minTokens,
  );
  const starts = new Set(joined.map(([first]) => first?.[0]));
  const runs: Section[][] = [];
  for (const chapter of chapters) {
    for (const [at, run] of chapter.entries()) {
      if (at > 0 || starts.has(run[0]?.[0])) runs.push([...run]);
      else runs.at(-1)?.push(...run);
    }
  }
  return runs;
}

/** Cuts before every heading of this level or a stronger one. */
function cutBefore(atoms: readonly Atom[], level: number): readonly Section[] {
  const sections: Atom[][] = [];
  for (const atom of atoms) {
    const current = sections.at(-1);
    if (current === undefined || atom.level <= level) sections.push([atom]);
    else current.push(atom);
  }
  return sections;
}

function joinSmall(sections: readonly Section[], minTokens: number): readonly (readonly Section[])[] {
  const runs: Section[][] = [];
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
