/** Version of the tables. Increase it with every change of them: databases with other tables are refused. */
export const version = 11;

/**
 * The tables of SQLite and PostgreSQL except the search index, in the SQL of SQLite. Records are text and not JSON, of which PostgreSQL would
 * sort the fields.
 */
export const tables = `
  CREATE TABLE revision (slot INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT;

  -- position is the order of lists and never changes; meta is the record as JSON without bodies, record the whole.
  -- meta comes before record so that lists without bodies need not read through the long column.
  CREATE TABLE article (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    article_id TEXT NOT NULL UNIQUE,
    category_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('published', 'draft', 'private')),
    is_restricted INTEGER NOT NULL,
    slug TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    meta TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX article_by_category ON article (category_id);
  CREATE INDEX article_by_update ON article (updated_at);

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
    access TEXT NOT NULL CHECK (access IN ('read', 'write', 'count')),
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;

  -- What readers did not find: searches without a result, answers to "Was this article helpful?" and texts, counted per day.
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
`;

/** Throws an `Error` if another version of Lectern, with other tables, wrote the database. */
export function checkVersion(found: number): void {
  if (found !== version)
    throw new Error(`its version is ${found}, and this Lectern knows version ${version}`);
}
