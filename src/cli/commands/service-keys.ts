import { defineCommand, defineGroup } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { printJson } from '../terminal.ts';

/** Accepted as by other commands; `lectern service keys` always prints JSON. */
const alwaysJson = { type: 'boolean', describe: 'Print the result as JSON (always)' } as const;

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
    expires: {
      type: 'string',
      describe: 'When the key expires, e.g. 90d or 2030-12-31 (default: never)',
    },
    json: alwaysJson,
  },
  examples: [
    ['lectern service keys create export', 'A read-only key'],
    ['lectern service keys create editor --access write --expires 90d', 'A key that can write for 90 days'],
    ['lectern service keys create website --access count', 'The public key of a site: it can only count'],
  ],
  run: async ({ data, name, access, expires }) => {
    const { createKey } = await import('../../service/keys.ts');
    printJson(await createKey(readDataFlag(data), name, access, expires ?? null));
  },
});

const listKeysCommand = defineCommand({
  options: { data: dataFlag, json: alwaysJson },
  examples: [['lectern service keys list', 'Names and ids']],
  run: async ({ data }) => {
    const { listKeys } = await import('../../service/keys.ts');
    printJson({ keys: await listKeys(readDataFlag(data)) });
  },
});

const revokeKeyCommand = defineCommand({
  positionals: { id: { describe: 'Id of the key (lectern service keys list)' } },
  options: { data: dataFlag, json: alwaysJson },
  examples: [['lectern service keys revoke k4fq8d7s9x', 'Revoke this key']],
  run: async ({ data, id }) => {
    const { revokeKey } = await import('../../service/keys.ts');
    await revokeKey(readDataFlag(data), id);
    printJson({ revoked: id });
  },
});

/** `lectern service keys`: the API keys of a served knowledge base. */
export const keysCommand = defineGroup(
  [
    { usage: 'create <name>', describe: 'Create a key and print it once', load: () => createKeyCommand },
    { usage: 'list', describe: 'List names and ids of the keys', load: () => listKeysCommand },
    { usage: 'revoke <id>', describe: 'Revoke a key at once', load: () => revokeKeyCommand },
  ],
  [['lectern service keys create export', 'A read-only key']],
);
