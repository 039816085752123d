import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { countMessages, type Message, roughTokenCounter } from '@palimpsest/core'
import type { LcmSession } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { createSamples, type RatioRow, timeRow } from '../speed/time.ts'
import { BULK, encodeAll } from './fill-store.ts'
import { inBatches, inTurns, lcmWorkload, type MeasureInput, SESSION, timeOf } from './workload.ts'

const BLOCKS = 9
const TURNS = 10
const BULKS = 1
/** A conversation that is long enough for all of them. It is made while it is read. */
const MESSAGES = 1_000_000

const TURN = 'write a turn'
const IN_BULK = `write ${BULK} messages at once`

/** Writing into a store, beside plain inserts of the same rows into a copy of its file. Reading them back is not timed. */
export async function measureIngest({
  path,
  copy,
  messages,
  seed,
}: MeasureInput & { readonly copy: string }): Promise<RatioRow[]> {
  const store = createSqliteStore({ path })
  const session = await store.session(SESSION, timeOf(messages))
  const pair = { session, written: openRaw(path), floor: openRaw(copy) }
  const next = (offset: number) => withoutSystem(lcmWorkload(seed + offset, MESSAGES).messages)
  const turns = await writeBlocks(inTurns(next(2)), TURNS, pair)
  const bulks = await writeBlocks(inBatches(next(3), BULK), BULKS, pair)
  pair.written.close()
  pair.floor.close()
  await store.close()
  const against = 'inserts of the same rows'
  return [
    timeRow({ operation: TURN, messages, against, target: 1.3 }, turns),
    timeRow({ operation: IN_BULK, messages, against, target: 2 }, bulks),
  ]
}

interface Pair {
  readonly session: LcmSession
  readonly written: RawFile
  readonly floor: RawFile
}

async function writeBlocks(lists: Iterator<Message[]>, perBlock: number, { session, written, floor }: Pair) {
  const samples = createSamples<'measured' | 'floor'>()
  let { nextSeq } = await session.head()
  // The first block warms the caches.
  for (let block = -1; block < BLOCKS; block++) {
    const sum = { measured: 0, floor: 0 }
    for (let count = 0; count < perBlock; count++) {
      const list = lists.next().value ?? []
      // The engine counts a message for the budget of its request anyway.
      countMessages(roughTokenCounter, list)
      const start = performance.now()
      const encoded = encodeAll(list)
      await session.append({ nextSeq, messages: encoded, at: timeOf(nextSeq) })
      const end = performance.now()
      const rows = written.rowsFrom(nextSeq)
      const floorStart = performance.now()
      floor.write(rows)
      sum.floor += performance.now() - floorStart
      sum.measured += end - start
      nextSeq += list.length
    }
    samples.isCounting = block >= 0
    samples.add('measured', sum.measured / perBlock)
    samples.add('floor', sum.floor / perBlock)
  }
  return samples.pair('measured', 'floor')
}

function* withoutSystem(messages: Iterable<Message>): Generator<Message, undefined> {
  for (const message of messages) if (message.role !== 'system') yield message
}

type RawRow = Record<string, SQLOutputValue>

type RawFile = ReturnType<typeof openRaw>

/** Row ids of a session begin at its number times this. */
const ROWS_PER_SESSION = 2 ** 32
/** `message.script` of texts with Chinese, Japanese or Korean in them. */
const SCRIPT_CJK = 2

const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 512;
`

const HITS = 10
/** Characters of a snippet on each side of the match. */
const AROUND = 100

export function openRaw(path: string) {
  const database = new DatabaseSync(path)
  database.exec(SETTINGS)
  // It adds the function by which triggers of the tables seal each row.
  createSql(database)
  const { no } = database.prepare('SELECT no FROM session WHERE key = ?').get(SESSION.key) as { no: number }
  const from = no * ROWS_PER_SESSION
  const to = from + ROWS_PER_SESSION
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('message')")
    .all()
    .map(({ name }) => String(name))
  const insert = database.prepare(
    `INSERT INTO message (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const index = (table: string) => database.prepare(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`)
  const indexes = {
    words: index('message_words'),
    trigrams: index('message_trigrams'),
    grams: index('message_grams'),
  }
  const head = database.prepare('UPDATE session SET next_seq = next_seq + ?, last_at = ? WHERE no = ?')
  const select = database.prepare('SELECT * FROM message WHERE id >= ? AND id < ? ORDER BY id')
  const find = database.prepare(
    `SELECT message.text FROM message_words JOIN message ON message.id = message_words.rowid
     WHERE message_words MATCH ? AND message_words.rowid >= CAST(? AS INTEGER)
     AND message_words.rowid < CAST(? AS INTEGER) ORDER BY message_words.rowid DESC LIMIT ${HITS}`,
  )
  const scan = database.prepare(
    `SELECT text FROM message WHERE id >= ? AND id < ? AND text LIKE ? ORDER BY id DESC LIMIT ${HITS}`,
  )
  const findPhrase = database.prepare(
    `SELECT message.text FROM message_words JOIN message ON message.id = message_words.rowid
     WHERE message_words MATCH ? AND message_words.rowid >= CAST(? AS INTEGER)
     AND message_words.rowid < CAST(? AS INTEGER) AND message.text LIKE ?
     ORDER BY message_words.rowid DESC LIMIT ${HITS}`,
  )
  const all = database.prepare('SELECT text FROM message WHERE id >= ? AND id < ?')
  const snippets = (rows: object[], match: string) =>
    rows.map((row) => snippet((row as { text: string }).text, match.toLowerCase()))
  return {
    rowsFrom: (seq: number): RawRow[] => select.all(from + seq, to),
    /** Writes rows of messages, with their entries in all indexes, in one transaction that is as durable as the store's. */
    write(rows: readonly RawRow[]): void {
      database.exec('BEGIN IMMEDIATE')
      for (const row of rows) {
        insert.run(...columns.map((column) => row[column] as SQLInputValue))
        const id = row.id as number
        const text = row.text as string
        if (text === '') continue
        indexes.words.run(id, text)
        indexes.trigrams.run(id, text)
        if (row.script === SCRIPT_CJK) indexes.grams.run(id, text)
      }
      head.run(rows.length, Number(rows.at(-1)?.at), no)
      database.exec('COMMIT')
    },
    /** The newest ten messages with a word, and with a text in them, each with a snippet. */
    words: (word: string): string[] => snippets(find.all(`"${word}"`, from, to), word),
    /** Those with all of some words; as a phrase, those with just that in them. */
    allWords(words: string, isPhrase: boolean): string[] {
      const match = words.replace(/\S+/g, '"$&"')
      const rows = isPhrase ? findPhrase.all(match, from, to, `%${words}%`) : find.all(match, from, to)
      return snippets(rows, words)
    },
    like: (text: string): string[] => snippets(scan.all(from, to, `%${text}%`), text),
    countMatches(pattern: string): number {
      const regex = new RegExp(pattern, 'imu')
      let count = 0
      for (const row of all.iterate(from, to)) if (regex.test(String(row.text))) count++
      return count
    },
    close: () => database.close(),
  }
}

function snippet(text: string, match: string): string {
  const at = text.toLowerCase().indexOf(match)
  return text.slice(Math.max(0, at - AROUND), at + match.length + AROUND)
}
