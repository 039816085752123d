import { deepEqual, equal, ok } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact, mustCompact, tokensOf, warnsAsWell } from '../harness/compact.ts'
import {
  assistant,
  calls,
  continuation,
  longConversation,
  once,
  REMINDER,
  result,
  system,
  toolRounds,
  user,
} from '../harness/conversations.ts'
import type { Harness } from '../harness/create-harness.ts'
import { eachInput } from '../harness/each-input.ts'
import { expectLawful, expectLawfulOf, expectNoNewFaults } from '../harness/expect-lawful.ts'
import type { Aspect } from '../harness/oracle.ts'
import { createPlainHost } from '../harness/plain-host.ts'

/** The list of messages that comes out of a compaction. */
export const sequenceCases: readonly ContractCase[] = [
  contractCase('C15', 'returns messages of the known roles', (harness) => expectLawfulOf(harness, 'roles')),
  contractCase(
    'C16',
    'keeps the system prompt first and its text whole, with one note behind it at most',
    (harness) => expectTwice(harness, 'system'),
  ),
  contractCase('C17', 'adds no second system prompt', (harness) => expectLawfulOf(harness, 'single system')),
  contractCase('C18', 'puts no two user or assistant turns in a row that were apart', async (harness) => {
    await expectTwice(harness, 'neighbours')
    await expectLawfulOf(harness, 'neighbours', shapes())
  }),
  contractCase('C19', 'keeps the last user message verbatim', (harness) =>
    expectLawfulOf(harness, 'last user', requests()),
  ),
  contractCase(
    'C20',
    'keeps small tool results that the model has not answered yet, the last of them last',
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
  contractCase('C21', 'keeps the kept messages in their order', (harness) => expectTwice(harness, 'order')),
  contractCase(
    'C22',
    'calls a result compacted only if it has fewer tokens, and reports the sizes and the first change truly',
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
  contractCase('C23', 'leaves a short conversation as it is', async (harness) => {
    const history = [system(), user('Hi.'), assistant('Hello.'), user('What is in src?')]
    const outcome = await compact(harness.create(), history, { force: false })
    equal(outcome.outcome, 'unchanged', `the outcome for 4 messages, ${tokensOf(history)} tokens`)
    deepEqual(outcome.messages, history, 'an outcome that is not compacted has the messages of the call')
  }),
  contractCase(
    'C24',
    'has nothing to do for an empty list, a system prompt alone and a single question',
    async (harness) => {
      const inputs = {
        'no messages': [],
        'a system prompt': [system()],
        'a question': [user('Hi.')],
        'a system prompt and a question': [system(), user('Hi.')],
      }
      await eachInput<readonly Message[]>(inputs, async (history) => {
        const { outcome, messages } = await compact(harness.create(), history)
        deepEqual({ outcome, messages }, { outcome: 'unchanged', messages: history })
      })
    },
  ),
  contractCase(
    'C83',
    'comes down to the target of a call, or says in a warning that it cannot',
    async (harness) => {
      const usual = await mustCompact(harness.create(), longConversation())
      const asked = { targetTokens: TARGET_TOKENS }
      const made = await mustCompact(harness.create(), longConversation(), asked)
      const size = tokensOf(made.messages)
      ok(
        size <= TARGET_TOKENS || warnsAsWell(made, usual),
        `with a target of ${TARGET_TOKENS} tokens, as after a prompt that was refused, ${size} are left and no warning says so`,
      )
    },
  ),
  contractCase('C25', 'terminates with a message that is far larger than the window', async (harness) => {
    const talk = longConversation()
    const usual = { projection: (await compact(harness.create(), talk)).messages, history: talk }
    await eachInput(hugeMessages(), async (history) => {
      const host = createPlainHost(harness.create())
      await host.say(history)
      for (let round = 1; round <= 3; round++) {
        const before = tokensOf(host.projection)
        await host.compact({ force: true })
        const after = tokensOf(host.projection)
        ok(after <= before, `compaction ${round} made ${after} tokens of ${before}`)
        expectNoNewFaults({ projection: host.projection, history }, usual, ['last user', 'results', 'calls'])
      }
    })
  }),
]

/** Half of what a model takes whose window is smaller than it was thought to be, in tokens. */
const TARGET_TOKENS = 3_500

/** Compacts a long conversation, lets it go on, compacts again, and judges both projections. */
async function expectTwice(harness: Harness, aspect: Aspect): Promise<void> {
  const host = createPlainHost(harness.create())
  for (const part of [longConversation(), continuation(41)]) {
    await host.say(part)
    await host.mustCompact()
    expectLawful(host.projection, host.transcript, [aspect])
  }
}

/** Long conversations by what stands at their beginning and at their end. */
function shapes(): Record<string, Message[]> {
  return {
    'no system prompt': longConversation().slice(1),
    'an answer at the end': longConversation().slice(0, -1),
    'one question and many tool rounds': [system(), user('Read everything.'), ...toolRounds()],
    'a reminder of the host behind each tool round': reminded(toolRounds(30)),
    'a reminder of the host before each tool round': reminded(toolRounds(30)).slice(0, -1),
  }
}

/** A question and many tool rounds, each with a reminder behind it. */
function reminded(rounds: readonly Message[]): Message[] {
  const isLast = (at: number) => rounds[at + 1]?.role !== 'tool'
  const talk = rounds.flatMap((message, at) =>
    message.role === 'tool' && isLast(at) ? [message, REMINDER] : [message],
  )
  return [...longConversation({ turns: 5 }), ...talk]
}

/** Long conversations by their last user message and what stands behind it. */
function requests(): Record<string, Message[]> {
  const talk = longConversation().slice(0, -1)
  const odd = `  Please:\n\n\t1. ${'count again, in cents; '.repeat(80)}\n2. say "done" \u{1F9EE}\n\n`
  return {
    'a short request at the end': longConversation(),
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

/** Conversations with one message of three times the window, by where it stands. */
function hugeMessages(): Record<string, readonly Message[]> {
  const huge = 'The ledger counts in cents, line after line. '.repeat(4_500)
  const kinds = {
    'a huge request': () => [system(), user(huge)],
    'a huge answer': () => [system(), user('Read it all.'), assistant(huge), user('And now?')],
    'a huge tool result at the end': () => [...longConversation(), calls('huge'), result('huge', huge)],
  }
  return Object.fromEntries(Object.entries(kinds).map(([kind, make]) => [kind, once(kind, make)]))
}
