import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema, type UserConfig } from '../../src/core/config/schema.ts';
import { hashInputs } from '../../src/pipeline/hash-inputs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the hash of program, settings and templates', () => {
  function inputsOf(
    config: UserConfig = {},
    program = 'program',
    templates: Readonly<Record<string, string>> = {},
  ) {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(templates)) {
      mkdirSync(join(folder, 'templates/hooks'), { recursive: true });
      writeFileSync(join(folder, 'templates', name), text);
    }
    const templatesFolder = join(folder, 'templates');
    return hashInputs(configSchema.parse(config), {
      generator: 'lectern test',
      program,
      templatesFolder,
      publicFolder: join(folder, 'public'),
    });
  }

  it('is the same for the same, wherever it is', () => {
    const templates = { 'hooks/head.eta': 'x' };
    expect(inputsOf({}, 'program', templates)).toBe(inputsOf({}, 'program', templates));
  });

  it.each<[string, () => string]>([
    ['a setting', () => inputsOf({ site: { title: 'Other' } })],
    ['the program', () => inputsOf({}, 'another program')],
    ['a template', () => inputsOf({}, 'program', { 'hooks/head.eta': 'x' })],
  ])('changes with %s', (_what, other) => {
    expect(other()).not.toBe(inputsOf());
  });
});
