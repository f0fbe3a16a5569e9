import type { Argv, CommandModule } from 'yargs';

interface TemplatesFlags {
  readonly config: string | undefined;
}

/** `lectern templates`: change a template and keep up with upgrades. */
export const templatesCommand: CommandModule = {
  command: 'templates',
  describe: 'List, eject and compare the templates of the site',
  builder: (yargs) =>
    yargs
      .command(listCommand)
      .command(ejectCommand)
      .command(diffCommand)
      .demandCommand(1, 'which one: list, eject or diff?')
      .example('$0 templates list', 'What can be replaced, and what is')
      .example('$0 templates eject partials/footer', 'A copy to edit'),
  handler: () => {},
};

const listCommand: CommandModule<object, TemplatesFlags & { readonly json: boolean | undefined }> = {
  command: 'list',
  describe: 'List every template, and which are replaced',
  builder: (yargs) =>
    withConfig(yargs)
      .option('json', { type: 'boolean', describe: 'Print the list as JSON' })
      .example('$0 templates list', 'What can be replaced, and what is'),
  handler: async (flags) => (await import('../run-templates.ts')).runTemplatesList(flags),
};

const ejectCommand: CommandModule<object, TemplatesFlags & { readonly name: string }> = {
  command: 'eject <name>',
  describe: "Copy a built-in template into the site's own folder",
  builder: (yargs) =>
    withName(withConfig(yargs)).example('$0 templates eject article', 'Writes templates/article.eta'),
  handler: async (flags) => (await import('../run-templates.ts')).runTemplatesEject(flags),
};

const diffCommand: CommandModule<object, TemplatesFlags & { readonly name: string | undefined }> = {
  command: 'diff [name]',
  describe: 'Show what your templates change of the built-in ones',
  builder: (yargs) =>
    withConfig(yargs)
      .positional('name', { type: 'string', describe: 'Name of a template (default: all that are replaced)' })
      .example('$0 templates diff', 'All replaced templates'),
  handler: async (flags) => (await import('../run-templates.ts')).runTemplatesDiff(flags),
};

function withConfig<T>(yargs: Argv<T>) {
  return yargs.option('config', {
    type: 'string',
    describe: 'Configuration file (default lectern.config.json)',
  });
}

function withName<T>(yargs: Argv<T>) {
  return yargs.positional('name', {
    type: 'string',
    demandOption: true,
    describe: 'Name of a template, e.g. partials/footer',
  });
}
