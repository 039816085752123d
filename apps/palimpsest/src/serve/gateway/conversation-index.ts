import type { Clock, Message } from '@palimpsest/core'
import { anchorsOf, type ConversationIndex, type KnownConversation, knownLength } from '@palimpsest/gateway'
import type { ServiceDatabase, Sql } from '../store/service-database.ts'

/** Conversations that are kept; those that were quiet for longest are forgotten. */
const LIMIT = 100_000
/** So many times while as many conversations begin as are kept, the oldest are looked for: it takes a look at all. */
const SWEEPS = 16
/** Conversations that are alike up to their last turns are few: as many as were under way at once. */
const MOST_ALIKE = 32

interface ClientRow {
  readonly no: number
  readonly owner: string
  readonly name: string
  readonly named: number
  readonly token: number
  readonly anchor: string
  readonly turn: number
  readonly first: number
  /** JSON. */
  readonly hashes: string
}

const COLUMNS = 'no, owner, name, named, token, anchor, turn, first, hashes'

function toKnown({ owner, name, named, token, anchor, turn, first, hashes }: ClientRow): KnownConversation {
  const checkpoint = { anchor, turn, first, hashes: JSON.parse(hashes) as string[] }
  return { owner, name, isNamed: named === 1, token, checkpoint }
}

/** What conversations of the gateway are recognised by, for all workers on one database. */
export function createConversationIndex(
  database: ServiceDatabase,
  clock: Clock,
  limit = LIMIT,
): ConversationIndex {
  const { principal } = database
  const interval = Math.max(1, Math.floor(limit / SWEEPS))

  const findNo = async (sql: Sql, { owner, name, token }: KnownConversation): Promise<number | undefined> => {
    const row = await sql.get<{ no: number }>(
      `SELECT no FROM serve_client WHERE principal = $1 AND owner = $2 AND name = $3 AND token = $4
       ${database.forUpdate}`,
      ...[principal, owner, name, token],
    )
    return row?.no
  }

  return {
    async alike(owner, prefix) {
      const anchors = anchorsOf(prefix)
      const places = anchors.map((_, index) => `$${index + 3}`)
      const rows = await database.read((sql) =>
        sql.all<ClientRow>(
          `SELECT ${COLUMNS} FROM serve_client WHERE principal = $1 AND owner = $2 AND named = 0
             AND anchor IN (${places}) ORDER BY turn DESC, used DESC LIMIT ${MOST_ALIKE}`,
          ...[principal, owner, ...anchors],
        ),
      )
      // The same hash is an anchor in one place only.
      return rows.map(toKnown).filter(({ checkpoint }) => knownLength(checkpoint, prefix) !== undefined)
    },
    async create(conversation) {
      const { owner, name, isNamed, checkpoint } = conversation
      const { anchor, turn, first, hashes } = checkpoint
      return database.write(async (sql) => {
        const row = await sql.get<{ no: number }>(
          `INSERT INTO serve_client (principal, owner, name, named, token, anchor, turn, first, hashes, used)
           VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9)
           ON CONFLICT (principal, owner, name) DO NOTHING RETURNING no`,
          ...[
            principal,
            owner,
            name,
            Number(isNamed),
            anchor,
            turn,
            first,
            JSON.stringify(hashes),
            clock.now(),
          ],
        )
        if (row === undefined) return undefined
        if (row.no % interval === 0)
          await sql.run(
            `DELETE FROM serve_client WHERE principal = $1 AND used <= (
               SELECT used FROM serve_client WHERE principal = $1 ORDER BY used DESC LIMIT 1 OFFSET $2
             )`,
            ...[principal, limit],
          )
        return { ...conversation, token: 1 }
      })
    },
    /** A token that is counted twice, because the answer was lost, makes workers read the conversation again. */
    async acquire(owner, name) {
      const row = await database.write((sql) =>
        sql.get<ClientRow>(
          `UPDATE serve_client SET token = token + 1 WHERE principal = $1 AND owner = $2 AND name = $3
           RETURNING ${COLUMNS}`,
          ...[principal, owner, name],
        ),
      )
      return row && toKnown(row)
    },
    async hidden(conversation) {
      const rows = await database.read((sql) =>
        sql.all<{ hash: string; messages: string }>(
          `SELECT hash, messages FROM serve_hidden WHERE client = (
             SELECT no FROM serve_client WHERE principal = $1 AND owner = $2 AND name = $3
           )`,
          ...[principal, conversation.owner, conversation.name],
        ),
      )
      return new Map(rows.map(({ hash, messages }) => [hash, JSON.parse(messages) as Message[]]))
    },
    save: (conversation, { checkpoint, hidden, dropped }) =>
      database.write(async (sql) => {
        const no = await findNo(sql, conversation)
        if (no === undefined) return false
        const { anchor, turn, first, hashes } = checkpoint
        await sql.run(
          'UPDATE serve_client SET anchor = $2, turn = $3, first = $4, hashes = $5, used = $6 WHERE no = $1',
          ...[no, anchor, turn, first, JSON.stringify(hashes), clock.now()],
        )
        for (const hash of dropped)
          await sql.run('DELETE FROM serve_hidden WHERE client = $1 AND hash = $2', no, hash)
        for (const [hash, messages] of hidden)
          await sql.run(
            `INSERT INTO serve_hidden (client, hash, principal, messages) VALUES ($1, $2, $3, $4)
             ON CONFLICT (client, hash) DO UPDATE SET messages = excluded.messages`,
            ...[no, hash, principal, JSON.stringify(messages)],
          )
        return true
      }),
    // The tables are the service's.
    close: async () => {},
  }
}
