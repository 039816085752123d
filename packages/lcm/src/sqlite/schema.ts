import { SEAL_COLUMN, type SealedTable, sealTables } from '@palimpsest/sqlite-kit'

/** Options of every full-text table: no positions and no sizes are kept, because who asks looks at the text itself. */
const LEAN = 'detail=none, columnsize=0'

/** The division of a text into indexed words, see `wordText`: everything but ASCII is a part of a word. */
const WORDS = `tokenize="ascii tokenchars '_'"`

/** The condition of a message that the full-text tables hold. */
const INDEXED = `WHERE text <> '' AND NOT EXISTS (SELECT 1 FROM unindexed WHERE unindexed.id = message.id)`

/** Messages. Their texts are proved by their hash, and `script` can be made anew from them. */
export const MESSAGE_TABLE: SealedTable = {
  table: 'message',
  key: ['id'],
  columns: [
    'id',
    'role',
    'at',
    'tokens',
    'characters',
    'hash',
    'host_id',
    'forgotten_at',
    'forgotten_reason',
  ],
  comesSealed: true,
}

/** The tables whose rows have a seal. The sum of a session's `characters` can be made anew. */
const SEALED: readonly SealedTable[] = [
  {
    table: 'session',
    key: ['no'],
    columns: [
      ...[
        'no',
        'principal',
        'key',
        'created_at',
        'last_at',
        'parent',
        'fork_seq',
        'fork_summary',
        'next_seq',
      ],
      ...['next_summary', 'version', 'replaced', 'lease_token', 'lease_holder', 'lease_until'],
    ],
  },
  MESSAGE_TABLE,
  {
    table: 'summary',
    key: ['id'],
    columns: [
      ...[
        'id',
        'depth',
        'first',
        'last',
        'messages',
        'tokens',
        'source_tokens',
        'writer',
        'at',
        'from_at',
        'to_at',
      ],
      ...['hash', 'forgotten_at', 'forgotten_reason', 'exact_text', 'text'],
    ],
  },
  { table: 'edge', key: ['summary', 'position'], columns: ['summary', 'position', 'child'] },
  {
    table: 'version',
    key: ['session', 'version'],
    columns: ['session', 'version', 'reason', 'next_seq', 'at'],
  },
  {
    table: 'span',
    key: ['session', 'from_version', 'position'],
    columns: ['session', 'from_version', 'position', 'summary', 'first', 'to_version', 'anchor'],
  },
]

