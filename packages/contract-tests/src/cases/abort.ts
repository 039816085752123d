import { equal, ok } from 'node:assert/strict'
import { type CompressResult, errorText, PalimpsestError } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compressIngested, countersOf, mustCompact, quietEngine } from '../harness/compact.ts'
import { continuation, conversationAbout, longConversation } from '../harness/conversations.ts'
import type { Harness } from '../harness/create-harness.ts'
import { expectSame } from '../harness/difference.ts'
import { eachInput } from '../harness/each-input.ts'
import { expectNoNewFaults } from '../harness/expect-valid.ts'
import { createPlainHost, halves } from '../harness/plain-host.ts'
import {
  createScriptedModel,
  DEAF,
  type ModelAnswer,
  PLAUSIBLE_SUMMARY,
  STALL,
} from '../harness/scripted-model.ts'
import { type Outcome, outcomeOf, unhandledRejections, waitUntil } from '../harness/settle.ts'

export const abortCases: readonly ContractCase[] = [
  contractCase(
    'C48',
    'rejects with the reason of a signal that is already aborted, and asks no model',
    async (harness) => {
      const model = createScriptedModel()
      const messages = longConversation()
      const engine = await quietEngine(harness, messages, model)
      const asked = model.calls.length
      const reason = new Error('aborted before the call')
      const signal = AbortSignal.abort(reason)
      expectRejected(await outcomeOf(compressIngested(engine, messages, { signal })), reason)
      equal(model.calls.length, asked, 'calls of the model after a compress() that was aborted before')
    },
  ),
  contractCase(
    'C49',
    'rejects with the reason of a signal that aborts during the call, and leaves the state unchanged',
    ['summarizer'],
    (harness) =>
      eachInput<ModelAnswer>(
        { 'a model that stops with its signal': STALL, 'a model that ignores its signal': DEAF },
        (silence) => abortOnTheWay(harness, silence),
      ),
  ),
  contractCase(
    'C50',
    'handles two compactions at the same time correctly, or rejects one with an error that has a code',
    async (harness) => {
      const history = longConversation()
      const usual = { projection: (await mustCompact(harness.create(), history)).messages, history }
      const gate = Promise.withResolvers<string>()
      let answer: string | Promise<string> = PLAUSIBLE_SUMMARY
      const model = createScriptedModel([() => answer])
      const engine = await quietEngine(harness, history, model)
      answer = gate.promise
      const asked = model.calls.length
      const more = continuation(41, 10)
      const first = outcomeOf(compressIngested(engine, history))
      const taken = outcomeOf(engine.ingest({ messages: more, from: history.length }))
      const second = outcomeOf(compressIngested(engine, [...history, ...more]))
      // Queued compactions ask the model once.
      await waitUntil(() => model.calls.length > asked + 1, 20)
      gate.resolve(PLAUSIBLE_SUMMARY)
      expectCoded(await taken)
      const made = [
        ...expectCoded(await first).map(({ messages }) => ({ projection: messages, history })),
        ...expectCoded(await second).map(({ messages }) => ({
          projection: messages,
          history: [...history, ...more],
        })),
      ]
      ok(made.length > 0, 'both calls of compress() were refused')
      for (const projection of made) expectNoNewFaults(projection, usual)
    },
  ),
  contractCase('C51', 'does not mix sessions that run at the same time', async (harness) => {
    const words = ['harbour', 'meadow', 'lantern', 'copper']
    const among = (text: string) => words.filter((word) => text.includes(word))
    // The host's sessions share its model, whose answers repeat what it read.
    const model = createScriptedModel([
      ({ prompt }) => `## Goal\n- It is about ${among(prompt).join(' and ')}.`,
    ])
    await Promise.all(
      words.map(async (word) => {
        const host = createPlainHost(harness.create({ model, sessionId: word }))
        for (const part of halves(conversationAbout(word))) {
          await host.say(part)
          await host.compact({ force: true })
          const told = among(JSON.stringify(host.projection))
          equal(told.join(), word, `what the projection of the session about ${word} speaks of`)
        }
        ok(host.compactions > 0, `the session about ${word} was never compacted`)
      }),
    )
    for (const { prompt } of model.calls) {
      const told = among(prompt)
      ok(told.length <= 1, `one prompt holds what sessions about ${told.join(' and ')} said`)
    }
  }),
]

function expectRejected(outcome: Outcome<CompressResult> | undefined, reason: Error): void {
  if (outcome === undefined) throw new Error('the aborted compress() did not settle')
  if ('value' in outcome) throw new Error(`the aborted compress() resolved, with ${outcome.value.outcome}`)
  const found = `the aborted compress() rejected with "${errorText(outcome.error)}" instead of signal.reason`
  ok(outcome.error === reason, found)
}

function expectCoded<T>(outcome: Outcome<T>): T[] {
  if ('value' in outcome) return [outcome.value]
  if (PalimpsestError.isInstance(outcome.error)) return []
  throw new Error(`an overlapping call rejected with an error that has no code: ${errorText(outcome.error)}`)
}

/** Aborts a compaction while its model is silent; afterwards a compaction with an answering model must work. */
async function abortOnTheWay(harness: Harness, silence: ModelAnswer): Promise<void> {
  let answer: ModelAnswer = PLAUSIBLE_SUMMARY
  const model = createScriptedModel([() => answer])
  const messages = longConversation()
  const engine = await quietEngine(harness, messages, model)
  const [before, asked] = [countersOf(engine), model.calls.length]

  answer = silence
  const controller = new AbortController()
  const reason = new Error('aborted on its way')
  let settled: Outcome<CompressResult> | undefined
  const unhandled = await unhandledRejections(async () => {
    const call = outcomeOf(compressIngested(engine, messages, { signal: controller.signal }))
    void call.then((outcome) => {
      settled = outcome
    })
    await waitUntil(() => settled !== undefined || model.calls.length > asked)
    controller.abort(reason)
    await call
  })
  // A compaction without a model cannot be aborted midway.
  if (model.calls.length === asked) return
  expectRejected(settled, reason)
  equal(unhandled.map(errorText).join('; '), '', 'unhandled rejections')
  expectSame(countersOf(engine), before, 'the counters after an aborted compress()')
  answer = PLAUSIBLE_SUMMARY
  const next = await outcomeOf(mustCompact(engine, messages))
  if ('error' in next)
    throw new Error(`the compress() after the aborted one failed: ${errorText(next.error)}`)
}
