import { equal, ok } from 'node:assert/strict'
import type { ContextEngine, Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact, mustCompact } from '../harness/compact.ts'
import { conversationAbout, longConversation } from '../harness/conversations.ts'
import type { Harness } from '../harness/create-harness.ts'
import { eachInput } from '../harness/each-input.ts'
import { lookUp } from '../harness/look-up.ts'
import { leftOpenBy } from '../harness/open-resources.ts'
import { createScriptedModel, PLAUSIBLE_SUMMARY } from '../harness/scripted-model.ts'
import { refusalOf } from '../harness/settle.ts'
import { expectZero } from './state.ts'

export const lifecycleCases: readonly ContractCase[] = [
  contractCase('C53', 'onSessionReset forgets the conversation and the counters', async (harness) => {
    const model = createScriptedModel([({ prompt }) => `${PLAUSIBLE_SUMMARY}\n- ${wordsIn(prompt)}`])
    const host = harness.host({ model })
    const engine = harness.create(host)
    engine.updateFromResponse({ promptTokens: 9_000, completionTokens: 20, totalTokens: 9_020 })
    await mustCompact(engine, conversationAbout('harbour'))
    await engine.onSessionReset()
    expectZero(engine, 'after onSessionReset()')
    await knowsNothing(harness, engine)
    const asked = model.calls.length
    const next = conversationAbout('meadow')
    const { messages } = await mustCompact(engine, next)
    const prompts = model.calls.slice(asked).map(({ prompt }) => prompt)
    equal(wordsIn(JSON.stringify(messages)), 'meadow', 'what the projection after the reset speaks of')
    ok(!prompts.join().includes('harbour'), 'a prompt after the reset holds what was said before it')
    await knowsNothing(harness, engine, next)
    if (!harness.capabilities.has('persistence')) return
    await engine.dispose()
    await knowsNothing(harness, harness.reopen(host), next)
  }),
  contractCase('C54', 'dispose may be called at any time and more than once', async (harness) => {
    await eachInput<(engine: ContextEngine) => Promise<unknown>>(
      {
        'an engine that was never used': async () => {},
        'an engine whose session has ended': liveThrough,
        'an engine that has compacted': (engine) => compact(engine, longConversation()),
      },
      async (use) => {
        const engine = harness.create()
        await use(engine)
        await Promise.all([engine.dispose(), engine.dispose()])
        await engine.dispose()
      },
    )
    const { session } = harness.session()
    await session.prepare(longConversation())
    await Promise.all([session.end(), session.end()])
  }),
  contractCase(
    'C55',
    'rejects compress() and ingest() after dispose() with the code DISPOSED',
    async (harness) => {
      const messages = longConversation()
      const engine = harness.create()
      await compact(engine, messages)
      await engine.dispose()
      const refused = {
        compress: () => engine.compress({ messages }),
        ingest: () => engine.ingest({ messages, from: 0 }),
      }
      await eachInput(refused, async (call) => {
        const error = await refusalOf(call)
        ok(error, 'it resolved; it should reject')
        equal(error.code, 'DISPOSED', 'the code of its error')
      })
    },
  ),
  contractCase('C56', 'leaves no timer, file or connection open after dispose()', async (harness) => {
    const host = harness.host()
    const left = await leftOpenBy(async () => {
      const engine = harness.create(host)
      await callTools(engine)
      await liveThrough(engine)
    }, host.storage)
    equal(left.join(', '), '', 'what is still open a second after dispose()')
  }),
]

async function liveThrough(engine: ContextEngine): Promise<void> {
  const messages = longConversation()
  const usage = { promptTokens: 9_000, completionTokens: 20, totalTokens: 9_020 }
  await engine.onSessionStart({ sessionId: 'contract-session', contextLength: 8_000 })
  const result = await compact(engine, messages)
  if (result.outcome === 'compacted')
    await engine.onCompactionBoundary({ result, transcriptLength: messages.length })
  engine.updateFromResponse(usage)
  await engine.onTurnComplete({ messages, usage, interrupted: false })
  await engine.onSessionEnd(messages)
  await engine.dispose()
}

async function callTools(engine: ContextEngine): Promise<void> {
  for (const { function: tool } of engine.toolSchemas()) await engine.handleToolCall(tool.name, {})
}

async function knowsNothing(
  { target }: Harness,
  engine: ContextEngine,
  said: readonly Message[] = [],
): Promise<void> {
  for (const [name, text] of Object.entries(await lookUp(engine, target, said)))
    ok(!text.includes('harbour'), `${name}, looked up after onSessionReset(), holds what was said before it`)
}

function wordsIn(text: string): string {
  return ['harbour', 'meadow'].filter((word) => text.includes(word)).join(' and ')
}
