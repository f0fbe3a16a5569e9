import { generateSigningKey } from '../../feed/signature.ts';
import { defineCommand } from '../parser/command.ts';
import { printJson, writeOutput } from '../terminal.ts';

/** `lectern keygen`: a pair of keys for signed feeds. Nothing is written to disk. */
export const keygenCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print the result as JSON' } },
  examples: [['lectern keygen', 'Print a new key pair']],
  epilogue: 'Store the secret key as LECTERN_SIGNING_KEY. Give the public key to the readers of the feed.',
  run: ({ json }) => {
    const { secret, publicKey } = generateSigningKey();
    if (json) printJson({ secret, publicKey });
    else writeOutput(`Secret    LECTERN_SIGNING_KEY=${secret}\nPublic    ${publicKey}\n`);
  },
});
