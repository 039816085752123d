import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../serve/temporary-folder.ts'
import { ENDS, keepService, proveService } from './kept-service.ts'

const FLIPS = Number(process.env.PALIMPSEST_FLIPS ?? 100)
const SEED = Number(process.env.PALIMPSEST_FLIPS_SEED ?? 1)
/** Bytes of the header of a file of SQLite. */
const HEADER = 100

/** Numbers from 0 up to and without a bound, always the same ones (mulberry32). */
function random(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

/** All rows of all tables, and how the tables are made. */
function contentOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const schema = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all()
    const rows = schema
      .filter(({ type, sql }) => type === 'table' && !String(sql).startsWith('CREATE VIRTUAL'))
      .map(({ name }) => database.prepare(`SELECT * FROM "${name}" NOT INDEXED`).all())
    return JSON.stringify([schema, rows])
  } finally {
    database.close()
  }
}

/** The way in which a flip was found. A hash is that of a row, or that of a message or an event. */
function foundBy(codes: readonly string[]): string {
  if (codes.some((code) => code.startsWith('changed-') || code.endsWith('-hash') || code === 'message-codec'))
    return 'found by a hash'
  if (codes.some((code) => /^(damaged-file|not-a-store|store-)/.test(code))) return 'found by SQLite'
  return 'found by comparing rows'
}

it('finds every flipped byte that changes anything', async () => {
  const [kept, folder] = [await temporaryFolder(), await temporaryFolder()]
  const store = await keepService(kept)
  const copy = join(folder, 'serve.db')
  const restore = () => {
    for (const end of ENDS) {
      copyFileSync(store + end, copy + end)
      for (const log of ['-wal', '-shm']) rmSync(copy + end + log, { force: true })
    }
  }
  restore()
  const sound = await proveService(copy, folder)
  expect(sound.map(({ kind, faults }) => [kind, faults])).toEqual(
    ['sessions', 'decisions', 'lcm'].map((kind) => [kind, []]),
  )

  const next = random(SEED)
  const counts = new Map<string, number>()
  const unnoticed: string[] = []
  for (let flip = 0; flip < FLIPS; flip++) {
    restore()
    const file = copy + ENDS[flip % ENDS.length]
    const bytes = readFileSync(file)
    const before = contentOf(file)
    let offset = next(bytes.length)
    // Most of a small file is empty: each second flip is where something stands.
    while (flip % 8 >= 4 && bytes[offset] === 0) offset = next(bytes.length)
    bytes[offset] = (bytes[offset] ?? 0) ^ (1 + next(255))
    writeFileSync(file, bytes)
    const codes = (await proveService(copy, folder)).flatMap(({ faults }) => faults.map(({ code }) => code))
    let kind = foundBy(codes)
    if (codes.length === 0) {
      kind = offset < HEADER ? 'harmless: a counter of the header' : 'harmless: space without content'
      if (contentOf(file) !== before) unnoticed.push(`byte ${offset} of serve.db${ENDS[flip % ENDS.length]}`)
    }
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  console.log(`${FLIPS} flips of a byte (seed ${SEED}):`, Object.fromEntries([...counts].sort()))
  expect(unnoticed).toEqual([])
}, 300_000)
