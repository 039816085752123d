import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type CompletionModel, createContextSession, type Message } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm, { createLcmStoreTools } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { afterAll, expect, test } from 'vitest'
import { redactingStore } from '../../src/recall/redacting-store.ts'
import { runHere } from '../lcm/run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-letters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads each turn as a decision, and writes records of what it reads. */
const model: CompletionModel = {
  name: 'scripted',
  async complete({ system, prompt }) {
    const said = [...prompt.matchAll(/We take (\w+) for part (\d+)\./g)]
    const found = said.map(([quote, value, part]) => ({
      ...{ message: messageOf(prompt, quote), quote, kind: 'choice', value },
      ...{ subject: `part ${part}`, l0: `Part ${part} uses ${value}` },
    }))
    const record = `## Progress\n${said.map(([quote]) => `- ${quote}`).join('\n')}\n`
    const text = /\bJSON\b/.test(system ?? '') ? JSON.stringify({ candidates: found }) : record
    return { text, finishReason: 'stop' }
  },
}

/** The number of the message in the prompt that holds a text. */
function messageOf(prompt: string, text: string): number {
  const numbers = [...prompt.slice(0, prompt.indexOf(text)).matchAll(/<message number="(\d+)"/g)]
  return Number(numbers.at(-1)?.[1] ?? 0)
}

const TURNS = 35
const NAMES = ['harbour', 'lantern', 'meadow', 'pebbles', 'quarry', 'thistle', 'velvet', 'walnut']
const OPTIONS = { batch_turns: 1, compaction: { engine: lcm } }

function conversation(turns: number): Message[] {
  return Array.from({ length: turns }, (_, turn): Message[] => {
    const name = `${NAMES[turn % NAMES.length]}${'abcdefghij'[turn % 10]}`
    return [
      {
        role: 'user',
        content: `We take ${name} for part ${turn}. ${`The reason is ${name} again. `.repeat(12)}`,
      },
      { role: 'assistant', content: `Part ${turn} is now ${name}, as you said; nothing else was changed.` },
    ]
  }).flat()
}

const open = (path: string, isNew = false) => {
  const store = createSqliteStore({ path })
  const about = { engine: decisions, options: OPTIONS, store, sessionId: 's', contextLength: 6_000 }
  return { store, session: createContextSession({ ...about, ...(isNew && { model }) }) }
}

async function fill(path: string): Promise<void> {
  const { store, session } = open(path, true)
  const messages = conversation(TURNS)
  for (let end = 1; end < messages.length; end += 2) {
    await session.prepare(messages.slice(0, end))
    const [message] = messages.slice(end) as [Message & { role: 'assistant' }]
    await session.observe({ message, usage: { promptTokens: 2_000, completionTokens: 20 } as never })
  }
  await session.end()
  await store.close()
}

interface Row {
  readonly table: string
  readonly column: string
  readonly rowid: number
  readonly value: string
}

/** Columns with texts that somebody reads. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['message', 'body'],
  ['message', 'role'],
  ['summary', 'body'],
  ['event', 'body'],
  ['event', 'id'],
  ['state', 'body'],
  ['frontier', 'reason'],
]

function rowsOf(database: DatabaseSync): Row[] {
  return COLUMNS.flatMap(([table, column]) =>
    (
      database
        .prepare(`SELECT rowid AS rowid, ${column} AS value FROM ${table} ORDER BY rowid`)
        .all() as unknown as {
        rowid: number
        value: string
      }[]
    ).map((row) => ({ table, column, ...row })),
  ).filter((row) => placesOf(row).length > 0)
}

/** The letters of a row that can be told again when they are others. */
function placesOf({ column, value }: Row): number[] {
  const letters = column === 'body' ? /(?<=[a-z ]{3})[a-z](?=[a-z ]{2})/g : /[a-z]/g
  return [...value.matchAll(letters)].map(({ index }) => index)
}

/** Changes a letter in the middle of a word of a row. Returns the changed word with what stands around it. */
function changeLetter(database: DatabaseSync, row: Row, turn: number): string {
  const { table, column, rowid, value } = row
  const places = placesOf(row)
  const at = places[(turn * 37) % places.length] ?? 0
  const changed = `${value.slice(0, at)}Q${value.slice(at + 1)}`
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(changed, rowid)
  return changed.slice(Math.max(0, at - 3), at + 3)
}

