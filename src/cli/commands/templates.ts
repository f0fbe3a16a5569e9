import { relative } from 'node:path';
import { readVersion } from '../../core/file-system.ts';
import { resolveUserFolder } from '../../core/user-folder.ts';
import {
  builtInTemplates,
  diffTemplate,
  ejectTemplate,
  listTemplates,
  ownTemplates,
  type TemplateFolders,
} from '../../site/pages/template-files.ts';
import { defineCommand, defineGroup } from '../command.ts';
import { writeDocument, writeOutput } from '../terminal.ts';

const listCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print the result as JSON' } },
  examples: [['lectern templates list', 'All templates']],
  async run({ json }) {
    const templates = listTemplates(findFolders());
    if (json) {
      writeOutput(`${JSON.stringify(templates, null, 2)}\n`);
      return;
    }
    const width = Math.max(...templates.map(({ name }) => name.length));
    const lines = templates.map(({ name, own, ejected, hasDrifted }) => {
      if (own.length === 0) return name;
      const origin = ejected === null ? '' : `, ejected from ${ejected.version}`;
      const drift = hasDrifted ? '; the built-in one has changed since: lectern templates diff' : '';
      return `${name.padEnd(width)}  replaced by ${own.join(', ')}${origin}${drift}`;
    });
    writeOutput(`${lines.join('\n')}\n`);
  },
});

const ejectCommand = defineCommand({
  positionals: { name: { describe: 'Name of a template, e.g. partials/footer' } },
  options: {},
  examples: [['lectern templates eject article', 'Writes templates/article.eta']],
  async run({ name }) {
    const path = await ejectTemplate(findFolders(), name, readVersion());
    writeOutput(`${relative(process.cwd(), path)}\n`);
  },
});

const diffCommand = defineCommand({
  positionals: { name: { describe: 'Name of a template (default: all of yours)' } },
  options: {},
  examples: [['lectern templates diff', 'All replaced templates']],
  async run({ name }) {
    const folders = findFolders();
    const replaced = listTemplates(folders).filter(({ own }) => own.length > 0);
    for (const one of name === undefined ? replaced.map((template) => template.name) : [name]) {
      const lines = await diffTemplate(folders, one);
      if (lines.length === 0) continue;
      writeDocument(`--- built-in ${one}.eta\n+++ ${one}.eta\n${lines.join('\n')}\n`);
    }
  },
});

/** `lectern templates`: changes a template and helps to keep up with upgrades. */
export const templatesCommand = defineGroup([
  { usage: 'list', describe: 'List all templates and mark yours', load: () => listCommand },
  {
    usage: 'eject <name>',
    describe: 'Copy a built-in template into your templates folder',
    load: () => ejectCommand,
  },
  {
    usage: 'diff [name]',
    describe: 'Compare your templates with the built-in ones',
    load: () => diffCommand,
  },
]);

function findFolders(): TemplateFolders {
  return { builtIn: builtInTemplates, own: resolveUserFolder(process.cwd(), ownTemplates) };
}
