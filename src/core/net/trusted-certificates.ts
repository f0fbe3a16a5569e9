import { resolve } from 'node:path';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { ResolvedConfig } from '../config/schema.ts';
import { LecternError } from '../errors.ts';
import { decodeText, readWholeFile } from '../file-system.ts';

/**
 * The certificate authorities to trust; `null` means those that Node trusts. A private one is added to these. Since a custom list replaces
 * Node's own, it contains Node's roots and the file of NODE_EXTRA_CA_CERTS.
 * @param tls `ca`: a PEM file, relative to `folder`
 * @throws CONFIG_INVALID (exit 2)
 */
export async function trustedCertificates(
  { ca }: ResolvedConfig['tls'],
  folder: string,
  extraFile: string | undefined = process.env.NODE_EXTRA_CA_CERTS,
): Promise<readonly string[] | null> {
  if (ca === undefined) return null;
  const own = readAuthority(resolve(folder, ca));
  const extra = extraFile ? readAuthority(extraFile) : null;
  return [...rootCertificates, own, ...(extra === null ? [] : [extra])];
}

function readAuthority(file: string): string {
  try {
    // A comment in it may be in any encoding.
    const pem = decodeText(readWholeFile(file));
    createSecureContext({ ca: pem });
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it contains no certificate');
    return pem;
  } catch (cause) {
    throw new LecternError('CONFIG_INVALID', `${file} cannot be read as a PEM certificate`, {
      hint: 'set tls.ca to the PEM file of the authority that signed the server certificate',
      cause,
    });
  }
}
