import type { ConversationIndex } from '@palimpsest/gateway'
import { anchorsOf, knownLength } from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { PostgresOptions } from '@palimpsest/postgres'
import { createDatabase } from '@palimpsest/postgres/database'
import {
  acquireConversation,
  findAlike,
  forgetOldest,
  insertConversation,
  saveConversation,
} from './conversation-rows.ts'
import { readHidden } from './hidden-rows.ts'
import { INDEX_TABLES } from './index-tables.ts'

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
