import { makeSource } from '../../src/log/source.ts'
import type { DecisionBatch } from '../../src/store/decision-store.ts'
import { asserted, job, messages } from '../../src/store-tests/talk.ts'

/** Events of each turn: a turn that is there in part shows in their number. */
export const EVENTS_OF_TURN = 3

/**
 * The batch of the turn behind what is stored: everything that a batch can have, and in each third turn a replacement of
 * the turn before. Its number, from 1, stands in all of it and is its time.
 */
export function turnBatch(
  count: number,
  events: number,
): { readonly at: number; readonly batch: DecisionBatch } {
  const at = events / EVENTS_OF_TURN + 1
  const replaces = at % 3 === 0 && count >= 2
  const from = replaces ? count - 2 : count
  const sources = messages(from, `turn ${at} 漢字\0`, `turn ${at} \ud83d`)
  const [said] = sources
  if (said === undefined) throw new Error('a turn has messages')
  const subjects = ['all', 'left', 'right']
  return {
    at,
    batch: {
      ...(replaces && { replaceFrom: from }),
      sources,
      events: subjects.map((subject, start) => {
        const event = asserted('a', said, { scope: 'project:p', statement: { subject } })
        const { end } = event.source
        const source = makeSource({ message: said, start, end }, { ...event.source, edition: at })
        return { ...event, source, id: `e${String(events + start).padStart(12, '0')}` }
      }),
      jobs: [job('a', from, from + 2, at)],
      finished: [job('a', from - 2, from, at - 1).id],
    },
  }
}
