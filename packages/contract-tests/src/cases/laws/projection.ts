import { checkSequence, type Message } from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { compact } from '../../harness/compact.ts'
import { messagesOf, plainHostOf, type Trial } from '../../harness/compaction-trials.ts'
import { longConversation, toolRounds, user } from '../../harness/conversations.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectLawful } from '../../harness/expect-lawful.ts'
import { brokenConversation } from '../../harness/generated-conversations.ts'
import type { Aspect } from '../../harness/oracle.ts'
import { createPlainHost, halves } from '../../harness/plain-host.ts'
import { unlessRefused } from '../../harness/settle.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'

/** A claim about each projection of a history. */
type Claim = (projection: readonly Message[], history: readonly Message[]) => void

/** Law 2, as aspects of the oracle. */
const SEQUENCE: readonly Aspect[] = [
  'roles',
  'single system',
  'results',
  'calls',
  'groups',
  'arguments',
  'ids',
  'neighbours',
]

const isSequence: Claim = (projection, history) => expectLawful(projection, history, SEQUENCE)
const keepsSystemPrompt: Claim = (projection, history) => expectLawful(projection, history, ['system'])
const keepsLastUser: Claim = (projection, history) => expectLawful(projection, history, ['last user'])

/** A conversation that has to be compacted in its middle, and again at its end. */
async function holdsTwice(harness: Harness, claim: Claim): Promise<void> {
  const host = createPlainHost(harness.create())
  for (const part of halves(longConversation({ turns: 80 }))) {
    await host.say(part)
    await host.mustCompact()
    claim(host.projection, host.transcript)
  }
}

/** The same for generated conversations, as far as the engine finds anything to compact in them. */
const holdsInTrials = (harness: Harness, claim: Claim): Promise<void> =>
  tryCompactions(harness, async (trial: Trial) => {
    const host = plainHostOf(harness, trial)
    for (const part of halves(messagesOf(trial))) {
      await host.say(part)
      await host.compact({ force: trial.force })
      claim(host.projection, host.transcript)
    }
    return host.compactions > 0
  })

/** False when the engine refused the list with a code. */
async function isMended(harness: Harness, messages: readonly Message[], window: number): Promise<boolean> {
  const engine = harness.create({ contextLength: window, maxOutputTokens: 0 })
  const result = await unlessRefused(() => compact(engine, messages))
  if (result === undefined) return false
  const [fault] = result.outcome === 'compacted' ? checkSequence(result.messages, { inFlight: true }) : []
  if (fault !== undefined)
    throw new Error(`a broken list was compacted to another one: ${fault.message} (at ${fault.index})`)
  return true
}

/** Laws 2, 3 and 4. */
export const projectionCases: readonly ContractCase[] = [
  contractCase('L02', 'law 2: a projection is a valid sequence of messages', (harness) =>
    holdsTwice(harness, isSequence),
  ),
  contractCase('P02', 'law 2 on generated conversations, valid and broken ones', async (harness) => {
    await holdsInTrials(harness, isSequence)
    let refused = 0
    const broken = fc.record({ messages: brokenConversation(), window: fc.constantFrom(40, 600, 8_000) })
    await harness.property(broken, async ({ messages, window }) => {
      if (!(await isMended(harness, messages, window))) refused++
    })
    harness.note(`broken conversations: ${refused} refused with a code, the others mended or left alone`)
  }),
  contractCase('L03', 'law 3: the system prompt keeps its text, and gets a note at most once', (harness) =>
    holdsTwice(harness, keepsSystemPrompt),
  ),
  contractCase('P03', 'law 3 on generated conversations', (harness) =>
    holdsInTrials(harness, keepsSystemPrompt),
  ),
  contractCase(
    'L04',
    'law 4: the last user message is kept verbatim, however far back it stands',
    async (harness) => {
      const request = user('Fix every file that counts in floats, and do not touch the tests.  Please!\n')
      const host = createPlainHost(harness.create())
      await host.say([...longConversation({ turns: 15 }).slice(0, -1), request, ...toolRounds(40)])
      await host.mustCompact()
      keepsLastUser(host.projection, host.transcript)
    },
  ),
  contractCase('P04', 'law 4 on generated conversations', (harness) => holdsInTrials(harness, keepsLastUser)),
]
