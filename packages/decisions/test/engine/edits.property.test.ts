import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { createDecisionLedger, createMemoryDecisionStore, verifyDecisions } from '../../src/index.ts'
import { type Step, step, takeBack, toolLoop, within } from './generated-talk.ts'
import { talkWith } from './harness.ts'
import { decisionsOf, outline } from './views.ts'

const count = { talks: 0, edits: 0, events: 0, decisions: 0 }
afterAll(() => console.log(`edits: ${JSON.stringify(count)}`))

async function play(steps: readonly Step[]): Promise<void> {
  const store = createMemoryDecisionStore()
  const talk = talkWith({ store }, { contextLength: 400_000 })
  let history: Message[] = [...talk.history]
  for (const [number, next] of steps.entries()) {
    if (next.type === 'compact') continue
    if (next.type === 'edit') {
      count.edits++
      history = [...takeBack(history, next.back), { role: 'user', content: next.saying }]
    } else if (next.type === 'other') history = [...history, ...within(next.messages, number)]
    else {
      history = [...history, { role: 'user', content: next.saying }]
      if (next.type === 'loop') history = [...history, ...toolLoop(next.rounds, 1)]
    }
    await talk.session.prepare(history)
    if (next.type !== 'turn' && next.type !== 'loop') continue
    const message: Message = { role: 'assistant', content: next.answer }
    await talk.session.observe({ message })
    history = [...history, message]
  }
  await talk.session.prepare(history)
  await talk.session.end()

  const fresh = createMemoryDecisionStore()
  const again = talkWith({ store: fresh }, { contextLength: 400_000 })
  await again.session.prepare(history)
  await again.session.end()
  const [told, final] = [await decisionsOf(store), await decisionsOf(fresh)]
  expect(outline(told)).toEqual(outline(final))
  expect((await verifyDecisions(store)).faults).toEqual([])

  // The log amounts to the same for who reads it later, and has nothing twice.
  const events = (await store.events({ scopes: ['session:talk'] })).map(({ event }) => event)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(createDecisionLedger(events).all).toEqual(told)
  count.talks++
  count.events += events.length
  count.decisions += final.length
}

it('after any edits, what holds is what a fresh session finds in the final history', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), play), { numRuns: 50 })
  expect(count.edits).toBeGreaterThan(25)
})

it('a long history that comes at once is what it is turn by turn, and after an edit in its middle', async () => {
  const sayings = [
    'We use PostgreSQL for the database.',
    'Show me the list.',
    'Use port 8080 instead of 8081.',
    'No, use Redis.',
  ]
  const long = Array.from({ length: 1_300 }, (_, index): Message => {
    const content = sayings[(index * 7) % 11] ?? `Look at part ${index}.`
    return index % 2 === 0
      ? { role: 'user', content }
      : { role: 'assistant', content: `Part ${index} is done.` }
  })
  const edited: Message[] = [...long.slice(0, 900), { role: 'user', content: 'Use MySQL for the database.' }]
  const stores = [createMemoryDecisionStore(), createMemoryDecisionStore()] as const
  const [atOnce, byTurn] = stores.map((store) => talkWith({ store }, { contextLength: 4_000_000 }))
  for (const [end, list] of [
    [long.length, long],
    [edited.length, edited],
  ] as const) {
    await atOnce?.session.prepare(list)
    for (let told = list === long ? 1 : end; told <= end; told += 100)
      await byTurn?.session.prepare(list.slice(0, told))
    await byTurn?.session.prepare(list)
    const [whole, parts] = [await decisionsOf(stores[0]), await decisionsOf(stores[1])]
    expect(outline(whole)).toEqual(outline(parts))
    expect(whole.length).toBeGreaterThan(1)
  }
  for (const store of stores) expect((await verifyDecisions(store)).faults).toEqual([])
})
