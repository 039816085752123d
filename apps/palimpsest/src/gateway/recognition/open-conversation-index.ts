import { errorText, type Message, PalimpsestError } from '@palimpsest/core'
import { inTransaction, openDatabase, type Sql, type StoreFormat } from '@palimpsest/core/sqlite'
import { UsageError } from '../../usage-error.ts'
import { type ConversationIndex, createMemoryIndex, type KnownConversation } from './conversation-index.ts'

/** The file that conversations are recognised by after a restart: hashes, and what clients never saw. */
const INDEX_FORMAT: StoreFormat = {
  title: 'an index of the gateway of palimpsest serve',
  packageName: '@palimpsest/cli',
  // "PLGW" in ASCII.
  applicationId: 0x504c4757,
  migrations: [
    `
    CREATE TABLE conversation (
      no INTEGER PRIMARY KEY,
      owner TEXT NOT NULL,
      name TEXT NOT NULL,
      root TEXT,
      hashes TEXT NOT NULL,
      last_user INTEGER NOT NULL,
      used INTEGER NOT NULL,
      UNIQUE (owner, name)
    ) STRICT;
    CREATE INDEX by_use ON conversation (used);
    CREATE TABLE hidden (
      conversation INTEGER NOT NULL REFERENCES conversation (no) ON DELETE CASCADE,
      hash TEXT NOT NULL,
      messages TEXT NOT NULL,
      PRIMARY KEY (conversation, hash)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
  error: (code, message, options) => new PalimpsestError(code, message, options),
}

interface OpenIndexOptions {
  /** Conversations that are kept; the one that was quiet for longest is forgotten first. */
  readonly limit: number
  /** Told when something cannot be stored: then it is known until the process ends. */
  readonly log: (line: string) => void
}

interface ConversationRow {
  readonly no: number
  readonly owner: string
  readonly name: string
  readonly root: string | null
  readonly hashes: string
  readonly lastUser: number
}

/**
 * An index in a file.
 *
 * @throws UsageError when the file is something else, or cannot be written.
 */
export function openConversationIndex(path: string, { limit, log }: OpenIndexOptions): ConversationIndex {
  const sql = open(path)
  const memory = createMemoryIndex(limit)
  for (const conversation of readAll(sql)) memory.save(conversation)
  return {
    ...memory,
    save(conversation) {
      memory.save(conversation)
      try {
        inTransaction(sql, 'BEGIN IMMEDIATE', () => write(sql, conversation, limit))
      } catch (error) {
        log(
          `warning: a conversation was not stored and will not be recognised after a restart: ${errorText(error)}`,
        )
      }
    },
    close() {
      memory.close()
      sql.close()
    },
  }
}

function open(path: string): Sql {
  try {
    return openDatabase(path, 'create', INDEX_FORMAT)
  } catch (cause) {
    throw new UsageError(`the index of the gateway: ${errorText(cause)}`, { cause })
  }
}

/** In the order of their last use. */
function readAll(sql: Sql): KnownConversation[] {
  const hidden = new Map<number, Map<string, readonly Message[]>>()
  for (const row of sql.all<{ conversation: number; hash: string; messages: string }>(
    'SELECT * FROM hidden',
  )) {
    const answers = hidden.get(row.conversation) ?? new Map()
    hidden.set(row.conversation, answers.set(row.hash, JSON.parse(row.messages)))
  }
  return sql
    .all<ConversationRow>(
      'SELECT no, owner, name, root, hashes, last_user AS lastUser FROM conversation ORDER BY used',
    )
    .map(({ no, hashes, lastUser, ...row }) => ({
      ...row,
      trail: { hashes: JSON.parse(hashes) as string[], lastUser },
      hidden: hidden.get(no) ?? new Map(),
    }))
}

function write(sql: Sql, { owner, name, root, trail, hidden }: KnownConversation, limit: number): void {
  const row = sql.get<{ no: number }>(
    `INSERT INTO conversation (owner, name, root, hashes, last_user, used)
     VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(used), 0) + 1 FROM conversation))
     ON CONFLICT (owner, name) DO UPDATE
       SET hashes = excluded.hashes, last_user = excluded.last_user, used = excluded.used
     RETURNING no`,
    ...[owner, name, root, JSON.stringify(trail.hashes), trail.lastUser],
  )
  const no = row?.no ?? 0
  sql.run(
    'DELETE FROM hidden WHERE conversation = ? AND hash NOT IN (SELECT value FROM json_each(?))',
    ...[no, JSON.stringify([...hidden.keys()])],
  )
  const stored = sql.all<{ hash: string }>('SELECT hash FROM hidden WHERE conversation = ?', no)
  const known = new Set(stored.map(({ hash }) => hash))
  for (const [hash, messages] of hidden)
    if (!known.has(hash)) sql.run('INSERT INTO hidden VALUES (?, ?, ?)', no, hash, JSON.stringify(messages))
  sql.run(
    'DELETE FROM conversation WHERE no NOT IN (SELECT no FROM conversation ORDER BY used DESC LIMIT ?)',
    limit,
  )
}
