import { errorText, type Message, PalimpsestError } from '@palimpsest/core'
import {
  type ConversationChange,
  type ConversationIndex,
  createMemoryIndex,
  type HiddenAnswer,
  type KnownConversation,
  type RememberedConversation,
} from '@palimpsest/gateway'
import {
  brokenRows,
  checkFile,
  type FileFault,
  inTransaction,
  openDatabase,
  SEAL_COLUMN,
  type SealedTable,
  type Sql,
  type StoreFormat,
  sealTables,
  toStoreError,
} from '@palimpsest/sqlite-kit'
import { UsageError } from '../../../usage-error.ts'
import type { CheckedStore } from '../../health/watch-stores.ts'
import { createWriteWatch } from '../../health/watch-writes.ts'

/** All tables of the file: every row has a hash. */
const INDEX_TABLES: readonly SealedTable[] = [
  {
    table: 'conversation',
    key: ['no'],
    columns: ['no', 'owner', 'name', 'hashes', 'used', 'named', 'anchor', 'turn', 'first'],
  },
  {
    table: 'hidden',
    key: ['conversation', 'hash'],
    columns: ['conversation', 'hash', 'messages'],
  },
]

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
      hashes TEXT NOT NULL,
      used INTEGER NOT NULL,
      named INTEGER NOT NULL,
      anchor TEXT NOT NULL,
      turn INTEGER NOT NULL,
      first INTEGER NOT NULL,
      ${SEAL_COLUMN},
      UNIQUE (owner, name)
    ) STRICT;
    CREATE INDEX by_use ON conversation (used);
    CREATE TABLE hidden (
      conversation INTEGER NOT NULL REFERENCES conversation (no) ON DELETE CASCADE,
      hash TEXT NOT NULL,
      messages TEXT NOT NULL,
      ${SEAL_COLUMN},
      PRIMARY KEY (conversation, hash)
    ) STRICT, WITHOUT ROWID;
    ${sealTables(INDEX_TABLES)}`,
  ],
  error: (code, message, options) => new PalimpsestError(code, message, options),
}

interface ConversationRow {
  readonly no: number
  readonly owner: string
  readonly name: string
  readonly named: number
  readonly anchor: string
  readonly turn: number
  readonly first: number
  /** JSON. */
  readonly hashes: string
}

/** The faults of the file. Reads all of it. @throws PalimpsestError when it cannot be read. */
export function checkIndex(path: string): FileFault[] {
  let sql: Sql | undefined
  try {
    sql = openDatabase(path, 'read', INDEX_FORMAT)
    return checkFile(sql)
  } catch (error) {
    throw toStoreError(error, path, INDEX_FORMAT)
  } finally {
    sql?.close()
  }
}

/** In the order of their last use. @throws PalimpsestError `STORE_CORRUPT` */
function readConversations(sql: Sql): RememberedConversation[] {
  const [broken] = brokenRows(sql)
  if (broken !== undefined)
    throw INDEX_FORMAT.error(
      'STORE_CORRUPT',
      `${broken.message.slice(0, -1)}; take an older copy, or remove the file: then conversations without a name begin anew`,
    )
  const hidden = new Map<number, Map<string, HiddenAnswer>>()
  for (const row of sql.all<{ conversation: number; hash: string; messages: string }>(
    'SELECT conversation, hash, messages FROM hidden',
  )) {
    const answers = hidden.get(row.conversation) ?? new Map()
    hidden.set(row.conversation, answers.set(row.hash, JSON.parse(row.messages) as Message[]))
  }
  const columns = 'no, owner, name, named, anchor, turn, first, hashes'
  return sql
    .all<ConversationRow>(`SELECT ${columns} FROM conversation ORDER BY used`)
    .map(({ no, owner, name, named, hashes, ...checkpoint }) => ({
      known: {
        owner,
        name,
        isNamed: named === 1,
        token: 0,
        checkpoint: { ...checkpoint, hashes: JSON.parse(hashes) as string[] },
      },
      hidden: hidden.get(no) ?? new Map(),
    }))
}

/** Writes the latest state of a conversation. `limit`: conversations that are kept. */
function writeConversation(
  sql: Sql,
  { owner, name, isNamed, checkpoint }: KnownConversation,
  { hidden, dropped }: Omit<ConversationChange, 'checkpoint'>,
  limit: number,
): void {
  const { anchor, turn, first, hashes } = checkpoint
  const row = sql.get<{ no: number }>(
    `INSERT INTO conversation (owner, name, named, anchor, turn, first, hashes, used)
     VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(used), 0) + 1 FROM conversation))
     ON CONFLICT (owner, name) DO UPDATE SET anchor = excluded.anchor, turn = excluded.turn, first = excluded.first,
       hashes = excluded.hashes, used = excluded.used
     RETURNING no`,
    ...[owner, name, Number(isNamed), anchor, turn, first, JSON.stringify(hashes)],
  )
  const no = row?.no ?? 0
  for (const hash of dropped) sql.run('DELETE FROM hidden WHERE conversation = ? AND hash = ?', no, hash)
  for (const [hash, messages] of hidden)
    sql.run(
      'INSERT OR REPLACE INTO hidden (conversation, hash, messages) VALUES (?, ?, ?)',
      no,
      hash,
      JSON.stringify(messages),
    )
  sql.run(
    'DELETE FROM conversation WHERE used <= (SELECT used FROM conversation ORDER BY used DESC LIMIT 1 OFFSET ?)',
    limit,
  )
}

interface FileIndexOptions {
  /** Conversations that are kept; the one that was quiet for longest is forgotten first. */
  readonly limit: number
  /** Told when something cannot be stored: then it is known until the process ends. */
  readonly log: (line: string) => void
}

/** The index of one process, and the health of its file. */
interface FileIndex extends ConversationIndex, Pick<CheckedStore, 'check'> {}

/**
 * The index of one process, in memory and in a file.
 *
 * @throws UsageError when the file is something else, is damaged, or cannot be written.
 */
export function openFileIndex(path: string, { limit, log }: FileIndexOptions): FileIndex {
  const { sql, known: remembered } = open(path)
  const memory = createMemoryIndex(limit, remembered)
  const watch = createWriteWatch()
  const write = (known: KnownConversation, change: Omit<ConversationChange, 'checkpoint'>): void => {
    try {
      inTransaction(sql, 'BEGIN IMMEDIATE', () => writeConversation(sql, known, change, limit))
      watch.note()
    } catch (cause) {
      const error = toStoreError(cause, path, INDEX_FORMAT)
      watch.note(error)
      log(
        `warning: a conversation was not stored and will not be recognised after a restart: ${errorText(error)}`,
      )
    }
  }
  return {
    ...memory,
    async create(conversation) {
      const known = await memory.create(conversation)
      if (known !== undefined) write(known, { hidden: new Map(), dropped: [] })
      return known
    },
    async save(conversation, change) {
      const isSaved = await memory.save(conversation, change)
      if (isSaved) write({ ...conversation, checkpoint: change.checkpoint }, change)
      return isSaved
    },
    async check() {
      sql.get('SELECT count(*) FROM conversation')
      watch.assertWell(path)
    },
    async close() {
      await memory.close()
      sql.close()
    },
  }
}

function open(path: string): { readonly sql: Sql; readonly known: RememberedConversation[] } {
  let sql: Sql | undefined
  try {
    sql = openDatabase(path, 'create', INDEX_FORMAT)
    return { sql, known: readConversations(sql) }
  } catch (cause) {
    sql?.close()
    throw new UsageError(`the index of the gateway, ${path}: ${errorText(cause)}`, { cause })
  }
}
