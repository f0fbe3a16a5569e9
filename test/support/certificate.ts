// @peculiar/x509 refuses to load without this polyfill.
import 'reflect-metadata';
import { randomUUID, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface TestCertificate {
  /** PEM of the authority to trust. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface TestCertificateOptions {
  /** DNS names and addresses the certificate is for. */
  readonly names?: readonly string[];
  /** Days from now at which it becomes valid and expires. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates an authority and a server certificate, valid or not as the test requires. */
export async function makeTestCertificate({
  names = ['localhost', '127.0.0.1'],
  fromDay = -1,
  toDay = 30,
}: TestCertificateOptions = {}): Promise<TestCertificate> {
  const caKeys = await makeKeys();
  const keys = await makeKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=Test authority ${randomUUID()}`,
    keys: caKeys,
    notBefore: daysFromNow(-100),
    notAfter: daysFromNow(100),
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const cert = await x509.X509CertificateGenerator.create({
    subject: 'CN=Test server',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    notBefore: daysFromNow(fromDay),
    notAfter: daysFromNow(toDay),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    ca: ca.toString('pem'),
    cert: cert.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
