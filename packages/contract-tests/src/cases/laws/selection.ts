import { freezeMessage, type Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { tokensOf } from '../../harness/compact.ts'
import { hostOf, messagesOf, plainHostOf, type Trial, trials } from '../../harness/compaction-trials.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectLawfulTwice } from '../../harness/expect-lawful.ts'
import { judge } from '../../harness/oracle.ts'
import type { PlainHost } from '../../harness/plain-host.ts'

/** A list that the engine made of a projection, or nothing when it left the projection alone. */
type Placed = (host: PlainHost, trial: Trial) => Promise<readonly Message[] | null>

/** Every list is lawful, before a compaction and after it. */
async function staysLawful(harness: Harness, placed: Placed): Promise<void> {
  const numbers = { asked: 0, placed: 0 }
  const ask = async (host: PlainHost, trial: Trial): Promise<void> => {
    // Mistakes of a compaction are the business of the cases about compactions.
    if (judge(host.projection, host.transcript).length > 0) return
    numbers.asked++
    const list = await placed(host, trial)
    if (list === null) return
    numbers.placed++
    expectLawfulTwice(list, host.transcript)
  }
  await harness.property(trials, async (trial) => {
    const host = plainHostOf(harness, trial)
    await host.say(messagesOf(trial))
    await ask(host, trial)
    await host.compact({ force: trial.force })
    await ask(host, trial)
  })
  harness.note(`${numbers.asked} projections, ${numbers.placed} of them changed`)
}

/** Frozen, as a session passes its projection. */
const projectionOf = ({ projection }: PlainHost) => Object.freeze(projection.map(freezeMessage))

/** Selection and pruning. */
export const selectionCases: readonly ContractCase[] = [
  contractCase(
    'P14',
    'the result of selectContext() is lawful and fits, on generated conversations',
    ['selection'],
    (harness) =>
      staysLawful(harness, async (host, trial) => {
        const messages = projectionOf(host)
        const budgetTokens = trial.window
        const selected = (await host.engine.selectContext({ messages, budgetTokens }))?.messages ?? null
        const { tokens } = hostOf(trial)
        const [size, most] = [
          tokensOf(selected ?? [], tokens),
          Math.max(budgetTokens, tokensOf(messages, tokens)),
        ]
        if (size > most)
          throw new Error(`selectContext() returned ${size} tokens for a budget of ${budgetTokens}`)
        return selected
      }),
  ),
  contractCase(
    'P15',
    'the result of pruneToolResults() is lawful, on generated conversations',
    ['pruning'],
    async (harness) => {
      await staysLawful(harness, async (host) => {
        const messages = projectionOf(host)
        const pruned = await host.engine.pruneToolResults(messages)
        return pruned === messages ? null : pruned
      })
    },
  ),
]
