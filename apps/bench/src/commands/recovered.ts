import type { Kept } from '../kept/kept-in.ts'
import { KEPT_MEASURES } from '../kept/run-kept.ts'
import type { RecoveredRow } from '../recovered/run-recovered.ts'
import { madeBy, percent, whole } from '../report/format.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import { mean } from '../speed/time.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions } from './options.ts'

export const recovered = defineMeasure<readonly RecoveredRow[], { readonly data?: string }>({
  description: "what an agent's own compaction loses, and what the hook gives back",
  options: [DATA],
  async run({ data }, { root }) {
    const { createTokenCounter } = await import('@palimpsest/tokens')
    const { runRecovered } = await import('../recovered/run-recovered.ts')
    const { sessions } = await openSessions(data, root)
    return runRecovered(sessions, createTokenCounter())
  },
  sections: (rows, { command }) => recoveredSections(rows, command),
  page: recoveredSections,
})

const READING =
  'Shares of all cases; what counts as kept is said for `bench kept`. Tokens: the mean beyond the summary, and of one answer ' +
  'of a search. A search asks for the name, for both names, or for the first 30 characters, and is right when a snippet of ' +
  'its first page shows the case.'

function recoveredSections(rows: readonly RecoveredRow[], command: string): Section[] {
  const count = rows[0]?.compactions.length ?? 0
  return [
    {
      level: 2,
      title: "What an agent's own compaction loses",
      text: [
        `${madeBy(command)} Compactions that recorded agents did by themselves: ${whole(count)}. ${READING}`,
      ],
      table: tableOf(rows, [
        left('what the model sees', ({ arm }) => arm),
        right('tokens', ({ compactions }) => whole(mean(compactions.map(({ tokens }) => tokens)))),
        ...(Object.keys(KEPT_MEASURES) as (keyof Kept)[]).map((key) =>
          right(KEPT_MEASURES[key].name, (row: RecoveredRow) => share(row, key)),
        ),
      ]),
    },
  ]
}

function share({ compactions }: RecoveredRow, key: keyof Kept): string {
  const cases = compactions.flatMap(({ kept }) => kept[key])
  return `${percent(mean(cases), 0)} of ${whole(cases.length)}`
}
