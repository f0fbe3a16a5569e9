import type { CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';

interface SourceFlags extends ClientFlags {
  readonly language: string | undefined;
  readonly text: boolean;
}

/** `lectern source`: the chatbot source page of the service. */
export const sourceCommand: CommandModule<object, SourceFlags> = {
  command: 'source',
  describe: 'Print the chatbot source page: all public articles as plain text',
  builder: (yargs) =>
    withClientFlags(yargs)
      .options({
        language: { type: 'string', describe: 'Only this language' },
        text: { type: 'boolean', default: false, describe: 'The text form instead of JSON' },
      })
      .example('$0 source --language de', 'One language')
      .example('$0 source --text > source.txt', 'As plain text'),
  handler: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const { printJson } = await import('../print-json.ts');
    const query = { language_code: flags.language };
    if (flags.text) process.stdout.write(await withClient(flags, (client) => client.readSourceText(query)));
    else printJson(await withClient(flags, (client) => client.readSourcePage(query)));
  },
};
