// Writes the built-in scripts and style sheets minified into `templates/minified/`, which sites then publish instead. `npm run build` removes that
// folder, so that nobody who edits a script sees an old one.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** @param root folder of the package */
export function minifyTemplates(root) {
  for (const folder of ['', 'css']) {
    const from = join(root, 'templates/assets', folder);
    const to = join(root, 'templates/minified', folder);
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      const loader = /\.(js|css)$/.exec(name)?.[1];
      if (loader === undefined) continue;
      const { code } = transformSync(readFileSync(join(from, name), 'utf8'), {
        loader,
        minify: true,
        target: 'es2022',
      });
      writeFileSync(join(to, name), code);
    }
  }
}

if (process.argv[1] === import.meta.filename) minifyTemplates(join(import.meta.dirname, '..'));
