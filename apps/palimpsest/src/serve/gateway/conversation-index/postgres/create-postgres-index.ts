import { PalimpsestError } from '@palimpsest/core'
import { anchorsOf, type ConversationIndex, knownLength } from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { PostgresOptions } from '@palimpsest/postgres'
import { createDatabase, type DatabaseFormat } from '@palimpsest/postgres/database'
import {
  acquireConversation,
  findAlike,
  forgetOldest,
  insertConversation,
  readHidden,
  saveConversation,
} from './conversation-rows.ts'

/** So many times while as many conversations begin as are kept, the oldest are looked for: it takes a look at all. */
const SWEEPS = 16

export interface PostgresIndexOptions extends PostgresOptions {
  /** Clients of one principal are kept apart by their keys. */
  readonly principal: string
  /** Conversations that are kept, a sixteenth more at times; those that were quiet for longest are forgotten. */
  readonly limit: number
}

/** The index of all workers on one database. */
export function createPostgresIndex({ limit, ...options }: PostgresIndexOptions): ConversationIndex {
  const database = createDatabase(options, INDEX_TABLES)
  const principal = packName(options.principal)
  const scope = { principal }
  const interval = Math.max(1, Math.floor(limit / SWEEPS))
  return {
    async alike(owner, prefix) {
      const found = await database.read(scope, (sql) => findAlike(sql, principal, owner, anchorsOf(prefix)))
      // The same hash is an anchor in one place only.
      return found.filter(({ checkpoint }) => knownLength(checkpoint, prefix) !== undefined)
    },
    async create(conversation) {
      const no = await database.write(scope, (sql) => insertConversation(sql, principal, conversation))
      if (no === undefined) return undefined
      if (no % interval === 0) await database.write(scope, (sql) => forgetOldest(sql, principal, limit))
      return { ...conversation, token: 1 }
    },
    acquire: (owner, name) =>
      database.write(scope, (sql) => acquireConversation(sql, principal, owner, name)),
    hidden: (conversation) => database.read(scope, (sql) => readHidden(sql, principal, conversation)),
    save: (conversation, change) =>
      database.write(scope, (sql) => saveConversation(sql, principal, conversation, change)),
    close: () => database.close(),
  }
}

/**
 * The tables that conversations are recognised by. A conversation is found by its name and by its anchor; what changes
 * with a request is one row of about 1.5 KB, however long the conversation is.
 */
const INDEX_TABLES: DatabaseFormat = {
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
