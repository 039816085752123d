import { PalimpsestError } from '@palimpsest/core'
import type { DatabaseFormat } from '@palimpsest/postgres/database'

/**
 * The tables that conversations are recognised by. A conversation is found by its name and by its anchor; what changes
 * with a request is one row of about 1.5 KB, however long the conversation is.
 */
export const INDEX_TABLES: DatabaseFormat = {
  name: 'gateway',
  tables: ['gateway_conversation', 'gateway_hidden'],
  migrations: [
    () => `
    CREATE TABLE gateway_conversation (
      no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      principal text COLLATE "C" NOT NULL,
      owner text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      named boolean NOT NULL,
      token bigint NOT NULL DEFAULT 1,
      anchor text COLLATE "C" NOT NULL,
      turn integer NOT NULL,
      first integer NOT NULL,
      hashes text[] NOT NULL,
      used timestamptz NOT NULL,
      UNIQUE (principal, owner, name)
    ) WITH (fillfactor = 70);
    CREATE INDEX gateway_conversation_anchor ON gateway_conversation (principal, owner, anchor) WHERE NOT named;
    CREATE INDEX gateway_conversation_used ON gateway_conversation (principal, used);
    CREATE TABLE gateway_hidden (
      conversation bigint NOT NULL REFERENCES gateway_conversation (no) ON DELETE CASCADE,
      principal text COLLATE "C" NOT NULL,
      hash text COLLATE "C" NOT NULL,
      messages text NOT NULL,
      PRIMARY KEY (conversation, hash)
    );
    `,
  ],
  error: (code, message, options) => new PalimpsestError(code, message, options),
}
