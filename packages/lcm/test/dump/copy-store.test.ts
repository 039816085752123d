import { describe, expect, it } from 'vitest'
import {
  type CopyProgress,
  copyStore,
  createMemoryStore,
  exportStore,
  type LcmStore,
  StoreError,
} from '../../src/index.ts'
import { collect } from '../../src/store-tests/harness/collect.ts'
import { edit } from '../../src/store-tests/harness/edit.ts'
import { compactTo } from '../../src/store-tests/harness/summaries.ts'
import { AT, say, talk } from '../../src/store-tests/harness/talk.ts'
import { useFolders } from '../sqlite/store-folder.ts'
import { fillStore } from './filled-store.ts'

const { path, open } = useFolders()
const sqliteStore = () => open(path())
const linesOf = (store: LcmStore) => collect(exportStore(store))
const LOCAL = { principal: 'local' }

async function filled(store: LcmStore): Promise<LcmStore> {
  await fillStore(store)
  return store
}

/** A store that may be read, and nothing else. */
function readOnly(store: LcmStore): LcmStore {
  return { ...store, restore: () => Promise.reject(new Error('nothing is to be written')) }
}

/** The session of the key `talk` in both stores. */
async function bothHave(...texts: string[]): Promise<readonly [LcmStore, LcmStore]> {
  const stores = [createMemoryStore(), createMemoryStore()] as const
  for (const store of stores) await talk(store, 'talk', ...texts)
  return stores
}

async function sessionOf(store: LcmStore, key = 'talk') {
  const session = await store.find({ key })
  if (session === null) throw new Error(`${key} is there`)
  return session
}

