import { PalimpsestError } from '@palimpsest/core'
import type { DatabaseFormat } from '@palimpsest/postgres/database'

/**
 * The tables of services: what `palimpsest serve` records, and who may write to what (`serve_lock`, which the gateway
 * uses too). A row of `serve_session` is one conversation, of which a session has one after each `/init`.
 *
 * Names are packed (`packName`) and compared by their bytes. Texts of callers are JSON: PostgreSQL takes no NUL, and
 * neither a lone surrogate. Times are milliseconds since the epoch; that of a lock is the server's, which is one clock
 * for all workers.
 */
export const SERVE_TABLES: DatabaseFormat = {
  name: 'serve',
  tables: ['serve_session', 'serve_message', 'serve_turn', 'serve_projection', 'serve_cost', 'serve_lock'],
  migrations: [
    () => `
    CREATE TABLE serve_session (
      no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      principal text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      epoch integer NOT NULL,
      repo text,
      system text NOT NULL DEFAULT '""',
      turns integer NOT NULL DEFAULT 0,
      messages integer NOT NULL DEFAULT 0,
      created_at double precision NOT NULL,
      last_at double precision NOT NULL,
      receipts uuid[] NOT NULL DEFAULT '{}',
      UNIQUE (principal, name, epoch)
    ) WITH (fillfactor = 50);

    CREATE TABLE serve_message (
      session bigint NOT NULL REFERENCES serve_session (no),
      seq integer NOT NULL,
      principal text COLLATE "C" NOT NULL,
      json text NOT NULL,
      PRIMARY KEY (session, seq)
    );

    CREATE TABLE serve_turn (
      session bigint NOT NULL REFERENCES serve_session (no),
      number integer NOT NULL,
      principal text COLLATE "C" NOT NULL,
      request text COLLATE "C",
      request_hash text,
      response text NOT NULL,
      at double precision NOT NULL,
      PRIMARY KEY (session, number),
      UNIQUE (session, request)
    );

    CREATE TABLE serve_projection (
      session bigint PRIMARY KEY REFERENCES serve_session (no),
      principal text COLLATE "C" NOT NULL,
      json text NOT NULL
    ) WITH (fillfactor = 50);

    CREATE TABLE serve_cost (
      session bigint NOT NULL REFERENCES serve_session (no),
      purpose text COLLATE "C" NOT NULL,
      model text COLLATE "C" NOT NULL,
      principal text COLLATE "C" NOT NULL,
      calls bigint NOT NULL,
      prompt bigint NOT NULL,
      cached bigint NOT NULL,
      written bigint NOT NULL,
      written_long bigint NOT NULL,
      completion bigint NOT NULL,
      reasoning bigint NOT NULL,
      PRIMARY KEY (session, purpose, model)
    ) WITH (fillfactor = 50);

    CREATE TABLE serve_lock (
      principal text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      token bigint NOT NULL,
      holder uuid,
      until timestamptz,
      PRIMARY KEY (principal, name)
    ) WITH (fillfactor = 50);
    `,
  ],
  error: (code, message, options) => new PalimpsestError(code, message, options),
}
