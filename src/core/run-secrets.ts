/** A value that no published file may contain. */
export interface RunSecret {
  /** For messages, which never contain the value: `the API key of this run`, or the name of an environment variable. */
  readonly name: string;
  /** UTF-8. */
  readonly value: Buffer;
}

/** Names of environment variables that hold secrets. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** A shorter value may occur in any file. */
const minChars = 8;

/** The secrets of a run: its API key, and the values of environment variables whose name ends in KEY, TOKEN, SECRET or PASSWORD. */
export function listRunSecrets(
  apiKey: string | null | undefined,
  environment: Readonly<Record<string, string | undefined>> = {},
): readonly RunSecret[] {
  const named: readonly (readonly [name: string, value: string | null | undefined])[] = [
    ['the API key of this run', apiKey],
    ...Object.entries(environment).filter(([name]) => secretName.test(name)),
  ];
  const secrets = new Map<string, RunSecret>();
  for (const [name, text] of named) {
    const value = text?.trim() ?? '';
    if (value.length >= minChars && !secrets.has(value)) {
      secrets.set(value, { name, value: Buffer.from(value) });
    }
  }
  return [...secrets.values()];
}

/** The first secret that the bytes contain; `null`: none. */
export function findRunSecret(bytes: Uint8Array, secrets: readonly RunSecret[]): RunSecret | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return secrets.find(({ value }) => buffer.includes(value)) ?? null;
}

/** Searches a file block by block; blocks overlap, so that a value across two blocks is found. */
export function createSecretScan(secrets: readonly RunSecret[]): (block: Uint8Array) => RunSecret | null {
  const overlap = Math.max(0, ...secrets.map(({ value }) => value.length - 1));
  let before: Uint8Array = Buffer.alloc(0);
  let found: RunSecret | null = null;
  return (block) => {
    if (secrets.length === 0 || found !== null) return found;
    const start = Buffer.concat([before, block.subarray(0, overlap)]);
    found = findRunSecret(start, secrets) ?? findRunSecret(block, secrets);
    before = Buffer.concat([before, block.subarray(-overlap)]).subarray(-overlap);
    return found;
  };
}
