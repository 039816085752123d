import { SEAL_COLUMN, type SealedTable, type StoreFormat, sealTables } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import { searchText, storableCopy } from '../messages/encode-message.ts'
import { foldText, gramText, scriptOf, wordText } from '../store-kit/fold-text.ts'
import { unpackName } from '../store-kit/row-columns.ts'

/** Options of every full-text table: no positions and no sizes are kept, because who asks looks at the text itself. */
const LEAN = 'detail=none, columnsize=0'

/** The division of a text into indexed words, see `wordText`: everything but ASCII is a part of a word. */
const WORDS = `tokenize="ascii tokenchars '_'"`

/** Messages. Their JSON is proved by their hash, and `script` can be made anew from it. */
export const MESSAGE_TABLE: SealedTable = {
  table: 'message',
  key: ['id'],
  columns: ['id', 'role', 'at', 'tokens', 'hash', 'host_id', 'forgotten_at', 'forgotten_reason'],
  comesSealed: true,
}

/** The tables whose rows have a seal. */
const SEALED: readonly SealedTable[] = [
  {
    table: 'session',
    key: ['no'],
    columns: [
      ...['no', 'principal', 'key', 'created_at', 'last_at', 'next_seq'],
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
        'children',
        'tokens',
        'source_tokens',
        'writer',
        'at',
        'from_at',
        'to_at',
      ],
      ...['hash', 'forgotten_at', 'forgotten_reason', 'text'],
    ],
  },
  {
    table: 'version',
    key: ['session', 'version'],
    columns: ['session', 'version', 'reason', 'next_seq', 'at', 'summaries'],
  },
]

/**
 * The steps from an empty file to the newest version: a file of version n has the first n behind it. A published step
 * is never changed. A message is stored once, as JSON. The full-text tables read its text through views, which bring it into
 * the indexed form (the functions `lcm_*` are ours) when an index is rebuilt or checked.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    no INTEGER PRIMARY KEY,
    principal TEXT NOT NULL,
    key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    next_summary INTEGER NOT NULL,
    version INTEGER NOT NULL,
    replaced TEXT NOT NULL,
    lease_token INTEGER NOT NULL DEFAULT 0,
    lease_holder TEXT,
    lease_until INTEGER,
    ${SEAL_COLUMN},
    UNIQUE (principal, key)
  );

  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    script INTEGER NOT NULL,
    hash BLOB NOT NULL,
    host_id TEXT,
    forgotten_at INTEGER,
    forgotten_reason TEXT,
    json TEXT NOT NULL,
    ${SEAL_COLUMN}
  );

  CREATE TABLE summary (
    id INTEGER PRIMARY KEY,
    depth INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    children TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    source_tokens INTEGER NOT NULL,
    writer TEXT NOT NULL,
    at INTEGER NOT NULL,
    from_at INTEGER NOT NULL,
    to_at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    forgotten_at INTEGER,
    forgotten_reason TEXT,
    text TEXT NOT NULL,
    ${SEAL_COLUMN}
  );
  CREATE TABLE version (
    session INTEGER NOT NULL REFERENCES session (no),
    version INTEGER NOT NULL,
    reason TEXT NOT NULL,
    next_seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    summaries TEXT NOT NULL,
    ${SEAL_COLUMN},
    PRIMARY KEY (session, version)
  ) WITHOUT ROWID;
  CREATE VIEW message_words_text AS
    SELECT id, CASE script WHEN 0 THEN lcm_text(json) ELSE lcm_words(lcm_text(json)) END AS text
    FROM message WHERE json <> '';
  CREATE VIEW message_trigrams_text AS
    SELECT id, CASE script WHEN 0 THEN lcm_text(json) ELSE lcm_fold(lcm_text(json)) END AS text
    FROM message WHERE json <> '';
  CREATE VIEW message_grams_text AS
    SELECT id, lcm_grams(lcm_text(json)) AS text FROM message WHERE script = 2;
  CREATE VIEW summary_trigrams_text AS
    SELECT id, lcm_summary(text) AS text FROM summary WHERE text <> '';
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

/** The files of this package. */
export const STORE_FORMAT: StoreFormat = {
  title: 'a store of LCM',
  packageName: '@palimpsest/lcm',
  /** "LCMs" in ASCII. */
  applicationId: 0x4c434d73,
  migrations: MIGRATIONS,
  addFunctions(database) {
    const pure = { deterministic: true, directOnly: false } as const
    database.function('lcm_text', pure, (json) => searchText(String(json)))
    database.function('lcm_summary', pure, (text) => foldText(storableCopy(unpackName(String(text)))))
    database.function('lcm_fold', pure, (text) => foldText(String(text)))
    database.function('lcm_words', pure, (text) => wordText(String(text)))
    database.function('lcm_grams', pure, (text) => gramText(String(text)))
    database.function('lcm_script', pure, (text) => scriptOf(String(text)))
  },
  error: (code, message, options) => new StoreError(code, message, options),
}
