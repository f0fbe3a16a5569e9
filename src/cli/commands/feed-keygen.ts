import { defineCommand } from '../command.ts';
import { printJson, writeOutput } from '../terminal.ts';

/** `lectern feed keygen`: a key pair for signed feeds. Writes nothing to disk. */
export const keygenCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print the result as JSON' } },
  examples: [['lectern feed keygen', 'Print a new key pair']],
  epilogue: 'Store the secret key as LECTERN_SIGNING_KEY. Give the public key to the readers of the feed.',
  run: async ({ json }) => {
    const { generateSigningKey } = await import('../../feed/signature.ts');
    const { secret, publicKey } = generateSigningKey();
    if (json) printJson({ secret, publicKey });
    else writeOutput(`Secret    LECTERN_SIGNING_KEY=${secret}\nPublic    ${publicKey}\n`);
  },
});
