import { ok } from 'node:assert/strict'
import type { CompressResult, Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { tokensOf } from '../../harness/compact.ts'
import { messagesOf } from '../../harness/compaction-trials.ts'
import { assistant, longConversation, system, user } from '../../harness/conversations.ts'
import { expectSame } from '../../harness/difference.ts'
import { eachInput } from '../../harness/each-input.ts'
import { createPlainHost, type PlainHost } from '../../harness/plain-host.ts'
import { createScriptedModel, PLAUSIBLE_SUMMARY } from '../../harness/scripted-model.ts'
import { tryHosts } from '../../harness/try-compactions.ts'

function expectHonest(result: CompressResult, before: readonly Message[]): void {
  const { outcome, reason, messages } = result
  if (outcome === 'compacted') {
    const [was, is] = [tokensOf(before), tokensOf(messages)]
    ok(is < was, `the outcome is compacted, and ${was} tokens became ${is}; the outcome should be unchanged`)
    return
  }
  expectSame(messages, before, `the outcome is ${outcome}, and the messages are not those of the call`)
  ok(
    typeof reason === 'string' && reason !== '',
    `the outcome is ${outcome}, and reason is ${String(reason)}`,
  )
}

async function changesNothingAgain(host: PlainHost, force: boolean): Promise<void> {
  const before = host.projection
  await host.compact({ force })
  expectSame(host.projection, before, 'a second compaction without new messages changed the projection')
}

export const smallerCases: readonly ContractCase[] = [
  contractCase(
    'L05',
    'invariant 5: compacted means fewer tokens; any other outcome changes nothing and has a reason',
    async (harness) => {
      const messages = longConversation()
      const answers = {
        'a short answer of the model': PLAUSIBLE_SUMMARY,
        'an answer of 20,000 lines': `## Goal\n${'- a line of the record\n'.repeat(20_000)}`,
      }
      await eachInput(answers, async (answer) => {
        const host = createPlainHost(harness.create({ model: createScriptedModel([answer]) }))
        await host.say(messages)
        expectHonest(await host.compact({ force: true }), messages)
      })

      const short = [system(), user('Hello.'), assistant('Hello!'), user('Bye.')]
      const other = createPlainHost(harness.create())
      await other.say(short)
      expectHonest(await other.compact({ force: true }), short)
    },
  ),
  contractCase('P05', 'invariant 5 on generated conversations', (harness) =>
    tryHosts(harness, async (host, trial) => {
      const messages = messagesOf(trial)
      await host.say(messages)
      expectHonest(await host.compact({ force: trial.force }), messages)
    }),
  ),
  contractCase(
    'L08',
    'invariant 8: a second compaction without new messages changes nothing',
    async (harness) => {
      const host = createPlainHost(harness.create())
      await host.say(longConversation())
      await host.mustCompact()
      await changesNothingAgain(host, true)
    },
  ),
  contractCase('P08', 'invariant 8 on generated conversations, with and without force', (harness) =>
    tryHosts(harness, async (host, trial) => {
      await host.say(messagesOf(trial))
      await host.compact({ force: trial.force })
      if (host.compactions > 0) await changesNothingAgain(host, trial.force)
    }),
  ),
]
