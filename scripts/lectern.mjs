#!/usr/bin/env node
// What package managers link as `lectern`. It is a part of the source, because `lib/` is not: an installation from Git whose scripts did not run has
// no `lib/`, and must say so.
import { existsSync } from 'node:fs';

const program = new URL('../lib/bin.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write(
    'error: Lectern was installed from Git without being built, because its scripts did not run (ignore-scripts).\n' +
      'hint: run npm uninstall lectern, and then npm install --save-dev --ignore-scripts=false with the same URL; or install a packed file\n',
  );
  process.exitCode = 1;
}
