import { ok } from 'node:assert/strict'
import { type CompressResult, type Message, messageText } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { FAILURES, failingTrials, failureKinds, hostOf, messagesOf } from '../../harness/compaction-trials.ts'
import { difference, expectSame } from '../../harness/difference.ts'
import { createPlainHost, type PlainHost } from '../../harness/plain-host.ts'
import { createScriptedModel, type ScriptedModel } from '../../harness/scripted-model.ts'
import { NAMES, talkOfNames } from '../../harness/talk-of-names.ts'
import { writtenByEngine } from '../../harness/written-by-engine.ts'

/**
 * Compacts while the model fails: everything is still there, or something stands for it and a warning says so. Says
 * whether the model was asked for that; an engine may ask it in the background too, which is waited for before.
 */
async function expectToldOrKept(host: PlainHost, model: ScriptedModel, force: boolean): Promise<boolean> {
  const { calls } = model
  for (let before = -1; before !== calls.length; await new Promise(setImmediate)) before = calls.length
  const [asked, before] = [calls.length, host.projection]
  const result = await host.compact({ force })
  if (calls.length > asked) expectTold(result, before)
  return calls.length > asked
}

function expectTold(result: CompressResult, before: readonly Message[]): void {
  if (result.outcome !== 'compacted') {
    expectSame(result.messages, before, `the model failed and the outcome is ${result.outcome}`)
    return
  }
  if (difference(result.messages, before) === undefined) return
  ok(result.warnings.length > 0, 'the model failed, messages were replaced, and no warning says so')
  ok(
    writtenByEngine(result.messages, before).length > 0,
    'the model failed, messages are gone, and nothing stands for them',
  )
}

/** Law 7. */
export const failureLawCases: readonly ContractCase[] = [
  contractCase(
    'L07',
    'law 7: a failing model costs nothing silently, and what the user said survives it',
    ['summarizer'],
    async (harness) => {
      const messages = talkOfNames()
      for (const kind of failureKinds) {
        const model = createScriptedModel([FAILURES[kind]])
        const host = createPlainHost(harness.create({ model }))
        await host.say(messages)
        await expectToldOrKept(host, model, true)
        const text = host.projection.map(messageText).join('\n')
        const lost = NAMES.filter((name) => !text.includes(name))
        ok(
          lost.length === 0,
          `the model ${kind}, and what replaced the messages does not carry ${lost.join(', ')}`,
        )
      }
    },
  ),
  contractCase('P07', 'law 7 on generated conversations', ['summarizer'], async (harness) => {
    const numbers = { tried: 0, failed: 0, replaced: 0 }
    await harness.property(failingTrials, async (trial) => {
      const parts = hostOf(trial)
      const host = createPlainHost(harness.create(parts), parts.tokens)
      await host.say(messagesOf(trial))
      const wasAsked = await expectToldOrKept(host, parts.model as ScriptedModel, trial.force)
      numbers.tried++
      if (wasAsked) numbers.failed++
      if (wasAsked && host.compactions > 0) numbers.replaced++
    })
    harness.note(
      `${numbers.tried} conversations, the model failed in ${numbers.failed}, ${numbers.replaced} were compacted without it`,
    )
  }),
]
