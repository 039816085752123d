import { rangeRef, summaryRef, undoCompaction } from '@palimpsest/lcm'
import { counted } from '../count.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { withStore } from './with-store.ts'

/** `palimpsest lcm undo`: takes back the last compaction. */
export async function undo(flags: SessionFlags): Promise<number> {
  return withStore(flags, 'write', async (opened) => {
    const session = await chooseSession(opened, flags.session)
    const before = await session.frontier()
    const { version, nodes } = await undoCompaction(session, { at: Date.now() })
    const summaries = nodes.map(({ number }) => summaryRef(number))
    const covered = before.nodes.at(-1)?.last ?? -1
    const first = (nodes.at(-1)?.last ?? (before.nodes[0]?.first ?? 0) - 1) + 1
    const shown = first <= covered ? rangeRef(first, covered) : null
    if (flags.json) printJson({ session: session.key, version, summaries, shown })
    else
      printLines(
        `${printable(session.key)}: the last compaction is taken back; version ${version} has ` +
          `${counted(summaries.length, 'summary', 'summaries')}${shown === null ? '' : `, and ${shown} is shown word for word again`}.`,
      )
    return 0
  })
}
