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
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), play), { numRuns: 120 })
  expect(count.edits).toBeGreaterThan(50)
})
