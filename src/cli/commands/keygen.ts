import { generateSigningKey } from '../../feed/signature.ts';
import { defineCommand } from '../parser/command.ts';
import { printJson } from '../print-json.ts';
import { writeOutput } from '../terminal.ts';

/** `lectern keygen`: a pair of keys for signed feeds. Nothing is written to disk. */
export const keygenCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print both keys as JSON' } },
  examples: [['lectern keygen', 'A new pair of keys']],
  epilogue: 'Store the secret key where the API key is, and give the public key to those who read the feed.',
  run: ({ json }) => {
    const { secret, publicKey } = generateSigningKey();
    if (json) printJson({ secret, publicKey });
    else writeOutput(`Secret    LECTERN_SIGNING_KEY=${secret}\nPublic    ${publicKey}\n`);
  },
});
