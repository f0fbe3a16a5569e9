import { writeSync } from 'node:fs';

/** Writes every byte; one call may take only a part of them. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
