import { dataFlag, readDataFlag } from '../flags.ts';
import { defineCommand, defineGroup } from '../parser/command.ts';
import { printJson } from '../terminal.ts';

const createCommand = defineCommand({
  positionals: { name: { describe: 'Name of the key' } },
  options: {
    data: dataFlag,
    access: {
      type: 'string',
      choices: ['read', 'write', 'count'],
      default: 'read',
      describe: 'Rights of the key; count: views only',
    },
    expires: {
      type: 'string',
      describe: 'End of the key, e.g. 90d or 2030-12-31; default: it does not expire',
    },
  },
  examples: [
    ['lectern keys create export', 'A read-only key'],
    ['lectern keys create editor --access write --expires 90d', 'A key that can write for 90 days'],
    ['lectern keys create website --access count', 'A key that can only count views'],
  ],
  run: async ({ data, name, access, expires }) => {
    const { createKey } = await import('../../service/keys/manage-keys.ts');
    printJson(await createKey(readDataFlag(data), name, access, expires ?? null));
  },
});

const listCommand = defineCommand({
  options: { data: dataFlag },
  examples: [['lectern keys list', 'Names and ids']],
  run: async ({ data }) => {
    const { listKeys } = await import('../../service/keys/manage-keys.ts');
    printJson({ keys: await listKeys(readDataFlag(data)) });
  },
});

const revokeCommand = defineCommand({
  positionals: { id: { describe: 'Id of the key (lectern keys list)' } },
  options: { data: dataFlag },
  examples: [['lectern keys revoke k4fq8d7s9x', 'Revoke this key']],
  run: async ({ data, id }) => {
    const { revokeKey } = await import('../../service/keys/manage-keys.ts');
    await revokeKey(readDataFlag(data), id);
    printJson({ revoked: id });
  },
});

/** `lectern keys`: the API keys of a served knowledge base. */
export const keysCommand = defineGroup(
  [
    { usage: 'create <name>', describe: 'Create a key and print it once', load: () => createCommand },
    { usage: 'list', describe: 'List names and ids of the keys', load: () => listCommand },
    { usage: 'revoke <id>', describe: 'Revoke a key at once', load: () => revokeCommand },
  ],
  [['lectern keys create export', 'A read-only key']],
);