describe('copyStore', () => {
  it('copies everything, from memory to SQLite and back, and proves it by the hash of an export', async () => {
    const memory = await filled(createMemoryStore())
    const lines = await linesOf(memory)
    const { sha256, messages } = JSON.parse(lines.at(-1) ?? '')
    const all = { messages, sha256, differences: [] }
    const copy = { ...all, copied: 4, upToDate: 0, written: messages }
    const [sqlite, back] = [sqliteStore(), createMemoryStore()]
    expect(await copyStore(memory, sqlite)).toEqual(copy)
    expect(await linesOf(sqlite)).toEqual(lines)
    expect(await copyStore(sqlite, back)).toEqual(copy)
    expect(await linesOf(back)).toEqual(lines)
    expect(await copyStore(sqlite, sqliteStore())).toEqual(copy)
    const again = { ...all, copied: 0, upToDate: 4, written: 0 }
    expect(await copyStore(memory, readOnly(sqlite))).toEqual(again)
  })

  it('adds what a session has more at the source, also when that is a summary or an edit', async () => {
    const [from, to] = await bothHave('one', 'two', 'three')
    const session = await sessionOf(from)
    await say(session, 'four')
    expect(await copyStore(from, to)).toMatchObject({ copied: 1, written: 1, differences: [] })
    await compactTo(session, 1)
    expect(await copyStore(from, to)).toMatchObject({ copied: 1, written: 0, differences: [] })
    await edit(session, 3, [1], 'another four')
    expect(await copyStore(from, to)).toMatchObject({ copied: 1, written: 1, messages: 5, differences: [] })
    expect(await linesOf(to)).toEqual(await linesOf(from))
  })

  it('copies the sessions of a principal, or some with what they were forked from', async () => {
    const store = await filled(createMemoryStore())
    const own = createMemoryStore()
    expect(await copyStore(store, own, LOCAL)).toMatchObject({ copied: 3, differences: [] })
    const keys = async (copy: LcmStore) =>
      (await copy.list({ limit: 9 })).map(({ principal, key }) => [principal, key])
    expect(await keys(own)).toEqual(['a child', 'm grandchild', 'z parent'].map((key) => ['local', key]))
    const lineage = createMemoryStore()
    const sessions = [{ ...LOCAL, key: 'a child' }]
    const { sha256 } = await copyStore(store, lineage, { sessions })
    expect(await keys(lineage)).toEqual(['a child', 'z parent'].map((key) => ['local', key]))
    const manifest = (await collect(exportStore(store, { sessions }))).at(-1) ?? ''
    expect(sha256).toBe(JSON.parse(manifest).sha256)
    await expect(
      copyStore(store, lineage, { sessions: [{ ...LOCAL, key: 'nobody' }] }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('tells how far it is, and never goes back', async () => {
    const store = await filled(createMemoryStore())
    const told: CopyProgress[] = []
    const { messages } = await copyStore(store, createMemoryStore(), {
      onProgress: (progress) => told.push(progress),
    })
    expect(told.at(-1)).toEqual({ sessions: 4, messages, of: { sessions: 4, messages } })
    expect(told.map((progress) => progress.messages)).toEqual(
      told.map((progress) => progress.messages).toSorted((left, right) => left - right),
    )
    expect(new Set(told.map((progress) => progress.messages)).size).toBe(messages)
  })
})

describe('a session that is another one at the destination', () => {
  it('stays as it is, its forks stay out, and all others are copied', async () => {
    const [from, to] = await bothHave('the same')
    await say(await sessionOf(from), 'left')
    await say(await sessionOf(to), 'right')
    await (await sessionOf(from)).fork({ key: 'fork', seq: 2, summaries: [], at: AT })
    await (await sessionOf(from, 'fork')).fork({ key: 'fork of fork', seq: 2, summaries: [], at: AT })
    await talk(from, 'zebra', 'another')
    const before = await linesOf(to)
    const { copied, differences } = await copyStore(from, to)
    expect(differences).toEqual([
      {
        ...LOCAL,
        key: 'talk',
        code: 'diverged',
        reason: expect.stringContaining('another session of that name'),
      },
      { ...LOCAL, key: 'fork', code: 'parent', reason: expect.stringContaining('talk') },
      { ...LOCAL, key: 'fork of fork', code: 'parent', reason: expect.stringContaining('fork') },
    ])
    expect(copied).toBe(1)
    expect((await linesOf(to)).slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    expect((await to.list({ limit: 9 })).map(({ key }) => key)).toEqual(['talk', 'zebra'])
  })

  it('stays as it is when it goes on, and its forks are copied', async () => {
    const [from, to] = await bothHave('one', 'two')
    await say(await sessionOf(to), 'three')
    await (await sessionOf(from)).fork({ key: 'fork', seq: 1, summaries: [], at: AT })
    const before = await collect(to.dump({ ...LOCAL, key: 'talk' }))
    expect(await copyStore(from, to)).toMatchObject({
      copied: 1,
      differences: [{ key: 'talk', code: 'ahead' }],
    })
    expect(await collect(to.dump({ ...LOCAL, key: 'talk' }))).toEqual(before)
    expect(await copyStore(to, from)).toMatchObject({ copied: 1, differences: [] })
  })

  it('is told with what was forgotten at one end only, which the copy neither brings back nor deletes', async () => {
    const [from, to] = await bothHave('one', 'secret', 'more', 'secret', 'end')
    const session = await sessionOf(from)
    await compactTo(session, 1)
    await copyStore(from, to)
    await session.forget({ first: 1, last: 1, reason: 'asked', at: AT })
    await session.forget({ first: 3, last: 4, reason: 'asked', at: AT })
    for (let run = 1; run <= 2; run++) {
      const { differences } = await copyStore(from, to)
      const reason = 'm1 m3-m4 s1 forgotten at the source, but not at the destination; forget it there too'
      expect(differences).toEqual([{ ...LOCAL, key: 'talk', code: 'forgotten', reason }])
    }
    const reason = 'm1 m3-m4 s1 forgotten at the destination, but not at the source; forget it there too'
    expect((await copyStore(to, from)).differences).toMatchObject([{ code: 'forgotten', reason }])
    const [kept] = await (await sessionOf(to)).messages({ first: 1, limit: 1 })
    const [gone] = await session.messages({ first: 1, limit: 1 })
    expect([kept?.json, gone?.json]).toEqual([expect.stringContaining('secret'), ''])
    expect(await copyStore(from, sqliteStore())).toMatchObject({ copied: 1, differences: [] })
  })
})

describe('a session that is written to while it is copied', () => {
  /** Somebody says something at each of the first `times` that the store was read to the end. */
  function busy(store: LcmStore, times: number): LcmStore {
    let left = times
    return {
      ...store,
      async *dump(ref) {
        yield* store.dump(ref)
        if (left-- > 0) await say(await sessionOf(store), `more ${left}`)
      },
    }
  }

  it('is copied again', async () => {
    const [from] = await bothHave('one', 'two')
    const to = sqliteStore()
    expect(await copyStore(busy(from, 2), to)).toMatchObject({ copied: 1, written: 4, differences: [] })
    expect(await linesOf(to)).toEqual(await linesOf(from))
  })

  it('is told when that does not end, and another run brings the rest', async () => {
    const [from] = await bothHave('one', 'two')
    const to = sqliteStore()
    const { copied, differences } = await copyStore(busy(from, 1_000), to)
    expect({ copied, differences }).toEqual({
      copied: 0,
      differences: [
        { ...LOCAL, key: 'talk', code: 'changed', reason: 'it changed while it was copied; run again' },
      ],
    })
    expect(await copyStore(from, to)).toMatchObject({ copied: 1, differences: [] })
    expect(await linesOf(to)).toEqual(await linesOf(from))
  })

  it('at the destination, by another copy, is none of a difference', async () => {
    const [from] = await bothHave('one', 'two')
    const to = createMemoryStore()
    const raced: LcmStore = {
      ...to,
      async restore(records) {
        await to.restore(records)
        throw new StoreError('STORE_CONFLICT', 'another writer was faster')
      },
    }
    expect(await copyStore(from, raced)).toMatchObject({ upToDate: 1, written: 0, differences: [] })
  })
})

describe('a session that is damaged', () => {
  /** A store in which a message is not what was stored. */
  function damaged(store: LcmStore, key: string): LcmStore {
    return {
      ...store,
      async *dump(ref) {
        for await (const record of store.dump(ref))
          yield ref.key === key && record.type === 'message'
            ? { ...record, json: record.json.replace('one', 'two') }
            : record
      },
    }
  }

  it('is told with the end at which it is, and the others are copied', async () => {
    const [from, to] = await bothHave('one')
    await talk(from, 'another', 'one')
    await (await sessionOf(from)).fork({ key: 'fork', seq: 1, summaries: [], at: AT })
    const at = (end: string) => ({
      key: 'talk',
      code: 'damaged',
      reason: expect.stringContaining(`at the ${end}`),
    })
    const fork = { key: 'fork', code: 'parent' }
    const empty = createMemoryStore()
    expect(await copyStore(damaged(from, 'talk'), empty)).toMatchObject({
      copied: 1,
      differences: [at('source'), fork],
    })
    expect((await empty.list({ limit: 9 })).map(({ key }) => key)).toEqual(['another'])
    expect(await copyStore(from, damaged(to, 'talk'))).toMatchObject({
      copied: 1,
      differences: [at('destination'), fork],
    })
  })

  it('is not what a store is that cannot be used', async () => {
    const [from, to] = await bothHave('one')
    const full = new StoreError('STORE_UNAVAILABLE', 'there is no space left')
    await say(await sessionOf(from), 'two')
    await expect(copyStore(from, { ...to, restore: () => Promise.reject(full) })).rejects.toBe(full)
    await from.close()
    await expect(copyStore(from, to)).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  })
})
