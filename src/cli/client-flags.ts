/** Where the knowledge base is; the key comes from LECTERN_API_KEY alone. */
export interface ClientFlags {
  readonly config: string | undefined;
  readonly 'base-url': string | undefined;
  readonly 'insecure-loopback': boolean;
}

const group = 'Knowledge base:';

/** The flags that every command with a connection to a knowledge base takes. */
export const clientFlags = {
  config: { type: 'string', group, describe: 'Configuration file (default lectern.config.json)' },
  'base-url': { type: 'string', group, describe: 'URL of the API, ending in /v1' },
  'insecure-loopback': {
    type: 'boolean',
    group,
    default: false,
    describe: 'Allow plain http to this machine',
  },
} as const;

/** `--fields` of commands that print records. */
export const fieldsFlag = {
  fields: { type: 'string', describe: 'Print only these fields, separated by commas' },
} as const;

/** `--etag` of commands that print one record. */
export const etagFlag = {
  etag: { type: 'boolean', describe: 'Print the ETag alone, for --if-match' },
} as const;

/** `--if-match` of commands that change a record. */
export const ifMatchFlag = {
  'if-match': { type: 'string', describe: 'Only if the record still has this ETag (get --etag)' },
} as const;
