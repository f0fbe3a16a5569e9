import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const lectern = (...args: string[]) => runLectern(args, { cwd: folder });

it('lectern templates ejects a copy, lists it, and shows the changes in it', async () => {
  expect((await lectern('templates', 'list')).stdout).toMatch(/^partials\/footer$/m);
  const ejected = await lectern('templates', 'eject', 'partials/footer');
  expect(ejected).toMatchObject({ code: 0, stdout: 'templates/partials/footer.eta\n' });
  expect((await lectern('templates', 'diff')).stdout).toBe('');
  await appendFile(join(folder, 'templates/partials/footer.eta'), '<p>ours</p>\n');
  expect((await lectern('templates', 'list')).stdout).toMatch(
    /^partials\/footer +replaced by partials\/footer\.eta, ejected from \d/m,
  );
  expect((await lectern('templates', 'diff')).stdout).toMatch(
    /^--- built-in partials\/footer\.eta\n[\s\S]*^\+<p>ours<\/p>$/m,
  );
  expect(await lectern('templates', 'eject', 'partials/footer')).toMatchObject({ code: 1 });
  expect(await lectern('templates', 'eject', 'nothing')).toMatchObject({ code: 2 });
  expect((await lectern('templates', 'eject', 'footer')).stderr).toContain(
    'unknown template "footer"; did you mean partials/footer?',
  );
});

it('lectern completion prints a script for the shell, and answers it', async () => {
  expect((await lectern('completion')).stdout).toContain('complete -o bashdefault');
  const { stdout } = await lectern('--get-completions', 'build', '--');
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['--site-url', '--offline']));
});
