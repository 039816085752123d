import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exportStore } from '../../src/dump/export-store.ts'
import { importStore } from '../../src/dump/import-store.ts'
import { createMemoryStore } from '../../src/memory/create-memory-store.ts'
import { createSqliteStore } from '../../src/sqlite.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import { collect, eachOf } from '../../src/store-tests/harness/collect.ts'
import { AT, say, talk } from '../../src/store-tests/harness/talk.ts'
import { verifyStore } from '../../src/verify/verify-store.ts'
import { fillStore } from './filled-store.ts'

async function filled(store: LcmStore): Promise<LcmStore> {
  await fillStore(store)
  return store
}

function sqliteStore(): LcmStore {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-dump-'))
  const store = createSqliteStore({ path: join(folder, 'lcm.db') })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return store
}

async function copyOf(lines: readonly string[], store: LcmStore): Promise<LcmStore> {
  await importStore(store, () => eachOf(lines))
  return store
}

const sessionsIn = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'session')
    .map(({ key }) => key)

describe('exportStore', () => {
  it('begins with its format and ends with what proves the lines before', async () => {
    const lines = await collect(exportStore(await filled(createMemoryStore())))
    expect(lines[0]).toBe('{"format":"palimpsest-lcm","version":1}')
    const body = lines.slice(0, -1).map((line) => `${line}\n`)
    const manifest = JSON.parse(lines.at(-1) ?? '')
    expect(manifest).toEqual({
      type: 'manifest',
      sessions: 4,
      messages: lines.filter((line) => line.startsWith('{"type":"message"')).length,
      summaries: 4,
      sha256: createHash('sha256').update(body.join('')).digest('hex'),
    })
    expect(lines.every((line) => !line.includes('\n') && line.isWellFormed())).toBe(true)
  })

  it('gives the same bytes for the same content, from memory and from SQLite, and after a journey through both', async () => {
    const lines = await collect(exportStore(await filled(createMemoryStore())))
    expect(await collect(exportStore(await filled(sqliteStore())))).toEqual(lines)
    const sqlite = await copyOf(lines, sqliteStore())
    const second = await collect(exportStore(sqlite))
    expect(second).toEqual(lines)
    const memory = await copyOf(second, createMemoryStore())
    expect(await collect(exportStore(memory))).toEqual(lines)
    expect(await verifyStore(sqlite)).toEqual([])
    expect(await verifyStore(memory)).toEqual([])
  })

  it('puts what a session was forked from before it, chosen or not', async () => {
    const store = await filled(createMemoryStore())
    expect(sessionsIn(await collect(exportStore(store)))).toEqual([
      'z parent',
      'a child',
      'm grandchild',
      'z parent',
    ])
    const chosen = [{ principal: 'local', key: 'm grandchild' }]
    const lines = await collect(exportStore(store, { sessions: chosen }))
    expect(sessionsIn(lines)).toEqual(['z parent', 'a child', 'm grandchild'])
    const copy = await copyOf(lines, createMemoryStore())
    expect((await copy.find({ key: 'm grandchild' }))?.key).toBe('m grandchild')
    const twice = ['z parent', 'a child', 'm grandchild', 'a child'].map((key) => ({
      principal: 'local',
      key,
    }))
    expect(await collect(exportStore(store, { sessions: twice }))).toEqual(lines)
  })

  it('names a session that is not there', async () => {
    const sessions = [{ principal: 'local', key: 'nobody' }]
    await expect(collect(exportStore(createMemoryStore(), { sessions }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('nobody'),
    })
  })

  it('exports an empty store, and more sessions than it lists at a time', async () => {
    const empty = await collect(exportStore(createMemoryStore()))
    expect(empty).toHaveLength(2)
    expect(await (await copyOf(empty, createMemoryStore())).list({ limit: 1 })).toEqual([])
    const store = createMemoryStore()
    for (let index = 0; index < 250; index++) await store.session({ key: `session ${index}` }, AT)
    expect(new Set(sessionsIn(await collect(exportStore(store)))).size).toBe(250)
  })
})

describe('importStore', () => {
  it('changes nothing when the same export is imported again, and goes on with a later one', async () => {
    const source = await filled(createMemoryStore())
    const lines = await collect(exportStore(source))
    const target = await copyOf(lines, createMemoryStore())
    expect(await importStore(target, () => eachOf(lines))).toEqual({ sessions: 0, messages: 0 })
    await say(await talk(source, 'a child'), 'more')
    const later = await collect(exportStore(source))
    expect(await importStore(target, () => eachOf(later))).toEqual({ sessions: 1, messages: 1 })
    expect(await collect(exportStore(target))).toEqual(later)
  })

  it('refuses a session that is there with something else in it, and leaves the store as it was', async () => {
    const source = createMemoryStore()
    await talk(source, 'a new one', 'new')
    await talk(source, 'same name', 'left')
    const target = createMemoryStore()
    await talk(target, 'same name', 'right')
    const before = await collect(exportStore(target))
    const lines = await collect(exportStore(source))
    await expect(importStore(target, () => eachOf(lines))).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    expect(await collect(exportStore(target))).toEqual(before)
  })
})
