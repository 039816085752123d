import { type Message, PalimpsestError } from '@palimpsest/core'
import {
  anchorsOf,
  type ConversationChange,
  type ConversationIndex,
  type HiddenAnswers,
  type KnownConversation,
  knownLength,
} from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { PostgresOptions } from '@palimpsest/postgres'
import { createDatabase, type DatabaseFormat, insertRows, type Sql } from '@palimpsest/postgres/database'

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

interface ConversationRow {
  readonly owner: string
  readonly name: string
  readonly named: boolean
  readonly token: number
  readonly anchor: string
  readonly turn: number
  readonly first: number
  readonly hashes: readonly string[]
}

const COLUMNS = 'owner, name, named, token, anchor, turn, first, hashes'

/** Conversations that are alike up to their last turns are few: as many as were under way at once. */
const MOST_ALIKE = 32

function fromRow({ owner, name, named, token, ...checkpoint }: ConversationRow): KnownConversation {
  return { owner, name, isNamed: named, token, checkpoint }
}

/** Those that are recognised by one of some anchors; first those that share most, and of these the one used last. */
async function findAlike(
  sql: Sql,
  principal: string,
  owner: string,
  anchors: readonly string[],
): Promise<KnownConversation[]> {
  const rows = await sql.all<ConversationRow>(
    `SELECT ${COLUMNS} FROM gateway_conversation
     WHERE principal = $1 AND owner = $2 AND anchor = ANY ($3) AND NOT named 
     ORDER BY turn DESC, used DESC LIMIT ${MOST_ALIKE}`,
    ...[principal, owner, anchors],
  )
  return rows.map(fromRow)
}

/** Returns the number of the row; undefined when there is one of that name. */
async function insertConversation(
  sql: Sql,
  principal: string,
  { owner, name, isNamed, checkpoint }: Omit<KnownConversation, 'token'>,
): Promise<number | undefined> {
  const { anchor, turn, first, hashes } = checkpoint
  const row = await sql.get<{ no: number }>(
    `INSERT INTO gateway_conversation (principal, owner, name, named, anchor, turn, first, hashes, used)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
     ON CONFLICT (principal, owner, name) DO NOTHING RETURNING no`,
    ...[principal, owner, name, isNamed, anchor, turn, first, hashes],
  )
  return row?.no
}

/** Gives the next token out. One that is counted twice, because the answer was lost, makes workers read the conversation again. */
async function acquireConversation(
  sql: Sql,
  principal: string,
  owner: string,
  name: string,
): Promise<KnownConversation | undefined> {
  const row = await sql.get<ConversationRow>(
    `UPDATE gateway_conversation SET token = token + 1 WHERE principal = $1 AND owner = $2 AND name = $3
     RETURNING ${COLUMNS}`,
    ...[principal, owner, name],
  )
  return row && fromRow(row)
}

/** False when another request has acquired it. */
async function saveConversation(
  sql: Sql,
  principal: string,
  { owner, name, token }: KnownConversation,
  { checkpoint, hidden, dropped }: ConversationChange,
): Promise<boolean> {
  const { anchor, turn, first, hashes } = checkpoint
  const row = await sql.get<{ no: number }>(
    `UPDATE gateway_conversation SET anchor = $5, turn = $6, first = $7, hashes = $8, used = clock_timestamp()
     WHERE principal = $1 AND owner = $2 AND name = $3 AND token = $4 RETURNING no`,
    ...[principal, owner, name, token, anchor, turn, first, hashes],
  )
  if (row === undefined) return false
  await writeHidden(sql, { principal, conversation: row.no }, { hidden, dropped })
  return true
}

/** Keeps the conversations that were used last. */
async function forgetOldest(sql: Sql, principal: string, limit: number): Promise<void> {
  await sql.run(
    `DELETE FROM gateway_conversation WHERE principal = $1 AND used <= (
       SELECT used FROM gateway_conversation WHERE principal = $1 ORDER BY used DESC OFFSET $2 LIMIT 1
     )`,
    ...[principal, limit],
  )
}

/** All hidden answers of a conversation. */
async function readHidden(
  sql: Sql,
  principal: string,
  { owner, name }: KnownConversation,
): Promise<HiddenAnswers> {
  const rows = await sql.all<{ hash: string; messages: string }>(
    `SELECT hash, messages FROM gateway_hidden WHERE conversation = (
       SELECT no FROM gateway_conversation WHERE principal = $1 AND owner = $2 AND name = $3
     )`,
    ...[principal, owner, name],
  )
  return new Map(rows.map(({ hash, messages }) => [hash, JSON.parse(messages) as Message[]]))
}

/** Writes what changed of them. `conversation`: the number of its row, which is locked. */
async function writeHidden(
  sql: Sql,
  { principal, conversation }: { readonly principal: string; readonly conversation: number },
  { hidden, dropped }: Pick<ConversationChange, 'hidden' | 'dropped'>,
): Promise<void> {
  if (dropped.length > 0)
    await sql.run(
      'DELETE FROM gateway_hidden WHERE conversation = $1 AND hash = ANY ($2)',
      conversation,
      dropped,
    )
  const rows = [...hidden].map(([hash, messages]) => [
    conversation,
    principal,
    hash,
    JSON.stringify(messages),
  ])
  const columns = ['conversation', 'principal', 'hash', 'messages']
  const behind = 'ON CONFLICT (conversation, hash) DO UPDATE SET messages = excluded.messages'
  await insertRows(sql, 'gateway_hidden', columns, rows, behind)
}
