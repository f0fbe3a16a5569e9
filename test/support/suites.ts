import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of tests, and of their helpers: path relative to the folder of tests, `/`-separated, → text. */
export type TestTexts = ReadonlyMap<string, string>;

/** Reads them. @param root absolute path of the folder of tests */
export function readTests(root: string): TestTexts {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  return new Map(
    paths.sort().map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')]),
  );
}

/**
 * What makes a test differ between `npm test` in a plain clone and the full suite on a machine with every program: tests that are skipped under a
 * condition, and files beside the repository.
 */
const differs = /\bLECTERN_REQUIRE_TOOLS\b|\b(?:skipIf|runIf)\b|\.skip\b|\.\.\/\.\.\/\.\.\/shared/;

/**
 * The test files that CI still has to run after the quick suite passed on the same commit: those that the quick suite leaves out, and those that
 * differ in it, also by a helper that they import. The others would do the same again.
 */
export function listRest(tests: TestTexts): readonly string[] {
  return [...tests.keys()].filter((path) => {
    if (!path.endsWith('.test.ts') || path.endsWith('.nightly.test.ts')) return false;
    return (
      path.endsWith('.full.test.ts') ||
      closureOf(path, tests).some((file) => differs.test(tests.get(file) ?? ''))
    );
  });
}

/** A file, and those below the folder of tests that it imports, directly or through others. */
function closureOf(path: string, tests: TestTexts): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    for (const [, name = ''] of (tests.get(file) ?? '').matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)) {
      const target = join(dirname(file), name).replaceAll('\\', '/');
      if (tests.has(target)) found.add(target);
    }
  }
  return [...found];
}
