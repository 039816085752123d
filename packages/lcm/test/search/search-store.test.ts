import type { Store } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type StoreSearchQuery, searchMessages, searchStore } from '../../src/index.ts'
import { memoryStore } from '../memory-store.ts'
import { append, START, user } from './session-fixture.ts'

const CONTEXT = { clock: { now: () => START } }
const WORDS = ['heron', 'walrus', 'ferry', 'left-hand', '寿司', 'Ferrybank']

async function talk(store: Store, key: string, ...texts: readonly string[]) {
  const session = await store.session({ key }, START)
  await append(session, texts.map(user))
  return session
}

/** A store that says how many sessions were opened. */
function counting(store: Store) {
  const opened: string[] = []
  return {
    opened,
    store: {
      ...store,
      find: async (ref: Parameters<Store['find']>[0]) => {
        opened.push(ref.key)
        return store.find(ref)
      },
    },
  }
}

async function hitsOf(store: Store, query: StoreSearchQuery) {
  const { found, complete } = await searchStore(store, query, CONTEXT)
  const hits = found.flatMap(({ session, messages }) =>
    (messages?.hits ?? []).map(({ seq }) => `${session} m${seq}`),
  )
  return { hits, complete }
}

describe('a search in all sessions', () => {
  it('finds what a search in each of them finds, in the order of their names, and says when there is more', async () => {
    const text = fc
      .array(fc.constantFrom(...WORDS, 'and', 'the'), { minLength: 1, maxLength: 4 })
      .map((words) => words.join(' '))
    const sessions = fc.array(fc.array(text, { maxLength: 4 }), { minLength: 1, maxLength: 14 })
    let [searches, found] = [0, 0]
    const runs = fc.asyncProperty(
      sessions,
      fc.constantFrom(...WORDS, 'erry', 'heron walrus'),
      fc.integer({ min: 1, max: 30 }),
      async (talks, query, limit) => {
        const store = memoryStore()
        const opened = await Promise.all(talks.map((said, index) => talk(store, `s${index + 10}`, ...said)))
        for (const mode of ['text', 'substring'] as const) {
          // The reading that finds something in any session counts for all of them.
          const expected: string[] = []
          for (const level of ['asked', 'substring'] as const) {
            if (expected.length > 0) break
            for (const session of opened) {
              const { hits } = await searchMessages(
                session,
                { query, mode, limit: 99, order: 'newest' },
                { ...CONTEXT, level },
              )
              expected.push(...hits.map(({ seq }) => `${session.key} m${seq}`))
            }
          }
          const { hits, complete } = await hitsOf(store, { query, mode, limit, order: 'newest' })
          expect(hits).toEqual(expected.slice(0, limit))
          if (expected.length > limit) expect(complete).toBe(false)
          if (complete) expect(hits).toEqual(expected)
          searches++
          found += hits.length
        }
        await store.close()
      },
    )
    await fc.assert(runs, { numRuns: 60 })
    console.log(`${searches} searches in all sessions found ${found} messages, as one by one`)
    expect(found).toBeGreaterThan(100)
  })

  it('opens no session in which nothing can match', async () => {
    const { store, opened } = counting(memoryStore())
    for (let number = 100; number < 160; number++)
      await talk(store, `s${number}`, 'plain words', 'and more of them')
    await talk(store, 's145a', 'a heron on the pier')
    opened.length = 0
    expect(await hitsOf(store, { query: 'heron' })).toEqual({ hits: ['s145a m0'], complete: true })
    expect(opened).toEqual(['s145a'])
    opened.length = 0
    expect((await hitsOf(store, { query: 'plain', limit: 2 })).hits).toEqual(['s100 m0', 's101 m0'])
    expect(opened.length).toBeLessThan(4)
    await store.close()
  })

  it('keeps principals apart, and looks among summaries when it is told to', async () => {
    const store = memoryStore()
    await talk(
      { ...store, session: (ref, at) => store.session({ ...ref, principal: 'ann' }, at) },
      'hers',
      'a heron',
    )
    expect(await hitsOf(store, { query: 'heron' })).toEqual({ hits: [], complete: true })
    expect((await hitsOf(store, { query: 'heron', principal: 'ann' })).hits).toEqual(['hers m0'])
    const { found } = await searchStore(
      store,
      { query: 'heron', principal: 'ann', among: 'summaries' },
      CONTEXT,
    )
    expect(found).toEqual([])
  })
})
