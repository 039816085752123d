import { createScriptedModel, type ScriptedModel } from '@palimpsest/contract-tests'
import {
  checkProjection,
  createContextSession,
  type Message,
  ModelError,
  messageText,
  roughTokenCounter,
} from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import decisions, {
  createMemoryDecisionStore,
  type DecisionsOptions,
  verifyDecisions,
} from '../../src/index.ts'
import { type Step, step, takeBack, toolLoop, within } from './generated-talk.ts'
import { tickingClock } from './harness.ts'

const count = { sessions: 0, requests: 0, compactions: 0, edits: 0, blocks: 0, events: 0 }
afterAll(() => {
  console.log(`laws: ${JSON.stringify(count)}`)
  expect(count.sessions).toBeGreaterThanOrEqual(75)
})

const SETUPS: readonly (readonly [name: string, options: DecisionsOptions])[] = [
  ['with its own compaction', {}],
  ['as the seed describes it', { profile: 'seed' }],
  ['over lcm', { compaction: { engine: lcm as never, options: {} } }],
]
const FORBIDDEN = new Set(['law-violation', 'engine-failed', 'selection-too-large'])

/** Models that answer well, badly, and not at all. */
const MODELS: Readonly<Record<string, () => ScriptedModel | undefined>> = {
  none: () => undefined,
  good: () => createScriptedModel([reads]),
  fails: () => createScriptedModel([new ModelError('invalid-request', 'no')]),
  'now and then': () =>
    createScriptedModel([
      reads,
      new ModelError('overloaded', 'later'),
      reads,
      'I cannot help with that.',
      reads,
    ]),
}

/** Finds the last message of the user's to be a fact, or writes a summary. */
function reads({ prompt }: { readonly prompt: string }): string {
  if (!prompt.includes('candidates')) return '## Conclusions\nThe spacing follows the grid.'
  const candidate = { kind: 'assert', message: 1, quote: 'screen', category: 'structure', l0: 'screen' }
  return JSON.stringify({ candidates: [candidate] })
}

async function play(
  options: DecisionsOptions,
  {
    steps,
    window,
    model,
  }: { readonly steps: readonly Step[]; readonly window: number; readonly model: string },
): Promise<void> {
  const store = createMemoryDecisionStore()
  const scripted = MODELS[model]?.()
  const session = createContextSession<DecisionsOptions>({
    engine: decisions,
    options: { ...options, store },
    contextLength: window,
    tokens: roughTokenCounter,
    clock: tickingClock(),
    sessionId: 'talk',
    ...(scripted && { model: scripted }),
  })
  const faults: unknown[] = []
  session.subscribe((event) => {
    if (event.type === 'violations') faults.push(...event.violations)
    if (event.type === 'compaction' && event.committed) count.compactions++
  })
  let history: Message[] = [{ role: 'system', content: 'You are a coding agent.' }]
  const prepare = async () => {
    const { messages, warnings } = await session.prepare(history)
    count.requests++
    faults.push(...warnings.filter(({ code }) => FORBIDDEN.has(code)))
    faults.push(...checkProjection(messages, session.transcript, { inFlight: true }))
    const blocks = messages.flatMap((message) => messageText(message).match(/^<project_decisions>$/gm) ?? [])
    if (blocks.length > 1) faults.push(`${blocks.length} blocks`)
    count.blocks += blocks.length
    expect(faults).toEqual([])
  }
  const answer = async (text: string) => {
    const message: Message = { role: 'assistant', content: text }
    await session.observe({ message })
    history = [...history, message]
  }
  for (const [number, next] of steps.entries()) {
    if (next.type === 'compact') await session.compact()
    else if (next.type === 'other') history = [...history, ...within(next.messages, number)]
    else if (next.type === 'edit') {
      count.edits++
      history = [...takeBack(history, next.back), { role: 'user', content: next.saying }]
      await prepare()
    } else {
      history = [...history, { role: 'user', content: next.saying }]
      await prepare()
      if (next.type === 'interrupt') await session.observe({ interrupted: true })
      else {
        if (next.type === 'loop')
          for (let round = 0; round < next.rounds; round++) {
            history = [...history, ...toolLoop(1, next.size)]
            await prepare()
          }
        await answer(next.answer)
      }
    }
  }
  history = [...history, { role: 'user', content: 'What did we decide?' }]
  await prepare()
  await session.end()
  const proof = await verifyDecisions(store)
  expect(proof.faults).toEqual([])
  count.events += proof.events
  count.sessions++
}

describe.each(SETUPS)('generated conversations, %s', (_, options) => {
  it('give lawful requests, and a log that holds', async () => {
    const play1 = fc.record({
      steps: fc.array(step, { minLength: 4, maxLength: 24 }),
      window: fc.constantFrom(2_000, 4_000, 12_000),
      model: fc.constantFrom(...Object.keys(MODELS)),
    })
    await fc.assert(
      fc.asyncProperty(play1, (input) => play(options, input)),
      { numRuns: 25 },
    )
  })
})
