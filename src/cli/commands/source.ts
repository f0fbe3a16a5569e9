import { clientFlags } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern source`: the chatbot source page of the service. */
export const sourceCommand = defineCommand({
  options: {
    ...clientFlags,
    language: { type: 'string', describe: 'Only this language' },
    text: { type: 'boolean', default: false, describe: 'Print text instead of JSON' },
  },
  examples: [
    ['lectern source --language de', 'One language'],
    ['lectern source --text > source.txt', 'As plain text'],
  ],
  run: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const { printJson } = await import('../terminal.ts');
    const query = { language_code: flags.language };
    if (flags.text) {
      const { writeDocument } = await import('../terminal.ts');
      writeDocument(await withClient(flags, (client) => client.readSourceText(query)));
    } else printJson(await withClient(flags, (client) => client.readSourcePage(query)));
  },
});
