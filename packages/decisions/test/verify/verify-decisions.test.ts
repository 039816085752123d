import { describe, expect, it } from 'vitest'
import { createMemoryDecisionStore } from '../../src/memory/create-memory-store.ts'
import { AT, asserted, message, messages, talk, texts } from '../../src/store-tests/harness/talk.ts'
import { verifyDecisions } from '../../src/verify/verify-decisions.ts'
import { DAMAGES } from './damages.ts'
import { damaged, talkedStore } from './talked-store.ts'

describe('verifyDecisions', () => {
  it('proves a store in which everything has its source, and counts what it proved', async () => {
    const store = await talkedStore()
    expect(await verifyDecisions(store)).toEqual({ sessions: 3, events: 11, sources: 8, faults: [] })
  })

  it('proves one session', async () => {
    const store = await talkedStore()
    const of = (principal: string, key: string) => verifyDecisions(store, { principal, key })
    expect(await of('local', 'a')).toEqual({ sessions: 1, events: 8, sources: 5, faults: [] })
    expect(await of('you', 'a')).toEqual({ sessions: 1, events: 1, sources: 1, faults: [] })
    expect(await of('nobody', 'a')).toEqual({ sessions: 0, events: 0, sources: 0, faults: [] })
  })

  describe(`finds each of ${DAMAGES.length} damages`, () => {
    for (const [what, code, seq, damage] of DAMAGES)
      it(`${what}: ${code}`, async () => {
        const sound = await talkedStore()
        const { faults } = await verifyDecisions(damaged(sound, damage))
        const found = faults.filter((fault) => fault.code === code)
        expect(faults.map((fault) => fault.code)).toContain(code)
        expect(faults.every(({ principal }) => principal === 'local')).toBe(true)
        if (seq === undefined) return
        const events = await damaged(sound, damage).events({ scopes: ['project:shop'] })
        const { event } = events.find((stored) => stored.seq === seq) ?? {}
        expect(found.map((fault) => fault.event)).toContain(String(event?.id))
      })
  })

  it('finds messages that were replaced without a withdrawal', async () => {
    const store = createMemoryDecisionStore()
    const session = await talk(store, 'a', ...texts(2))
    await session.commit({ events: [asserted('a', message(0, 'text 0'))] }, AT)
    await session.commit({ replaceFrom: 0, sources: messages(0, 'other') }, AT)
    expect((await verifyDecisions(store)).faults).toMatchObject([{ code: 'source-text', session: 'a' }])
  })

  it('looks again when somebody writes while it reads', async () => {
    const store = await talkedStore()
    let reads = 0
    const racing = {
      ...store,
      events: async (query: Parameters<typeof store.events>[0]) => {
        const events = await store.events(query)
        if (++reads > 1) return events
        const session = await store.session({ key: 'a' }, AT)
        await session.commit({ replaceFrom: 4, sources: messages(4, 'said otherwise') }, AT)
        return events.slice(0, 5).filter(({ seq }) => seq !== 2)
      },
    }
    expect((await verifyDecisions(racing)).faults).toEqual([])
    expect(reads).toBeGreaterThan(1)
  })

  it('lists a thousand faults and says that there are more', async () => {
    const store = createMemoryDecisionStore()
    const session = await talk(store, 'a')
    await session.commit(
      { events: texts(1_200).map((text, index) => asserted('a', message(index, text))) },
      AT,
    )
    const { faults } = await verifyDecisions(store)
    expect(faults).toHaveLength(1_001)
    expect(faults.at(-1)?.code).toBe('more-faults')
  })
})
