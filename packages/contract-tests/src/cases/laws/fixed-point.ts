import { type ContractCase, contractCase } from '../../contract-case.ts'
import { messagesOf, plainHostOf } from '../../harness/compaction-trials.ts'
import { longConversation } from '../../harness/conversations.ts'
import { expectSame } from '../../harness/difference.ts'
import { createPlainHost, type PlainHost } from '../../harness/plain-host.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'

/** Compacts again what was compacted just now. */
async function changesNothingAgain(host: PlainHost, force: boolean): Promise<void> {
  const before = host.projection
  await host.compact({ force })
  expectSame(host.projection, before, 'a second compaction without new messages changed the projection')
}

/** Law 8. */
export const fixedPointCases: readonly ContractCase[] = [
  contractCase('L08', 'law 8: a second compaction without new messages changes nothing', async (harness) => {
    const host = createPlainHost(harness.create())
    await host.say(longConversation())
    await host.mustCompact()
    await changesNothingAgain(host, true)
  }),
  contractCase('P08', 'law 8 on generated conversations, with force and without', (harness) =>
    tryCompactions(harness, async (trial) => {
      const host = plainHostOf(harness, trial)
      await host.say(messagesOf(trial))
      await host.compact({ force: trial.force })
      if (host.compactions > 0) await changesNothingAgain(host, trial.force)
      return host.compactions > 0
    }),
  ),
]
