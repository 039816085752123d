import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Message, MessageRange, Origin } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { longConversation } from '../harness/conversations.ts'
import { createPlainHost } from '../harness/plain-host.ts'

/** Where the messages of a projection come from. */
export const originCases: readonly ContractCase[] = [
  contractCase('C80', 'returns the right origins of its messages, if it returns any', async (harness) => {
    const host = createPlainHost(harness.create())
    await host.say(longConversation())
    const { transcript } = host
    const origins = transcript.map((_, index): Origin => ({ from: 'transcript', index, whole: true }))
    const selected = await host.engine.selectContext({
      messages: transcript,
      origins,
      budgetTokens: 200_000,
    })
    const compacted = await host.mustCompact({ origins })
    const lists = { 'selectContext()': selected, 'compress()': compacted }
    for (const [name, list] of Object.entries(lists)) {
      if (list?.origins === undefined) harness.note(`${name} says nothing of it: a session compares`)
      else expectOrigins(name, list.messages, list.origins, transcript)
    }
  }),
]

function expectOrigins(
  name: string,
  messages: readonly Message[],
  origins: readonly Origin[],
  transcript: readonly Message[],
): void {
  equal(
    origins.length,
    messages.length,
    `${name} returned ${origins.length} origins for ${messages.length} messages`,
  )
  const stands = ({ first, last }: MessageRange) => first >= 0 && first <= last && last < transcript.length
  for (const [index, origin] of origins.entries()) {
    const what = `${name} says of message ${index} that it`
    if (origin.from === 'summary')
      ok(
        origin.of.every(stands),
        `${what} stands for ${JSON.stringify(origin.of)} of ${transcript.length} messages`,
      )
    if (origin.from !== 'transcript') continue
    const range = { first: origin.index, last: origin.index }
    ok(stands(range), `${what} is message ${origin.index} of ${transcript.length}`)
    if (!origin.whole) continue
    deepEqual(messages[index], transcript[origin.index], `${what} is message ${origin.index} as it was said`)
  }
}
