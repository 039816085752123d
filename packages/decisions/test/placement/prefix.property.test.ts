import {
  checkProjection,
  countMessages,
  createContextSession,
  type Message,
  messageText,
  roughTokenCounter,
} from '@palimpsest/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import decisions, { type DecisionsOptions } from '../../src/index.ts'
import { type Step, step, takeBack, toolLoop } from '../engine/generated-talk.ts'
import { tickingClock } from '../engine/harness.ts'

const count = { talks: 0, requests: 0, extended: 0, epochs: 0, notes: 0, largest: 0 }
afterAll(() => {
  const share = (count.extended / (count.requests - count.epochs)).toFixed(3)
  console.log(
    `placement: ${JSON.stringify(count)}, share of requests without an epoch that extend the one before: ${share}`,
  )
})

/** A window of 2,000 tokens does not hold much beside the tools of the engine. */
const OF_SMALL_WINDOWS = new Set(['above-target', 'cut-to-window', 'over-window'])
const SYSTEM: Message = { role: 'system', content: 'You are a coding agent.' }
/** Messages of ours in a request: what the transcript does not have. */
const notesOf = (request: readonly Message[], history: readonly Message[]) => {
  const said = new Set(history.map(messageText))
  return request.slice(1).filter((message) => message.role === 'assistant' && !said.has(messageText(message)))
}
const isPrefix = (before: readonly Message[], after: readonly Message[]) =>
  before.every((message, index) => JSON.stringify(message) === JSON.stringify(after[index]))

async function play(steps: readonly Step[], window: number, budget: number): Promise<void> {
  const session = createContextSession<DecisionsOptions>({
    engine: decisions,
    options: { budget_tokens: budget, recall_tokens: Math.max(100, Math.floor(budget / 5)) },
    contextLength: window,
    tokens: roughTokenCounter,
    clock: tickingClock(),
    sessionId: 'talk',
  })
  let history: Message[] = [SYSTEM]
  let before:
    | { readonly request: readonly Message[]; readonly epochs: number; readonly blocks: number }
    | undefined
  let isMended = false
  const prepare = async () => {
    const { messages, warnings } = await session.prepare(history)
    expect(warnings.filter(({ code }) => !OF_SMALL_WINDOWS.has(code))).toEqual([])
    // What does not fit is cut, which changes the prefix like a compaction.
    if (warnings.some(({ code }) => code === 'cut-to-window')) isMended = true
    expect(checkProjection(messages, session.transcript, { inFlight: true })).toEqual([])
    const details = session.engine.status().details as {
      readonly epochs: number
      readonly block_tokens: number
    }
    const blocks = messages.map(
      (message) => messageText(message).match(/^<project_decisions>$/gm)?.length ?? 0,
    )
    expect(blocks.slice(1).every((number) => number === 0)).toBe(true)
    expect(blocks[0]).toBeLessThanOrEqual(1)
    // The block and its notes together: one budget, and five times the room of a note.
    expect(details.block_tokens).toBeLessThanOrEqual(budget + 5 * Math.max(100, Math.floor(budget / 5)))
    expect(details.block_tokens).toBeLessThanOrEqual(window * 0.4)
    count.largest = Math.max(count.largest, details.block_tokens)
    expect(countMessages(roughTokenCounter, messages)).toBeLessThanOrEqual(
      Math.max(window, countMessages(roughTokenCounter, history)),
    )
    count.requests++
    const isEpoch =
      before === undefined || isMended || details.epochs !== before.epochs || blocks[0] !== before.blocks
    if (isEpoch) count.epochs++
    else {
      const isExtended = isPrefix(before?.request ?? [], messages)
      if (isExtended) count.extended++
      expect({ isExtended, before: before?.request, messages }).toMatchObject({ isExtended: true })
    }
    count.notes += notesOf(messages, history).length
    before = { request: messages, epochs: details.epochs, blocks: blocks[0] ?? 0 }
    isMended = false
  }
  session.subscribe((event) => {
    if (event.type === 'compaction' && event.committed) isMended = true
  })
  for (const next of steps) {
    if (next.type === 'other' || next.type === 'interrupt') continue
    if (next.type === 'compact') await session.compact()
    else if (next.type === 'edit') {
      history = [...takeBack(history, next.back), { role: 'user', content: next.saying }]
      isMended = true
      await prepare()
    } else {
      history = [...history, { role: 'user', content: next.saying }]
      await prepare()
      if (next.type === 'loop')
        for (let round = 0; round < next.rounds; round++) {
          history = [...history, ...toolLoop(1, next.size)]
          await prepare()
        }
      const message: Message = { role: 'assistant', content: next.answer }
      await session.observe({ message })
      history = [...history, message]
    }
  }
  await session.end()
  count.talks++
}

describe('the requests of a conversation', () => {
  it('extend the one before, except where an epoch begins; block and notes stay within their budgets', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.constantFrom(2_000, 6_000, 40_000, 200_000),
        fc.constantFrom(100, 800, 7_500),
        play,
      ),
      { numRuns: 100 },
    )
    expect(count.extended).toBeGreaterThan(count.requests / 3)
    expect(count.notes).toBeGreaterThan(50)
  })
})
