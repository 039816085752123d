import { deepEqual, equal } from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { ContextEngine, Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { countersOf } from '../harness/compact.ts'
import { calls, longConversation, result, system, user } from '../harness/conversations.ts'
import { eachInput } from '../harness/each-input.ts'
import { createScriptedModel } from '../harness/scripted-model.ts'

/** When an engine asks to be called. Each question goes to a new engine: an older one may have reasons to wait. */
export const triggerCases: readonly ContractCase[] = [
  contractCase('C10', 'says no below its threshold', async (harness) => {
    for (const share of [0, 0.5, 1]) {
      const engine = harness.create()
      const promptTokens = Math.floor((engine.thresholdTokens - 1) * share)
      equal(engine.shouldCompress({ promptTokens }), false, asked(engine, promptTokens))
    }
  }),
  contractCase('C11', 'says yes from its threshold on', async (harness) => {
    for (const beyond of [0, 1, harness.host().contextLength]) {
      const engine = harness.create()
      const promptTokens = engine.thresholdTokens + beyond
      equal(engine.shouldCompress({ promptTokens }), true, asked(engine, promptTokens))
    }
  }),
  contractCase(
    'C12',
    'goes by the prompt size of the call, and by the last reported one when the call has none',
    async (harness) => {
      const full = () => reported(harness.create(), 1.1)
      equal(full().shouldCompress({ promptTokens: 0 }), false, 'asked about 0 tokens after a full prompt')
      equal(full().shouldCompress(), true, 'asked without a number after a full prompt')
      const small = () => reported(harness.create(), 0.1)
      const promptTokens = Math.ceil(small().thresholdTokens * 1.1)
      const answer = small().shouldCompress({ promptTokens })
      equal(answer, true, `asked about ${promptTokens} tokens after a small prompt`)
      equal(small().shouldCompress(), false, 'asked without a number after a small prompt')
    },
  ),
  contractCase('C13', 'changes nothing and calls no model when it is asked', async (harness) => {
    const model = createScriptedModel()
    const engine = harness.create({ model })
    const sizes = [0, engine.thresholdTokens - 1, engine.thresholdTokens, engine.contextLength]
    const before = stateOf(engine)
    const ask = () => sizes.map((promptTokens) => engine.shouldCompress({ promptTokens }))
    const answers = ask()
    deepEqual(ask(), answers, `asked twice for prompts of ${sizes.join(', ')} tokens`)
    await setImmediate()
    deepEqual(stateOf(engine), before, 'what hosts read of the engine, before and after')
    equal(model.calls.length, 0, 'calls of the model')
  }),
  contractCase('C14', 'answers the preflight check with yes or no, whatever the conversation', (harness) =>
    eachInput(lawfulLists(), (messages) => {
      const answer: unknown = harness.create().shouldCompressPreflight(messages)
      equal(typeof answer, 'boolean', `shouldCompressPreflight() returned ${String(answer)}`)
    }),
  ),
]

/** Lists of every kind that a session may ask about. */
function lawfulLists(): Record<string, Message[]> {
  const parts = [
    { type: 'text', text: 'See this.' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'hologram', depth: 3 },
  ]
  return {
    'no messages': [],
    'a system prompt alone': [system()],
    'an assistant message without content': [user('Hi'), { role: 'assistant' }, user('Anyone there?')],
    'results without text': [user('Hi'), calls('a', 'b'), result('b', ''), result('a', '')],
    'parts of known and unknown kinds': [{ role: 'user', content: parts } as Message],
    'a long conversation': longConversation(),
    'a message longer than the window': [system(), user('word '.repeat(100_000))],
  }
}

function asked(engine: ContextEngine, promptTokens: number): string {
  return `shouldCompress({ promptTokens: ${promptTokens} }) with thresholdTokens ${engine.thresholdTokens}`
}

/** The engine after a response to a prompt of this share of its threshold. */
function reported(engine: ContextEngine, share: number): ContextEngine {
  const promptTokens = Math.ceil(engine.thresholdTokens * share)
  engine.updateFromResponse({ promptTokens, completionTokens: 10, totalTokens: promptTokens + 10 })
  return engine
}

function stateOf(engine: ContextEngine): object {
  return { ...countersOf(engine), thresholdTokens: engine.thresholdTokens, status: engine.status() }
}
