import { PalimpsestError } from '@palimpsest/core'
import type { StoreFormat } from '@palimpsest/sqlite-kit'

/** The file of `palimpsest serve --store`. */
export const SERVICE_FORMAT: StoreFormat = {
  title: 'a store of palimpsest serve',
  packageName: '@palimpsest/cli',
  // "PLSV" in ASCII.
  applicationId: 0x504c5356,
  migrations: [
    `
    CREATE TABLE conversation (
      no INTEGER PRIMARY KEY,
      session TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      repo TEXT,
      system TEXT NOT NULL,
      turns INTEGER NOT NULL,
      messages INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      UNIQUE (session, epoch)
    ) STRICT;
    CREATE TABLE message (
      conversation INTEGER NOT NULL REFERENCES conversation (no),
      seq INTEGER NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (conversation, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE turn (
      conversation INTEGER NOT NULL REFERENCES conversation (no),
      number INTEGER NOT NULL,
      request TEXT,
      request_hash TEXT,
      response TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (conversation, number),
      UNIQUE (conversation, request)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE cost (
      conversation INTEGER NOT NULL REFERENCES conversation (no),
      purpose TEXT NOT NULL,
      model TEXT NOT NULL,
      calls INTEGER NOT NULL,
      prompt INTEGER NOT NULL,
      cached INTEGER NOT NULL,
      written INTEGER NOT NULL,
      written_long INTEGER NOT NULL,
      completion INTEGER NOT NULL,
      reasoning INTEGER NOT NULL,
      PRIMARY KEY (conversation, purpose, model)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
  error: (code, message, options) => new PalimpsestError(code, message, options),
}
