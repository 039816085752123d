import { SEAL_COLUMN, type SealedTable, sealTables } from '@palimpsest/sqlite-kit'

/** The messages of sessions. */
export const SOURCE_TABLE: SealedTable = {
  table: 'source',
  key: ['session', 'message'],
  columns: ['session', 'message', 'json'],
  comesSealed: true,
}

const SEALED: readonly SealedTable[] = [
  {
    table: 'session',
    key: ['no'],
    columns: ['no', 'principal', 'key', 'created_at', 'last_at', 'messages', 'events'],
  },
  { table: 'event', key: ['seq'], columns: ['seq', 'principal', 'scope', 'id', 'json'] },
  SOURCE_TABLE,
  {
    table: 'job',
    key: ['no'],
    columns: ['no', 'session', 'id', 'first', 'behind', 'version', 'attempts', 'finished', 'holder', 'until'],
  },
]

/**
 * The steps from an empty file to the newest version, see `StoreFormat`. Every text is stored as JSON, because SQLite
 * would lose lone surrogates and what follows a NUL character; so names are compared as JSON too. Events are never
 * deleted, so the number of a row is its place in the log.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    no INTEGER PRIMARY KEY,
    principal TEXT NOT NULL,
    key TEXT NOT NULL,
    created_at REAL NOT NULL,
    last_at REAL NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    ${SEAL_COLUMN},
    UNIQUE (principal, key)
  );
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    principal TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    ${SEAL_COLUMN},
    UNIQUE (principal, id)
  );
  CREATE INDEX event_scope ON event (principal, scope);
  CREATE TABLE source (
    session INTEGER NOT NULL REFERENCES session (no),
    message INTEGER NOT NULL,
    json TEXT NOT NULL,
    ${SEAL_COLUMN},
    UNIQUE (session, message)
  );
  CREATE TABLE job (
    no INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (no),
    id TEXT NOT NULL,
    first INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    version INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    until REAL,
    ${SEAL_COLUMN},
    UNIQUE (session, id)
  );
  CREATE INDEX job_pending ON job (session) WHERE finished = 0;
  CREATE INDEX job_place ON job (session, behind);
  ${sealTables(SEALED)}`,
]
