// reflect-metadata is a polyfill without which @peculiar/x509 refuses to load.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
// @peculiar/x509 makes the certificate of the embedded service: Node reads certificates but cannot make one.
import * as x509 from '@peculiar/x509';

/** PEM texts of a certificate for loopback, and of the authority that signed it. */
export interface CertificateFiles {
  /** The certificate that clients trust. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
/** The longest lifetime that all clients accept for a server certificate (Apple's limit is the strictest). */
const lifeDays = 397;

/**
 * Creates a certificate authority and one certificate for `localhost`, `127.0.0.1` and `::1`. The authority's private key is discarded, so
 * that no one can sign another certificate with an authority that a user trusts.
 */
export async function makeCertificate(now: number): Promise<CertificateFiles> {
  const [caKeys, keys] = await Promise.all([makeKeys(), makeKeys()]);
  const notBefore = new Date(now - dayMs);
  const notAfter = new Date(now + lifeDays * dayMs);
  const name = 'CN=Lectern loopback authority';
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys: caKeys,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const cert = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: name,
    notBefore,
    notAfter,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const privateKey = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    ca: `${ca.toString('pem')}\n`,
    cert: `${cert.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(privateKey, 'PRIVATE KEY')}\n`,
  };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}
