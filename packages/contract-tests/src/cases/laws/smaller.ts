import { ok } from 'node:assert/strict'
import type { CompressResult, Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { tokensOf } from '../../harness/compact.ts'
import { messagesOf, plainHostOf } from '../../harness/compaction-trials.ts'
import { assistant, longConversation, system, user } from '../../harness/conversations.ts'
import { expectSame } from '../../harness/difference.ts'
import { createPlainHost } from '../../harness/plain-host.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'

/** Less is less by the counter of the host, and everything else changes nothing and says why. */
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

/** Law 5. */
export const smallerCases: readonly ContractCase[] = [
  contractCase(
    'L05',
    'law 5: compacted means fewer tokens; anything else changes nothing and has a reason',
    async (harness) => {
      const host = createPlainHost(harness.create())
      const messages = longConversation()
      await host.say(messages)
      expectHonest(await host.mustCompact(), messages)

      const short = [system(), user('Hello.'), assistant('Hello!'), user('Bye.')]
      const other = createPlainHost(harness.create())
      await other.say(short)
      expectHonest(await other.compact({ force: true }), short)
    },
  ),
  contractCase('P05', 'law 5 on generated conversations', (harness) =>
    tryCompactions(harness, async (trial) => {
      const host = plainHostOf(harness, trial)
      const messages = messagesOf(trial)
      await host.say(messages)
      expectHonest(await host.compact({ force: trial.force }), messages)
      return host.compactions > 0
    }),
  ),
]
