import type { CompressResult, Message } from '@palimpsest/core'
import type { ContractCase } from '../../contract-case.ts'
import type { ContractHost } from '../../contract-target.ts'
import { hostOf, messagesOf } from '../../harness/compaction-trials.ts'
import { longConversation } from '../../harness/conversations.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectSame } from '../../harness/difference.ts'
import { createPlainHost, halves } from '../../harness/plain-host.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'
import { withChance } from '../../harness/with-chance.ts'

const since = '0.1.0'

interface Run {
  readonly harness: Harness
  readonly host: () => Partial<ContractHost>
  readonly messages: readonly Message[]
  readonly force: boolean
}

/** Compacts twice on equal hosts, in a world whose clock and dice differ. Says whether anything was compacted. */
async function isRepeatable(run: Run): Promise<boolean> {
  const first = await withChance({ now: Date.UTC(2024, 1, 29), dice: 0 }, () => compactions(run))
  const second = await withChance({ now: Date.UTC(2031, 6, 4, 13), dice: 0.999 }, () => compactions(run))
  expectSame(
    second,
    first,
    'the same input on an equal host gave another result; time comes from host.clock, ids and choices from the input',
  )
  return first.some(({ outcome }) => outcome === 'compacted')
}

async function compactions({ harness, host, messages, force }: Run): Promise<CompressResult[]> {
  const parts = host()
  const plain = createPlainHost(harness.create(parts), parts.tokens)
  const results: CompressResult[] = []
  for (const part of halves(messages)) {
    await plain.say(part)
    results.push(await plain.compact({ force }))
  }
  return results
}

export const determinismLaw: ContractCase = {
  id: 'L11',
  title: 'law 11: the same input gives the same output, whatever the time and the dice',
  since,
  async run(harness) {
    const run = { harness, host: () => ({}), messages: longConversation(), force: true }
    if (!(await isRepeatable(run))) throw new Error('nothing was compacted')
  },
}

export const determinismProperty: ContractCase = {
  id: 'P11',
  title: 'law 11 on generated conversations',
  since,
  run: (harness) =>
    tryCompactions(harness, (trial) =>
      isRepeatable({
        harness,
        host: () => hostOf(trial),
        messages: messagesOf(trial),
        force: trial.force,
      }),
    ),
}