/** All that is shown of a session: to a model, by the tools of recall, and on the command line. */
async function shown(path: string, history: readonly Message[]) {
  const texts: string[] = []
  const warnings: string[] = []
  for (const list of [undefined, history]) {
    const { store, session } = open(path)
    const prepared = await session.prepare(list && [...list])
    texts.push(JSON.stringify(prepared.messages), await session.callTool('decisions_list', { limit: 50 }))
    const compacted = await session.compact()
    texts.push(JSON.stringify(compacted.messages))
    warnings.push(...prepared.warnings.map(({ code }) => code))
    await session.end()
    await store.close()
  }
  const store = createSqliteStore({ path, readOnly: true })
  const sessions = async () => ({ sessions: [{ key: 's' }] })
  const recall = createLcmStoreTools({ store: redactingStore(store), sessions })
  for (let seq = 0; seq < history.length; seq++)
    texts.push(await recall.call('lcm_expand', { id: `m${seq}`, session: 's' }))
  texts.push(await recall.call('lcm_grep', { query: 'part', limit: 50 }))
  await store.close()
  return { texts, warnings }
}

const ROUNDS = 6
const COMMANDS = [
  ['lcm', 'context'],
  ['lcm', 'context', '--at', 'm20'],
  ['lcm', 'grep', 'part', '--limit', '200', '--scope', 'both'],
  ['lcm', 'grep', 'Q', '--mode', 'regex', '--scope', 'both', '--limit', '200'],
  ['decisions', 'list', '--json'],
  ['store', 'export'],
]

test('a letter that was changed in a store is served nowhere, and the host is warned', async () => {
  const history = conversation(TURNS)
  const path = join(folder, 'store.db')
  const whole = join(folder, 'whole.db')
  await fill(whole)
  let changed = 0
  for (let turn = 0; turn < ROUNDS; turn++) {
    copyFileSync(whole, path)
    const database = new DatabaseSync(path)
    // Each row is changed in one of the turns.
    const rows = rowsOf(database).filter((_, index) => index % ROUNDS === turn)
    const letters = rows.map((row) => ({ ...row, letter: changeLetter(database, row, turn) }))
    database.close()
    const faults = createSqliteStore({ path, readOnly: true })
    expect(new Set((await faults.verify()).map(({ ref, message }) => ref ?? message)).size).toBeGreaterThan(5)
    await faults.close()
    const printed: string[] = []
    for (const args of COMMANDS) {
      const { code, stdout, stderr } = await runHere([...args, '--store', 'store.db'], folder)
      expect([code, stderr]).toEqual([
        args[1] === 'export' ? 1 : 0,
        expect.stringMatching(/^$|not as stored/),
      ])
      printed.push(stdout)
    }
    const { texts, warnings } = await shown(path, history)
    expect(warnings).toContain('store-damaged')
    const served = letters.filter(({ letter }) =>
      [...texts, ...printed].some((text) => text.includes(letter)),
    )
    expect(served).toEqual([])
    changed += letters.length
  }
  console.log(`${changed} letters changed, none served`)
  expect(changed).toBeGreaterThanOrEqual(200)
})

/** Changes a store with statements. */
function damage(path: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(path)
  for (const statement of statements) database.exec(statement)
  database.close()
}

test('a conversation whose frontier is damaged is shown from its messages, and compacted anew', async () => {
  const path = join(folder, 'frontier.db')
  await fill(path)
  damage(
    path,
    "UPDATE frontier SET reason = 'compactiQn' WHERE id = (SELECT max(id) FROM frontier)",
    "UPDATE state SET body = replace(body, 'messages', 'mQssages')",
  )
  const { store, session } = open(path, true)
  const prepared = await session.prepare()
  expect(prepared.warnings).toContainEqual({
    code: 'store-damaged',
    message: expect.stringMatching(/version \d+/),
  })
  expect(prepared.tokens).toBeLessThan(6_000)
  await session.compact()
  const stored = await store.find({ key: 's' })
  const { damaged, summaries } = (await stored?.frontier()) ?? {}
  expect([damaged, summaries?.length]).toEqual([undefined, expect.any(Number)])
  expect(summaries).not.toEqual([])
  const codes = (await store.verify()).map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set(['changed-row']))
  await session.end()
  await store.close()
})

test('a session whose counters or name are damaged is STORE_CORRUPT, and its host goes on in memory', async () => {
  const path = join(folder, 'counters.db')
  await fill(path)
  damage(path, 'UPDATE session SET next_seq = next_seq - 1')
  const { store, session } = open(path)
  await expect(store.find({ key: 's' })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  const { messages, warnings } = await session.prepare([{ role: 'user', content: 'Hello' }])
  expect(messages.at(-1)).toEqual({ role: 'user', content: 'Hello' })
  expect(warnings).toContainEqual({
    code: 'store-unavailable',
    message: expect.stringContaining('not what was stored'),
  })
  await session.end()
  await store.close()
  for (const args of [
    ['lcm', 'context'],
    ['store', 'export', '--session', 's'],
  ]) {
    const { code, stderr } = await runHere([...args, '--store', 'counters.db'], folder)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('counters.db is damaged (the name or the counters of s'),
    ])
  }
  expect((await runHere(['store', 'export', '--store', 'counters.db'], folder)).code).toBe(1)
})
