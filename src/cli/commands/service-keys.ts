import { defineCommand, defineGroup } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { jsonFlag, printAnswer } from '../print-answer.ts';

const createKeyCommand = defineCommand({
  positionals: { name: { describe: 'Name of the key' } },
  options: {
    data: dataFlag,
    access: {
      type: 'string',
      choices: ['read', 'write', 'count'],
      default: 'read',
      describe: 'What the key may do; count: only count views, searches and feedback',
    },
    json: jsonFlag,
  },
  examples: [
    ['lectern service keys create export', 'A read-only key'],
    ['lectern service keys create editor --access write', 'A key that can write'],
    ['lectern service keys create website --access count', 'The public key of a site: it can only count'],
  ],
  run: async ({ data, name, access, json }) => {
    const { createKey } = await import('../../service/keys.ts');
    printAnswer(await createKey(readDataFlag(data), name, access), json);
  },
});

const listKeysCommand = defineCommand({
  options: { data: dataFlag, json: jsonFlag },
  examples: [['lectern service keys list', 'Names and ids']],
  run: async ({ data, json }) => {
    const { listKeys } = await import('../../service/keys.ts');
    printAnswer({ keys: await listKeys(readDataFlag(data)) }, json);
  },
});

const revokeKeyCommand = defineCommand({
  positionals: { id: { describe: 'Id of the key (lectern service keys list)' } },
  options: { data: dataFlag, json: jsonFlag },
  examples: [['lectern service keys revoke k4fq8d7s9x', 'Revoke this key']],
  run: async ({ data, id, json }) => {
    const { revokeKey } = await import('../../service/keys.ts');
    await revokeKey(readDataFlag(data), id);
    printAnswer({ revoked: id }, json);
  },
});

/** `lectern service keys`: the API keys of a served knowledge base. */
export const keysCommand = defineGroup([
  { usage: 'create <name>', describe: 'Create a key and print it once', load: () => createKeyCommand },
  { usage: 'list', describe: 'List names and ids of the keys', load: () => listKeysCommand },
  { usage: 'revoke <id>', describe: 'Revoke a key at once', load: () => revokeKeyCommand },
]);
