import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { loadConfiguration } from '../engines/configuration.ts'
import { firstLines, printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { assertStoreThere } from '../stores/assert-store-there.ts'
import { placeOf } from '../stores/find-store-place.ts'
import { openDecisionStore } from '../stores/open-decision-store.ts'
import { isSamePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { type CopiedDecisions, copyDecisions } from './copy-decisions.ts'
import type { StoreFlags } from './with-store.ts'

/**
 * `palimpsest decisions copy`: everything of one store into another one, of all principals unless one is named. The exit
 * code is 1 when something is not the same at both ends then.
 */
export async function copy(from: string, to: string, flags: Omit<StoreFlags, 'store'>): Promise<number> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const place = (named: string, option: string) => placeOf(named, option, process.cwd(), configuration)
  const [source, target] = [place(from, 'the first store'), place(to, 'the second store')]
  if (isSamePlace(source, target))
    throw new UsageError(`both are ${source.name}; name another store to copy into`)
  const store = await openDecisionStore(source, 'read')
  try {
    await assertStoreThere(source, store, 'the first argument is where the decisions are')
    const { principal } = flags
    const infos = await store.list(principal === undefined ? {} : { principal })
    if (infos.length === 0)
      throw new UsageError(
        `${source.name} shows no session${principal === undefined ? '' : ` of the principal "${printable(principal)}"`}`,
      )
    const destination = await openDecisionStore(target, 'create')
    try {
      // The one written to last is listed first, and is to stay it.
      const oldest = infos.toReversed()
      const total = infos.reduce((sum, { messages }) => sum + messages, 0)
      const copied = await withProgress('copying', 'messages', (onProgress) =>
        copyDecisions(store, destination, oldest, (done) => onProgress(done, total)),
      )
      const ends = { from: source.name, to: target.name }
      if (flags.json) printJson({ ok: copied.differences.length === 0, ...ends, ...copied })
      else printLines(`${ends.from} → ${ends.to}`, ...told(copied))
      return copied.differences.length === 0 ? 0 : EXIT_FOUND
    } finally {
      await destination.close()
    }
  } finally {
    await store.close()
  }
}

function told({ sessions, messages, events, written, differences }: CopiedDecisions): string[] {
  const shown = differences.map(({ principal, session, reason }) => {
    const about =
      session === undefined ? printable(principal) : `${printable(session)} (of ${printable(principal)})`
    return `${colors.red('different')}  ${about}: ${reason}`
  })
  const same = [counted(sessions, 'session'), counted(messages, 'message'), counted(events, 'event')].join(
    ', ',
  )
  const proof = `the same in both stores: ${same}`
  return [
    ...firstLines(shown),
    `${counted(written.messages, 'new message')}, ${counted(written.events, 'new event')}`,
    differences.length === 0
      ? colors.green(proof)
      : colors.red(`${counted(differences.length, 'difference')}; ${proof}`),
  ]
}
