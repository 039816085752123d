import type { RecordedCacheReport } from '@palimpsest/prompt-caching'
import Table from 'cli-table3'
import type { RecordedResult } from './measure-recorded.ts'
import { percent } from './units.ts'

/** What each kind of difference can be put down to. */
const EXPLANATIONS: Readonly<Record<keyof RecordedCacheReport['misses'], string>> = {
  nothingRead:
    'nothing was read within the lifetime, not even the system prompt: the prompt began differently, such as with another time in the system prompt after the host was started again, or the provider had dropped the entry; a recording without tools and system prompt cannot tell which',
  headOnly:
    'tools and system prompt were read and no message: an earlier message was another one than the recording says, such as with a note that the host puts in and takes out; or, behind a compaction of the host, tools and system prompt are smaller than the first request made them look',
  moreRead:
    'more was read than the simulator had written: another session wrote the same beginning, or the entry lived longer than promised',
  other: 'a part was read that no breakpoint of the plan explains',
}

/** A line for each recording, and one for each kind of difference that occurred. */
export function renderRecorded(recorded: RecordedResult | null): string {
  if (recorded === null)
    return 'Recorded sessions: none. --data <folder> compares the simulator with what providers reported.'
  const table = new Table({
    head: ['recorded session', 'rules of', 'requests', 'reads', 'writes', 'reads by our counts', 'differ'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'left'],
  })
  const kinds = new Set<keyof typeof EXPLANATIONS>()
  for (const { file, model, report } of recorded.rows) {
    if (report === null) {
      table.push([file, model, 0, '–', '–', '–', 'fewer than two answers say what was read'])
      continue
    }
    const { requests, medianReadError, medianWriteError, medianCountedError, misses } = report
    const found = (Object.keys(EXPLANATIONS) as (keyof typeof EXPLANATIONS)[]).filter(
      (kind) => misses[kind] > 0,
    )
    for (const kind of found) kinds.add(kind)
    table.push([
      file,
      model,
      requests,
      percent(medianReadError, 3),
      percent(medianWriteError, 3),
      percent(medianCountedError, 3),
      found.map((kind) => `${kind} ${misses[kind]}`).join(', ') || 'none',
    ])
  }
  return [
    'Simulated reads and writes against those that providers reported: median difference, as a share of the prompt. A request differs when it is off by more than 1 %.',
    table.toString(),
    ...[...kinds].map((kind) => `${kind}: ${EXPLANATIONS[kind]}.`),
    ...recorded.skipped.map(({ file, reason }) => `${file} was skipped: ${reason}`),
  ].join('\n')
}
