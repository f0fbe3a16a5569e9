import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from '../../../src/build/build.ts';
import { checkUpToDate } from '../../../src/build/check-up-to-date.ts';

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
    ...((await load('build/build.js')) as Program),
    ...((await load('build/check-up-to-date.js')) as Program),
  };
}

/** Pages per partition in these tests: few, so that small worlds have different numbers of partitions. */
export const pagesPerPartition = 8;

/** Options of a build with partitions of this size. */
export function partitionOptions(pages: number): Partial<BuildOptions> {
  return { partitionSizes: { pages, documents: pages / 2 } };
}
