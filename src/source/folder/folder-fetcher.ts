import { hash } from 'node:crypto';
import { folderPath } from '../../core/addresses.ts';
import { messageOf } from '../../core/errors.ts';
import type { FileFetcher } from '../../core/net/fetch-file.ts';
import { NetworkFault } from '../../core/net/network-fault.ts';
import { findRunSecret, type RunSecret } from '../../core/run-secrets.ts';
import { readFileInside } from './safe-files.ts';

/**
 * Reads the images and files of a folder for the media stage; passes every other URL on to `other`.
 * @param secrets values that no published file may contain
 */
export function createFolderFetcher(
  root: string,
  maxBytes: number,
  other: FileFetcher | null,
  secrets: readonly RunSecret[] = [],
): FileFetcher {
  return {
    async fetch(address, known) {
      const path = folderPath(address);
      if (path === null) {
        if (other !== null) return other.fetch(address, known);
        throw fault('FILE_REFUSED', `${address} is on another host`);
      }
      let bytes: Uint8Array;
      try {
        bytes = readFileInside(root, path, maxBytes);
      } catch (error) {
        const message = messageOf(error);
        // The caller adds the file name to the message.
        throw fault(
          'NOT_FOUND',
          message.startsWith(`${path} `) ? `it${message.slice(path.length)}` : message,
        );
      }
      const secret = findRunSecret(bytes, secrets);
      if (secret !== null) throw fault('SECRET_FOUND', `it contains the value of ${secret.name}`);
      const etag = hash('sha256', bytes);
      return etag === known?.etag ? { kind: 'unchanged' } : { kind: 'file', bytes, etag, lastModified: null };
    },
    close: async () => other?.close(),
  };
}

function fault(code: string, message: string): NetworkFault {
  return new NetworkFault(code, message, {
    hint: 'check the file in the folder of the source',
    retry: 'never',
  });
}
