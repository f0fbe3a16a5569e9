import { fileURLToPath } from 'node:url';
import { build } from '../../../src/pipeline/build.ts';
import type { BuildOptions } from '../../../src/pipeline/build-options.ts';

/** The part of the program that `lectern build` runs. */
export interface Program {
  readonly build: typeof build;
}

export const program: Program = { build };

/** The compiled program, which can start threads. `npm test` compiles it first. */
export async function loadCompiledProgram(): Promise<Program> {
  const path = fileURLToPath(new URL('../../../lib/pipeline/build.js', import.meta.url));
  return (await import(path)) as Program;
}

/** Pages per part of the search index in these tests: few, so that small worlds have different numbers of parts. */
export const pagesPerPart = 8;

/** Options of a build with parts of this size. */
export function partOptions(pages: number): Partial<BuildOptions> {
  return { pagesPerPart: pages };
}
