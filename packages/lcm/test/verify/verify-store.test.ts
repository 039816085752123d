import { describe, expect, it } from 'vitest'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import { compactTo, talk, texts } from '../../src/store-tests/harness.ts'
import { type VerifyProgress, verifyStore } from '../../src/verify/verify-session.ts'
import { memoryStore } from '../memory-store.ts'
import { damaged } from './damaged-session.ts'

describe('verifyStore', () => {
  it('finds nothing wrong with a sound store, and says how far it is', async () => {
    const store = memoryStore()
    for (const key of ['a', 'b', 'c']) await compactTo(await talk(store, key, ...texts(7)), 3)
    const [sessions, messages] = [3, 21]
    const seen: VerifyProgress[] = []
    expect(await verifyStore(store, { onProgress: (progress) => seen.push(progress) })).toEqual([])
    expect(seen.at(-1)).toEqual({ sessions, messages, of: { sessions, messages } })
    const counts = seen.map((progress) => progress.messages)
    expect(counts).toEqual(counts.toSorted((left, right) => left - right))
  })

  it('looks at every session, however many there are, and at what the store says of itself', async () => {
    const store = memoryStore()
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

  it('goes on when a session cannot be read', async () => {
    const store = memoryStore()
    for (const key of ['broken', 'sound']) await talk(store, key, ...texts(10))
    const watched: LcmStore = {
      ...store,
      async find(ref) {
        if (ref.key === 'broken') throw new TypeError('this row makes no sense')
        return store.find(ref)
      },
    }
    const faults = await verifyStore(watched)
    expect(faults.map(({ code, key }) => [code, key])).toEqual([['session-unreadable', 'broken']])
  })
})
