import type { Argv, CommandModule } from 'yargs';

interface DataFlag {
  readonly data: string;
}

/** `lectern keys`: the API keys of a served knowledge base. */
export const keysCommand: CommandModule = {
  command: 'keys',
  describe: 'Create, list and revoke API keys of the embedded service',
  builder: (yargs) =>
    yargs
      .command(createCommand)
      .command(listCommand)
      .command(revokeCommand)
      .demandCommand(1, 'which one: create, list or revoke?')
      .example('$0 keys create export', 'A key that may read'),
  handler: () => {},
};

const createCommand: CommandModule<
  object,
  DataFlag & { readonly name: string; readonly access: 'read' | 'write' }
> = {
  command: 'create <name>',
  describe: 'Make a key and print it, once',
  builder: (yargs) =>
    withData(yargs)
      .positional('name', { type: 'string', demandOption: true, describe: 'What the key is for' })
      .option('access', {
        choices: ['read', 'write'] as const,
        default: 'read' as const,
        describe: 'write: may also create, change and delete',
      })
      .example('$0 keys create export', 'A key that may read')
      .example('$0 keys create editor --access write', 'A key that may change'),
  handler: async ({ data, name, access }) => {
    const { createKey } = await import('../../service/keys/manage-keys.ts');
    print({ ...createKey(data, name, access), name, access });
  },
};

const listCommand: CommandModule<object, DataFlag> = {
  command: 'list',
  describe: 'List keys, without the keys themselves',
  builder: (yargs) => withData(yargs).example('$0 keys list', 'Names and ids'),
  handler: async ({ data }) => {
    const { listKeys } = await import('../../service/keys/manage-keys.ts');
    print({ keys: listKeys(data) });
  },
};

const revokeCommand: CommandModule<object, DataFlag & { readonly id: string }> = {
  command: 'revoke <id>',
  describe: 'Make a key useless at once',
  builder: (yargs) =>
    withData(yargs)
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'The id that list shows',
      })
      .example('$0 keys revoke k4fq8d7s', 'No longer valid'),
  handler: async ({ data, id }) => {
    const { revokeKey } = await import('../../service/keys/manage-keys.ts');
    revokeKey(data, id);
    print({ revoked: id });
  },
};

function withData<T>(yargs: Argv<T>) {
  return yargs.option('data', {
    type: 'string',
    default: 'lectern.sqlite',
    describe: 'SQLite file of the knowledge base',
  });
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
