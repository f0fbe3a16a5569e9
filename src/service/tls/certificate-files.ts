import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { LecternError } from '../../core/errors.ts';
import {
  decodeText,
  makeFolder,
  readTextFile,
  readWholeFile,
  writeFileAtomically,
} from '../../core/file-system.ts';
import type { CertificateFiles } from './make-certificate.ts';

/** A certificate and the file that clients trust; `null` if clients already trust it. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | null;
  readonly caFile: string | null;
}

const monthMs = 30 * 86_400_000;

/**
 * The service's own certificate for loopback, stored in `folder` so that users have to trust it only once. A new one is created if there is
 * none, or it is not valid yet or expires within a month. Throws `DATA_UNUSABLE` if it cannot be stored.
 */
export async function readOrMakeCertificate(folder: string, now: number): Promise<ServerCertificate> {
  const files = readFiles(folder, now) ?? (await writeFiles(folder, now));
  return { ...files, caFile: join(folder, 'ca.pem') };
}

/** A certificate given by the operator (`--tls-cert`, `--tls-key`). Throws `USAGE`. */
export function readGivenCertificate(certFile: string, keyFile: string): ServerCertificate {
  const unusable = (what: string, cause: unknown): LecternError =>
    new LecternError('USAGE', what, {
      hint: 'pass PEM files of a certificate and its key with --tls-cert and --tls-key, or neither',
      cause,
    });
  const read = (file: string): string => {
    try {
      // A comment in it may be in any encoding.
      return decodeText(readWholeFile(file));
    } catch (cause) {
      throw unusable(`the file ${file} cannot be read`, cause);
    }
  };
  const files = { cert: read(certFile), key: read(keyFile) };
  try {
    createSecureContext(files);
  } catch (cause) {
    throw unusable(`${certFile} and ${keyFile} are not a certificate and its private key`, cause);
  }
  return { ...files, ca: null, caFile: null };
}

function readFiles(folder: string, now: number): CertificateFiles | null {
  try {
    const read = (name: string) => readTextFile(join(folder, name));
    const files = { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
    const leaf = new X509Certificate(files.cert);
    // A start that was killed may have replaced only some of them.
    const areOurs =
      leaf.verify(new X509Certificate(files.ca).publicKey) &&
      leaf.checkPrivateKey(createPrivateKey(files.key));
    // It is not valid yet if the clock was ahead when it was made.
    const isValid = Date.parse(leaf.validFrom) <= now && Date.parse(leaf.validTo) > now + monthMs;
    return areOurs && isValid ? files : null;
  } catch {
    return null;
  }
}

async function writeFiles(folder: string, now: number): Promise<CertificateFiles> {
  const { makeCertificate } = await import('./make-certificate.ts');
  const files = await makeCertificate(now);
  // Of two first starts at once, such as of replicas, the later one takes what the other has made meanwhile.
  const others = readFiles(folder, now);
  if (others !== null) return others;
  try {
    // Other files in the folder stay: the key that clients use is beside the certificate.
    makeFolder(folder, 0o700);
    writeFileAtomically(join(folder, 'key.pem'), [files.key], { mode: 0o600 });
    writeFileAtomically(join(folder, 'cert.pem'), [files.cert]);
    writeFileAtomically(join(folder, 'ca.pem'), [files.ca]);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new LecternError('DATA_UNUSABLE', `the certificate cannot be written to ${folder} (${code})`, {
      hint: 'pass --data with a file in a writable folder',
      cause,
    });
  }
  return files;
}
