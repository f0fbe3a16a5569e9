import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from '../../../src/pipeline/build.ts';
import { checkUpToDate } from '../../../src/pipeline/check-up-to-date.ts';

/** The part of the program that `lectern build` runs. */
export interface Program {
  readonly build: typeof build;
  readonly checkUpToDate: typeof checkUpToDate;
}

export const program: Program = { build, checkUpToDate };

/** The compiled program, which can start threads. `npm test` compiles it first. */
export async function loadCompiledProgram(): Promise<Program> {
  const load = async (name: string) =>
    import(fileURLToPath(new URL(`../../../lib/${name}`, import.meta.url)));
  return {
    ...((await load('pipeline/build.js')) as Program),
    ...((await load('pipeline/check-up-to-date.js')) as Program),
  };
}

/** Pages per part of the search index in these tests: few, so that small worlds have different numbers of parts. */
export const pagesPerPart = 8;

/** Options of a build with parts of this size. */
export function partOptions(pages: number): Partial<BuildOptions> {
  return { partSizes: { pages } };
}
