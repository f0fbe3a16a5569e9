import { defineCommand } from '../command.ts';
import { configFlag } from '../flags.ts';
import { writeOutput } from '../terminal.ts';

/** `lectern config`: every setting with its value and origin. */
export const configCommand = defineCommand({
  options: { config: configFlag, json: { type: 'boolean', describe: 'Print the result as JSON' } },
  examples: [
    ['lectern config', 'The settings of a build'],
    ['lectern config --json', 'The same as JSON'],
  ],
  epilogue:
    'The API key is never shown, only whether it is set. Flags of the last build are not shown, although ' +
    'a build without a source uses them again.',
  async run(flags) {
    // Loaded only now, because help needs no schema library.
    const { formatValue, listDefaults, loadConfig } = await import('../../core/config/load-config.ts');
    const { valueAt } = await import('../../core/schema.ts');
    const { env: environment } = process;
    const { config, originOf } = await loadConfig({
      file: flags.config,
      environment,
      flags: {},
      folder: process.cwd(),
    });
    // Settings of another kind of source have no value in this configuration.
    const rows = Array.from(listDefaults(), ([path, value]) => {
      const parts = path.split('.');
      return { path, value: valueAt(config, parts) ?? value, origin: originOf(parts) };
    });
    if (flags.json) {
      const entries = rows.map(({ path, value, origin }) => [path, { value: value ?? null, origin }]);
      writeOutput(`${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
      return;
    }
    const width = Math.max(...rows.map(({ path }) => path.length));
    const lines = rows.map(({ path, value, origin }) => {
      return `${path.padEnd(width)}  ${value === undefined ? '—' : `${formatValue(value)}  (${origin})`}`;
    });
    const key = environment.LECTERN_API_KEY ? 'is set' : 'is not set';
    writeOutput(`${[...lines, '', `LECTERN_API_KEY ${key}`].join('\n')}\n`);
  },
});
