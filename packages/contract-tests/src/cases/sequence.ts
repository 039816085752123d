import { deepEqual, equal, ok } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact, mustCompact, tokensOf, warnsAsWell } from '../harness/compact.ts'
import { assistant, calls, longConversation, result, system, user } from '../harness/conversations.ts'
import { eachInput } from '../harness/each-input.ts'

export const sequenceCases: readonly ContractCase[] = [
  contractCase(
    'C20',
    'keeps new tool results of one line: those after the last assistant message',
    async (harness) => {
      const unseen = [result('last_b', 'exit code 1: E1077'), result('last_a', 'cents = 4711')]
      const history = [...longConversation(), calls('last_a', 'last_b'), ...unseen]
      const { messages } = await mustCompact(harness.create(), history)
      for (const message of unseen) {
        const isKept = messages.some((other) => isDeepStrictEqual(other, message))
        ok(isKept, `the result ${JSON.stringify(message)} has no answer yet and is not there verbatim`)
      }
      deepEqual(messages.at(-1), unseen.at(-1), 'what the history ends with does not end the projection')
    },
  ),
  contractCase(
    'C22',
    'returns compacted only for fewer tokens, with the right tokensBefore, tokensAfter and changedFrom',
    async (harness) => {
      const history = longConversation()
      const before = tokensOf(history)
      const outcome = await mustCompact(harness.create(), [...history])
      const after = tokensOf(outcome.messages)
      ok(after < before, `compacted, and ${before} tokens became ${after}`)
      equal(outcome.tokensBefore, before, 'tokensBefore, by the counter of the host')
      equal(outcome.tokensAfter, after, 'tokensAfter, by the counter of the host')
      const first = history.findIndex((message, at) => !isDeepStrictEqual(message, outcome.messages[at]))
      equal(outcome.changedFrom, first, 'changedFrom, the index of the first message that differs')
    },
  ),
  contractCase('C24', 'leaves a short conversation unchanged', async (harness) => {
    const talk = [system(), user('Hi.'), assistant('Hello.'), user('What is in src?')]
    const inputs = {
      'no messages': [],
      'a system prompt': talk.slice(0, 1),
      'a question': talk.slice(1, 2),
      'a system prompt and a question': talk.slice(0, 2),
      'two questions': talk,
    }
    await eachInput<readonly Message[]>(inputs, async (history) => {
      const { outcome, messages } = await compact(harness.create(), history, { force: false })
      deepEqual({ outcome, messages }, { outcome: 'unchanged', messages: history })
    })
  }),
  contractCase('C83', 'reaches targetTokens, or warns that it cannot', async (harness) => {
    const usual = await mustCompact(harness.create(), longConversation())
    const asked = { targetTokens: TARGET_TOKENS }
    const made = await mustCompact(harness.create(), longConversation(), asked)
    const size = tokensOf(made.messages)
    ok(
      size <= TARGET_TOKENS || warnsAsWell(made, usual),
      `with a target of ${TARGET_TOKENS} tokens, as after a prompt that was refused, ${size} are left and no warning says so`,
    )
  }),
]

const TARGET_TOKENS = 3_500
