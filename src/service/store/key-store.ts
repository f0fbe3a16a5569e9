import type { StoreContext } from './article-store.ts';
import type { Store, StoredKey } from './store.ts';

type KeyStore = Pick<Store, 'createKey' | 'listKeys' | 'readKey' | 'revokeKey'>;

const columns = 'key_id AS keyId, name, access, hash, created_at AS createdAt, revoked_at AS revokedAt';

/** The part of the store that keeps API keys. */
export function createKeyStore({ database, now }: StoreContext): KeyStore {
  return {
    createKey: (key) => {
      database.run(
        'INSERT INTO api_key (key_id, name, access, hash, created_at) VALUES (?, ?, ?, ?, ?)',
        key.keyId,
        key.name,
        key.access,
        key.hash,
        now(),
      );
    },
    listKeys: () => database.rows<StoredKey>(`SELECT ${columns} FROM api_key ORDER BY created_at, key_id`),
    readKey: (keyId) => database.row<StoredKey>(`SELECT ${columns} FROM api_key WHERE key_id = ?`, keyId),
    revokeKey: (keyId) =>
      database.run(
        'UPDATE api_key SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL',
        now(),
        keyId,
      ) > 0,
  };
}
