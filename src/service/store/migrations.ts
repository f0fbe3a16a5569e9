/** SQL that upgrades a data file from version n to n + 1, in order. Never edit a released entry; add a new one. */
const migrations: readonly string[] = [
  `
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  INSERT INTO setting VALUES ('revision', '0');

  -- position is the order of lists and never changes; head is the record as JSON without bodies, record the whole.
  -- head comes before record so that lists without bodies need not read through the long column.
  CREATE TABLE article (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    article_id TEXT NOT NULL UNIQUE,
    category_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('published', 'draft', 'private')),
    is_restricted INTEGER NOT NULL,
    slug TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    head TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX article_by_category ON article (category_id);
  CREATE INDEX article_by_update ON article (updated_at);

  CREATE TABLE article_tag (
    tag TEXT NOT NULL,
    position INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
    PRIMARY KEY (tag, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX article_tag_by_article ON article_tag (position);

  -- The article in each of its languages as plain text; language '' is the record's own title and body.
  CREATE TABLE article_version (
    version_id INTEGER PRIMARY KEY, -- 1000 * position + number of the version: the id gives the article
    position INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
    language TEXT NOT NULL,
    is_live INTEGER NOT NULL,
    title TEXT NOT NULL,
    slug TEXT NOT NULL,
    description TEXT,
    text TEXT NOT NULL,
    UNIQUE (position, language)
  ) STRICT;
  CREATE INDEX article_version_by_language ON article_version (language, position);

  -- Terms as src/foundation/search-tokens.ts gives them (folded, pairs of characters for scripts without spaces),
  -- so the tokenizer only has to split at spaces; the texts themselves are in article_version. scope holds who may
  -- read a version and its language as words (see version-index.ts), so that a search needs no join to filter by them.
  CREATE VIRTUAL TABLE search_index USING fts5 (
    scope, title, description, tags, text,
    content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
  );

  CREATE TABLE article_view (
    day TEXT NOT NULL,
    position INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
    count INTEGER NOT NULL,
    PRIMARY KEY (day, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX article_view_by_article ON article_view (position);

  CREATE TABLE category (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    category_id TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE api_key (
    key_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    access TEXT NOT NULL CHECK (access IN ('read', 'write')),
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;
  `,
  'ALTER TABLE article RENAME COLUMN head TO meta',
  // language is spelled as in the record; language_key is used for comparison.
  `
  ALTER TABLE article_version ADD COLUMN language_key TEXT NOT NULL DEFAULT '';
  DROP INDEX article_version_by_language;
  CREATE INDEX article_version_by_language ON article_version (language_key, position);
  `,
  // SQLite cannot change a CHECK.
  `
  CREATE TABLE new_api_key (
    key_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    access TEXT NOT NULL CHECK (access IN ('read', 'write', 'count')),
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  ) STRICT;
  INSERT INTO new_api_key SELECT key_id, name, access, hash, created_at, NULL, revoked_at FROM api_key;
  DROP TABLE api_key;
  ALTER TABLE new_api_key RENAME TO api_key;
  `,
  // The titles of search_index again: to find words in titles there, SQLite would read the positions of these words in all texts.
  `
  CREATE VIRTUAL TABLE title_index USING fts5 (
    scope, title,
    content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
  );
  DELETE FROM setting WHERE name = 'index_version';
  `,
  // Merges twice as many parts of an index (8) as by default, which halves the work of merging, the largest part of a write. Not for
  // title_index, which is small.
  "INSERT INTO search_index (search_index, rank) VALUES ('automerge', 8)",
  // Stores only the searchable part of a text and one more character: longer texts were stored twice, here and in the record.
  'UPDATE article_version SET text = substr(text, 1, 200001) WHERE length(text) > 200001',
  // The schedule of article and translation together. Records are completed by the rebuild.
  `
  ALTER TABLE article_version ADD COLUMN publish_at TEXT;
  ALTER TABLE article_version ADD COLUMN unpublish_at TEXT;
  CREATE INDEX article_version_by_schedule ON article_version (publish_at, unpublish_at, language, position)
    WHERE publish_at IS NOT NULL OR unpublish_at IS NOT NULL;
  DELETE FROM setting WHERE name = 'index_version';
  `,
  // The same tables as in PostgreSQL. Versions, labels and index are made again from the records.
  `
  DROP TABLE search_index;
  DROP TABLE title_index;
  DROP TABLE article_version;
  DROP TABLE article_tag;

  CREATE TABLE revision (slot INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  INSERT INTO revision SELECT 0, CAST(value AS INTEGER) FROM setting WHERE name = 'revision';
  DELETE FROM setting WHERE name IN ('revision', 'index_version');

  -- Tags and permission groups of articles.
  CREATE TABLE article_label (
    kind TEXT NOT NULL CHECK (kind IN ('tag', 'group')),
    value TEXT NOT NULL,
    position INTEGER NOT NULL REFERENCES article ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX article_label_by_value ON article_label (value, position);
  CREATE INDEX article_label_by_article ON article_label (position);

  -- The article in each of its languages; language '' is the record's own title and body. version_id is 1000 * position + number
  -- of the version. publish_at and unpublish_at are the schedule of article and translation together.
  CREATE TABLE article_version (
    version_id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
    language TEXT NOT NULL,
    language_key TEXT NOT NULL,
    is_live INTEGER NOT NULL,
    title TEXT NOT NULL,
    slug TEXT NOT NULL,
    description TEXT,
    publish_at TEXT,
    unpublish_at TEXT,
    title_length INTEGER NOT NULL,
    hint_length INTEGER NOT NULL,
    text_length INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX article_version_by_article ON article_version (position);
  CREATE INDEX article_version_by_language ON article_version (language_key, position);
  CREATE INDEX article_version_by_start ON article_version (publish_at) WHERE publish_at IS NOT NULL;
  CREATE INDEX article_version_by_end ON article_version (unpublish_at) WHERE unpublish_at IS NOT NULL;
  CREATE INDEX article_version_by_length ON article_version (title_length, hint_length, text_length);

  -- The plain text of a version, and its words as rank-passages.ts counts them.
  CREATE TABLE version_text (
    version_id INTEGER PRIMARY KEY REFERENCES article_version ON DELETE CASCADE,
    title_terms TEXT NOT NULL,
    hint_terms TEXT NOT NULL,
    text_terms TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;

  -- Which words a version has, as index-words.ts gives them: the tokenizer only has to split at spaces.
  CREATE VIRTUAL TABLE search_index USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
  );
  `,
  // What readers did not find: searches without a result, answers to "Was this article helpful?" and texts, counted per day.
  `
  CREATE TABLE reader_signal (
    kind TEXT NOT NULL,
    day TEXT NOT NULL,
    article_id TEXT NOT NULL,
    language TEXT NOT NULL,
    value TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, day, article_id, language, value)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reader_signal_by_day ON reader_signal (day);
  `,
];

/** The functions of a connection that {@link migrate} needs. */
interface MigratedDatabase {
  row(sql: string): Readonly<Record<string, unknown>> | null;
}

/**
 * Upgrades a data file. If it throws, the transaction is open: close the connection.
 * @param newest the version to reach; an earlier one only for tests
 */
export function migrate(
  database: MigratedDatabase,
  execute: (sql: string) => void,
  newest = migrations.length,
): void {
  const readVersion = () => Number(database.row('PRAGMA user_version')?.user_version ?? 0);
  // Avoids the write lock, which another process may keep for a long time.
  if (readVersion() === newest) return;
  execute('BEGIN IMMEDIATE');
  const version = readVersion();
  checkVersion(version);
  for (const [index, sql] of migrations.entries()) {
    if (index >= version && index < newest) execute(`${sql}; PRAGMA user_version = ${index + 1};`);
  }
  execute('COMMIT');
}

/** Throws an `Error` if a newer Lectern wrote the file. */
export function checkVersion(version: number): void {
  if (version <= migrations.length) return;
  throw new Error(`its version is ${version}, and this Lectern knows versions up to ${migrations.length}`);
}
