import { relative } from 'node:path';
import { readVersion } from '../../core/file-system.ts';
import { resolveUserFolder } from '../../core/user-folder.ts';
import {
  builtInTemplates,
  diffTemplate,
  ejectTemplate,
  listTemplates,
  type TemplateFolders,
} from '../../site/pages/template-files.ts';
import { defineCommand, defineGroup } from '../command.ts';
import { readConfig } from '../read-config.ts';
import { writeDocument, writeOutput } from '../terminal.ts';

const config = { type: 'string', describe: 'Configuration file (default lectern.config.json)' } as const;

const listCommand = defineCommand({
  options: { config, json: { type: 'boolean', describe: 'Print the result as JSON' } },
  examples: [['lectern templates list', 'All templates']],
  run: runTemplatesList,
});

const ejectCommand = defineCommand({
  positionals: { name: { describe: 'Name of a template, e.g. partials/footer' } },
  options: { config },
  examples: [['lectern templates eject article', 'Writes templates/article.eta']],
  run: runTemplatesEject,
});

const diffCommand = defineCommand({
  positionals: { name: { describe: 'Name of a template (default: all of yours)' } },
  options: { config },
  examples: [['lectern templates diff', 'All replaced templates']],
  run: runTemplatesDiff,
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

interface ConfigFlag {
  readonly config: string | undefined;
}

/** Runs `lectern templates list`. */
async function runTemplatesList(flags: ConfigFlag & { readonly json: boolean | undefined }): Promise<void> {
  const templates = await listTemplates(await templateFoldersOf(flags));
  if (flags.json) {
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
}

/** Runs `lectern templates eject`. */
async function runTemplatesEject(flags: ConfigFlag & { readonly name: string }): Promise<void> {
  const path = await ejectTemplate(await templateFoldersOf(flags), flags.name, readVersion());
  writeOutput(`${relative(process.cwd(), path)}\n`);
}

/** Runs `lectern templates diff`; prints nothing if nothing differs. */
async function runTemplatesDiff(flags: ConfigFlag & { readonly name: string | undefined }): Promise<void> {
  const folders = await templateFoldersOf(flags);
  const replaced = (await listTemplates(folders)).filter(({ own }) => own.length > 0).map(({ name }) => name);
  for (const name of flags.name === undefined ? replaced : [flags.name]) {
    const lines = await diffTemplate(folders, name);
    if (lines.length === 0) continue;
    writeDocument(`--- built-in ${name}.eta\n+++ ${name}.eta\n${lines.join('\n')}\n`);
  }
}

async function templateFoldersOf({ config }: ConfigFlag): Promise<TemplateFolders> {
  const { site } = await readConfig(config);
  const own = resolveUserFolder(process.cwd(), site.templates);
  return { builtIn: builtInTemplates, own };
}
