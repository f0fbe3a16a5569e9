import { LecternError } from '../foundation/errors.ts';
import { createSource } from './create-source.ts';
import { readIndex } from './snapshot/read-index.ts';
import { whyForeign } from './snapshot/why-foreign.ts';
import type { Source } from './source.ts';
import type { SnapshotSettings } from './source-settings.ts';

/**
 * Opens the last snapshot, without any network.
 * @throws SNAPSHOT_MISSING, SNAPSHOT_CORRUPT, SNAPSHOT_OLD, SNAPSHOT_FOREIGN
 */
export async function openSnapshot(settings: SnapshotSettings): Promise<Source> {
  const snapshot = await readIndex(settings.cache);
  if ('state' in snapshot) {
    const code = { missing: 'SNAPSHOT_MISSING', old: 'SNAPSHOT_OLD', corrupt: 'SNAPSHOT_CORRUPT' }[
      snapshot.state
    ];
    throw refuse(code, `the snapshot in ${settings.cache} ${snapshot.why}`);
  }
  const why = whyForeign(snapshot.header, settings);
  if (why !== null) {
    await snapshot.bodies.close();
    throw refuse('SNAPSHOT_FOREIGN', `the snapshot in ${settings.cache} ${why}`);
  }
  return createSource({ ...snapshot, languages: settings.languages, mode: 'offline', singleReads: 0 });
}

function refuse(code: string, message: string): LecternError {
  return new LecternError(code, message, { hint: 'run once without --offline to make a new one' });
}
