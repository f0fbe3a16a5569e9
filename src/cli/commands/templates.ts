import { defineCommand, defineGroup } from '../parser/command.ts';

const config = { type: 'string', describe: 'Configuration file (default lectern.config.json)' } as const;

const listCommand = defineCommand({
  options: { config, json: { type: 'boolean', describe: 'Print the list as JSON' } },
  examples: [['lectern templates list', 'What can be replaced, and what is']],
  run: async (flags) => (await import('../run-templates.ts')).runTemplatesList(flags),
});

const ejectCommand = defineCommand({
  positionals: { name: { describe: 'Name of a template, e.g. partials/footer' } },
  options: { config },
  examples: [['lectern templates eject article', 'Writes templates/article.eta']],
  run: async (flags) => (await import('../run-templates.ts')).runTemplatesEject(flags),
});

const diffCommand = defineCommand({
  positionals: { name: { describe: 'Name of a template (default: all that are replaced)' } },
  options: { config },
  examples: [['lectern templates diff', 'All replaced templates']],
  run: async (flags) => (await import('../run-templates.ts')).runTemplatesDiff(flags),
});

/** `lectern templates`: change a template and keep up with upgrades. */
export const templatesCommand = defineGroup(
  [
    {
      usage: 'list',
      describe: 'List every template, and which are replaced',
      load: () => listCommand,
    },
    {
      usage: 'eject <name>',
      describe: "Copy a built-in template into the site's own folder",
      load: () => ejectCommand,
    },
    {
      usage: 'diff [name]',
      describe: 'Show what your templates change of the built-in ones',
      load: () => diffCommand,
    },
  ],
  [
    ['lectern templates list', 'What can be replaced, and what is'],
    ['lectern templates eject partials/footer', 'A copy to edit'],
  ],
);