/**
 * The steps from an empty file to the newest version: a file of version n has the first n behind it. A published step
 * is never changed. The text of a message stands once, in its row. The full-text tables read it through views, which
 * bring it into the indexed form (`lcm_fold`, `lcm_words` and `lcm_grams` are functions of ours) when an index is
 * rebuilt or checked.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    no INTEGER PRIMARY KEY,
    principal TEXT NOT NULL,
    key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    parent INTEGER REFERENCES session (no),
    fork_seq INTEGER NOT NULL,
    fork_summary INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    next_summary INTEGER NOT NULL,
    version INTEGER NOT NULL,
    replaced TEXT NOT NULL,
    characters INTEGER NOT NULL,
    lease_token INTEGER NOT NULL DEFAULT 0,
    lease_holder TEXT,
    lease_until INTEGER,
    ${SEAL_COLUMN},
    UNIQUE (principal, key)
  );
  CREATE INDEX session_parent ON session (parent) WHERE parent IS NOT NULL;

  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    script INTEGER NOT NULL,
    hash BLOB NOT NULL,
    host_id TEXT,
    forgotten_at INTEGER,
    forgotten_reason TEXT,
    shape TEXT NOT NULL,
    text TEXT NOT NULL,
    ${SEAL_COLUMN}
  );

  CREATE TABLE summary (
    id INTEGER PRIMARY KEY,
    depth INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    source_tokens INTEGER NOT NULL,
    writer TEXT NOT NULL,
    at INTEGER NOT NULL,
    from_at INTEGER NOT NULL,
    to_at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    forgotten_at INTEGER,
    forgotten_reason TEXT,
    exact_text TEXT,
    text TEXT NOT NULL,
    ${SEAL_COLUMN}
  );
  CREATE TABLE edge (
    summary INTEGER NOT NULL REFERENCES summary (id),
    position INTEGER NOT NULL,
    child INTEGER NOT NULL REFERENCES summary (id),
    ${SEAL_COLUMN},
    PRIMARY KEY (summary, position)
  ) WITHOUT ROWID;

  CREATE TABLE version (
    session INTEGER NOT NULL REFERENCES session (no),
    version INTEGER NOT NULL,
    reason TEXT NOT NULL,
    next_seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    ${SEAL_COLUMN},
    PRIMARY KEY (session, version)
  ) WITHOUT ROWID;
  CREATE TABLE span (
    session INTEGER NOT NULL,
    from_version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    summary INTEGER NOT NULL REFERENCES summary (id),
    first INTEGER NOT NULL,
    to_version INTEGER,
    anchor INTEGER,
    ${SEAL_COLUMN},
    PRIMARY KEY (session, from_version, position),
    FOREIGN KEY (session, from_version) REFERENCES version (session, version)
  ) WITHOUT ROWID;
  CREATE INDEX span_current ON span (session, first, summary) WHERE to_version IS NULL;
  CREATE INDEX span_past ON span (session, anchor, to_version, first, summary) WHERE to_version IS NOT NULL;

  -- Messages, and summaries with a minus, that the full-text tables do not hold yet. A foreign key would bring those tables
  -- to the file with each row.
  CREATE TABLE unindexed (id INTEGER PRIMARY KEY);
  CREATE VIEW message_words_text AS
    SELECT id, CASE script WHEN 0 THEN text ELSE lcm_words(text) END AS text FROM message ${INDEXED};
  CREATE VIEW message_trigrams_text AS
    SELECT id, CASE script WHEN 0 THEN text ELSE lcm_fold(text) END AS text FROM message ${INDEXED};
  CREATE VIEW message_grams_text AS
    SELECT id, lcm_grams(text) AS text FROM message ${INDEXED} AND script = 2;
  CREATE VIEW summary_trigrams_text AS
    SELECT id, lcm_fold(text) AS text FROM summary
    WHERE text <> '' AND NOT EXISTS (SELECT 1 FROM unindexed WHERE unindexed.id = -summary.id);
  CREATE VIRTUAL TABLE message_words USING fts5 (
    text, content='message_words_text', content_rowid='id', ${LEAN}, ${WORDS}
  );
  CREATE VIRTUAL TABLE message_trigrams USING fts5 (
    text, content='message_trigrams_text', content_rowid='id', ${LEAN}, tokenize='trigram'
  );
  CREATE VIRTUAL TABLE message_grams USING fts5 (
    text, content='message_grams_text', content_rowid='id', ${LEAN}, tokenize='ascii'
  );
  CREATE VIRTUAL TABLE summary_trigrams USING fts5 (
    text, content='summary_trigrams_text', content_rowid='id', ${LEAN}, tokenize='trigram'
  );
  INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);
  INSERT INTO message_trigrams (message_trigrams, rank) VALUES ('secure-delete', 1);
  INSERT INTO message_grams (message_grams, rank) VALUES ('secure-delete', 1);
  INSERT INTO summary_trigrams (summary_trigrams, rank) VALUES ('secure-delete', 1);
  ${sealTables(SEALED)}`,
]

/** The full-text tables. Each reads from the view of its name and `_text`. */
export const FULL_TEXT_TABLES = [
  'message_words',
  'message_trigrams',
  'message_grams',
  'summary_trigrams',
] as const

export type FullTextTable = (typeof FULL_TEXT_TABLES)[number]
