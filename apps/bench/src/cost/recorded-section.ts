import type { RecordedCacheReport } from '@palimpsest/prompt-caching'
import { NOTHING, percent, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
import type { RecordedResult } from './measure-recorded.ts'

type Miss = keyof RecordedCacheReport['misses']

/** What each kind of difference can be put down to. */
const EXPLANATIONS: Readonly<Record<Miss, string>> = {
  nothingRead:
    'nothing was read within the lifetime, not even the system prompt: the prompt began differently, such as with another time in the system prompt after the host was started again, or the provider had dropped the entry; a recording without tools and system prompt cannot tell which',
  headOnly:
    'tools and system prompt were read and no message: an earlier message was another one than the recording says, such as with a note that the host puts in and takes out; or, behind a compaction of the host, tools and system prompt are smaller than the first request made them look',
  moreRead:
    'more was read than the simulator had written: another session wrote the same beginning, or the entry lived longer than promised',
  other: 'a part was read that no breakpoint of the plan explains',
}
const KINDS = Object.keys(EXPLANATIONS) as Miss[]

/** What the simulator says that a provider read and wrote, beside what recordings say. */
export function recordedSection({ rows, skipped }: RecordedResult): Section {
  const occurred = KINDS.filter((kind) => rows.some(({ report }) => (report?.misses[kind] ?? 0) > 0))
  return {
    level: 3,
    title: 'The simulator beside what providers reported',
    text: [
      'Median difference of reads and writes per request, as a share of the prompt, where a recording says what was read; by recorded sizes, and the reads also by our counts. A request differs when it is off by more than 1 %.',
      ...occurred.map((kind) => `${kind}: ${EXPLANATIONS[kind]}.`),
      ...skipped.map(({ file, reason }) => `\`${file}\` was skipped: ${reason}`),
    ],
    table: {
      columns: [
        ...['session', 'rules of'].map(left),
        ...['requests', 'reads', 'writes', 'reads by our counts'].map(right),
        left('differ'),
      ],
      rows: rows.map(({ file, model, report }) =>
        report === null
          ? [file, model, '0', NOTHING, NOTHING, NOTHING, 'fewer than two answers say what was read']
          : [
              file,
              model,
              whole(report.requests),
              percent(report.medianReadError, 3),
              percent(report.medianWriteError, 3),
              percent(report.medianCountedError, 3),
              KINDS.filter((kind) => report.misses[kind] > 0)
                .map((kind) => `${kind} ${report.misses[kind]}`)
                .join(', ') || 'none',
            ],
      ),
    },
  }
}
