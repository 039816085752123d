import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/create-memory-store.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import { AT, talk, texts } from '../../src/store-tests/harness/talk.ts'
import { type VerifyProgress, verifyStore } from '../../src/verify/verify-store.ts'
import { fillStore } from '../dump/filled-store.ts'
import { damaged } from './damaged-session.ts'

describe('verifyStore', () => {
  it('finds nothing wrong with a sound store, and says how far it is', async () => {
    const store = createMemoryStore()
    await fillStore(store)
    const { sessions, messages } = await store.stats()
    const seen: VerifyProgress[] = []
    expect(await verifyStore(store, { onProgress: (progress) => seen.push(progress) })).toEqual([])
    expect(seen.at(-1)).toEqual({ sessions, messages, of: { sessions, messages } })
    const counts = seen.map((progress) => progress.messages)
    expect(counts).toEqual(counts.toSorted((left, right) => left - right))
  })

  it('looks at every session, however many there are, and at what the store says of itself', async () => {
    const store = createMemoryStore()
    for (let index = 0; index < 120; index++) await talk(store, `session ${index}`, 'one')
    const own = { code: 'page', message: 'a page is damaged', repairable: false }
    const broken: LcmStore = {
      ...store,
      check: async () => [own],
      async find(ref) {
        const session = await store.find(ref)
        const hit = ref.key === 'session 99' || ref.key === 'session 5'
        return session && hit ? damaged(session, { message: (row) => ({ ...row, hash: '' }) }) : session
      },
    }
    const faults = await verifyStore(broken)
    expect(faults[0]).toEqual(own)
    expect(faults.slice(1).map(({ key, ref }) => [key, ref])).toEqual([
      ['session 5', 'm0'],
      ['session 99', 'm0'],
    ])
  })

  it('looks once at what a fork shares, and goes on when a session cannot be read', async () => {
    const store = createMemoryStore()
    const parent = await talk(store, 'parent', ...texts(10))
    await parent.fork({ key: 'child', seq: 8, summaries: [], at: AT })
    const read: string[] = []
    const watched: LcmStore = {
      ...store,
      async find(ref) {
        if (ref.key === 'child') throw new TypeError('this row makes no sense')
        read.push(ref.key)
        return store.find(ref)
      },
    }
    const faults = await verifyStore(watched)
    expect(faults.map(({ code, key }) => [code, key])).toEqual([['session-unreadable', 'child']])
    expect(read).toEqual(['parent'])
    const looked: number[] = []
    await verifyStore(store, { onProgress: ({ messages }) => looked.push(messages) })
    expect(Math.max(...looked)).toBe(10)
  })
})
