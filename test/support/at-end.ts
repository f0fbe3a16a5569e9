import { onTestFinished, TestRunner } from 'vitest';

const ofFile: (() => unknown)[] = [];

/** Calls a function when the test ends, or outside of a test when the tests of the file end; the last one first. */
export function atEnd(act: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) ofFile.push(act);
  else
    onTestFinished(async () => {
      await act();
    });
}

/** Calls what `atEnd` got outside of tests. */
export async function endFile(): Promise<void> {
  for (const act of ofFile.splice(0).reverse()) await act();
}
