import { defineCommand, defineGroup } from '../parser/command.ts';
import { printJson } from '../print-json.ts';

const data = {
  type: 'string',
  default: 'lectern.sqlite',
  describe: 'SQLite file of the knowledge base',
} as const;

const createCommand = defineCommand({
  positionals: { name: { describe: 'What the key is for' } },
  options: {
    data,
    access: {
      type: 'string',
      choices: ['read', 'write'],
      default: 'read',
      describe: 'write: may also create, change and delete',
    },
  },
  examples: [
    ['lectern keys create export', 'A key that may read'],
    ['lectern keys create editor --access write', 'A key that may change'],
  ],
  run: async ({ data, name, access }) => {
    const { createKey } = await import('../../service/keys/manage-keys.ts');
    printJson({ ...createKey(data, name, access), name, access });
  },
});

const listCommand = defineCommand({
  options: { data },
  examples: [['lectern keys list', 'Names and ids']],
  run: async ({ data }) => {
    const { listKeys } = await import('../../service/keys/manage-keys.ts');
    printJson({ keys: listKeys(data) });
  },
});

const revokeCommand = defineCommand({
  positionals: { id: { describe: 'The id that list shows' } },
  options: { data },
  examples: [['lectern keys revoke k4fq8d7s9x', 'No longer valid']],
  run: async ({ data, id }) => {
    const { revokeKey } = await import('../../service/keys/manage-keys.ts');
    revokeKey(data, id);
    printJson({ revoked: id });
  },
});

/** `lectern keys`: the API keys of a served knowledge base. */
export const keysCommand = defineGroup(
  [
    { usage: 'create <name>', describe: 'Make a key and print it, once', load: () => createCommand },
    { usage: 'list', describe: 'List keys, without the keys themselves', load: () => listCommand },
    { usage: 'revoke <id>', describe: 'Make a key useless at once', load: () => revokeCommand },
  ],
  [['lectern keys create export', 'A key that may read']],
);
