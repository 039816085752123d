import { checkSequence, type Message } from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { compact, mustCompact } from '../../harness/compact.ts'
import { messagesOf } from '../../harness/compaction-trials.ts'
import {
  assistant,
  callWith,
  longConversation,
  REMINDER,
  result,
  system,
  toolRounds,
  user,
} from '../../harness/conversations.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { eachInput } from '../../harness/each-input.ts'
import { expectValid } from '../../harness/expect-valid.ts'
import { brokenConversation } from '../../harness/generated-conversations.ts'
import { createPlainHost, halves } from '../../harness/plain-host.ts'
import { unlessRefused } from '../../harness/settle.ts'
import { tryHosts } from '../../harness/try-compactions.ts'

async function holds(harness: Harness, invariant: number): Promise<void> {
  await eachInput(conversations(), async (history) => {
    const { messages } = await mustCompact(harness.create(), history)
    expectValid(messages, history, [invariant])
  })
  const host = createPlainHost(harness.create())
  for (const part of halves(longConversation({ turns: 80 }))) {
    await host.say(part)
    await host.mustCompact()
    expectValid(host.projection, host.transcript, [invariant])
  }
}

const holdsInTrials = (harness: Harness, invariant: number): Promise<void> =>
  tryHosts(harness, async (host, trial) => {
    for (const part of halves(messagesOf(trial))) {
      await host.say(part)
      await host.compact({ force: trial.force })
      expectValid(host.projection, host.transcript, [invariant])
    }
  })

/** The engine repairs a broken list, leaves it alone, or refuses it with a code. */
async function expectMended(harness: Harness, messages: readonly Message[], window: number): Promise<void> {
  const engine = harness.create({ contextLength: window, maxOutputTokens: 0 })
  const result = await unlessRefused(() => compact(engine, messages))
  const [fault] = result?.outcome === 'compacted' ? checkSequence(result.messages, { inFlight: true }) : []
  if (fault !== undefined)
    throw new Error(`a broken list was compacted to another one: ${fault.message} (at ${fault.index})`)
}

export const projectionCases: readonly ContractCase[] = [
  contractCase('L02', 'invariant 2: a projection is a valid sequence of messages', (harness) =>
    holds(harness, 2),
  ),
  contractCase('P02', 'invariant 2 on generated conversations, valid and broken ones', async (harness) => {
    await holdsInTrials(harness, 2)
    const broken = fc.record({ messages: brokenConversation(), window: fc.constantFrom(40, 600, 8_000) })
    await harness.property(broken, ({ messages, window }) => expectMended(harness, messages, window))
  }),
  contractCase(
    'L03',
    'invariant 3: the system prompt keeps its text, and gets a note at most once',
    (harness) => holds(harness, 3),
  ),
  contractCase('P03', 'invariant 3 on generated conversations', (harness) => holdsInTrials(harness, 3)),
  contractCase('L04', 'invariant 4: the last user message is kept verbatim', (harness) => holds(harness, 4)),
  contractCase('P04', 'invariant 4 on generated conversations', (harness) => holdsInTrials(harness, 4)),
]

function conversations(): Record<string, Message[]> {
  const talk = longConversation().slice(0, -1)
  const odd = `  Please:\n\n\t1. ${'count again, in cents; '.repeat(80)}\n2. say "done" \u{1F9EE}\n\n`
  return {
    'a short request at the end': longConversation(),
    'long arguments at the end': [...longConversation(), ...longWrites()],
    'no system prompt': longConversation().slice(1),
    'an answer at the end': longConversation().slice(0, -1),
    'one question and many tool rounds': [system(), user('Read everything.'), ...toolRounds()],
    'a reminder of the host behind each tool round': reminded(toolRounds(30)),
    'a reminder of the host before each tool round': reminded(toolRounds(30)).slice(0, -1),
    'a request of many lines at the end': [...talk, user(odd)],
    'a request before many tool rounds': [
      ...longConversation({ turns: 10 }).slice(0, -1),
      user(odd),
      ...toolRounds(),
    ],
    'a request before many tool rounds, with a reminder of the host among them': [
      ...longConversation({ turns: 10 }).slice(0, -1),
      user(odd),
      ...toolRounds(20),
      REMINDER,
      ...toolRounds().slice(toolRounds(20).length),
    ],
    'a request that was made before': [
      system(),
      user('Go on.'),
      assistant('With pleasure.'),
      ...talk.slice(1),
      user('Go on.'),
    ],
  }
}

function reminded(rounds: readonly Message[]): Message[] {
  const isLast = (at: number) => rounds[at + 1]?.role !== 'tool'
  const talk = rounds.flatMap((message, at) =>
    message.role === 'tool' && isLast(at) ? [message, REMINDER] : [message],
  )
  return [...longConversation({ turns: 5 }), ...talk]
}

function longWrites(): Message[] {
  return [1, 2, 3].flatMap((number) => {
    const text = `// part ${number} \u{1F9EE} "cents" \\ 日本語\n`.repeat(60)
    return [
      callWith(`write_${number}`, JSON.stringify({ path: `src/part-${number}.ts`, text })),
      result(`write_${number}`, `wrote part ${number}`),
    ]
  })
}
