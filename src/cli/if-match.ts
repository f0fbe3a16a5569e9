import { LecternError } from '../foundation/errors.ts';
import type { WriteCondition } from '../source/client-types.ts';
import { writeOutput } from './terminal.ts';

/** `get --etag`: the ETag instead of the record. */
export interface EtagFlag {
  readonly etag: boolean | undefined;
}

/** `--if-match`: change the record only while it has this ETag. */
export interface IfMatchFlag {
  readonly 'if-match': string | undefined;
}

export function conditionOf({ 'if-match': ifMatch }: IfMatchFlag): WriteCondition {
  return { ifMatch: ifMatch ?? null };
}

/** @throws ETAG_MISSING where the service sends none */
export function printEtag(etag: string | null): void {
  if (etag === null) {
    throw new LecternError('ETAG_MISSING', 'the service sends no ETag', {
      hint: 'remove --etag and --if-match; this service cannot detect concurrent edits',
    });
  }
  writeOutput(`${etag}\n`);
}
