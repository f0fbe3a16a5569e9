import { readFile } from 'node:fs/promises';
import { createSecureContext, rootCertificates } from 'node:tls';
import { LecternError } from '../foundation/errors.ts';

/**
 * The certificate authorities to trust; `null` means those that Node trusts. A private one is added to these. Since a custom list replaces
 * Node's own, it contains Node's roots and the file of NODE_EXTRA_CA_CERTS.
 * @param caFile PEM file, or `null`
 * @throws CA_UNREADABLE (exit 2)
 */
export async function trustedCertificates(
  caFile: string | null,
  extraFile: string | undefined = process.env.NODE_EXTRA_CA_CERTS,
): Promise<readonly string[] | null> {
  if (caFile === null) return null;
  const own = await readAuthority(caFile);
  const extra = extraFile ? await readAuthority(extraFile) : null;
  return [...rootCertificates, own, ...(extra === null ? [] : [extra])];
}

async function readAuthority(file: string): Promise<string> {
  try {
    const pem = await readFile(file, 'utf8');
    createSecureContext({ ca: pem });
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it contains no certificate');
    return pem;
  } catch (cause) {
    throw new LecternError('CA_UNREADABLE', `${file} cannot be read as a PEM certificate`, {
      hint: 'set tls.ca to the PEM file of the authority that signed the server certificate',
      exitCode: 2,
      cause,
    });
  }
}
