import { makeSource } from '../../src/log/source.ts'
import type { DecisionBatch } from '../../src/store/decision-store.ts'
import { asserted, job, messages, touch } from '../../src/store-tests/harness/talk.ts'

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
  const areas = ['', 'left', 'right']
  return {
    at,
    batch: {
      ...(replaces && { replaceFrom: from }),
      sources,
      events: areas.map((area, start) => {
        const event = asserted('a', said, { scope: 'project:p', edition: at, choice: { area } })
        const source = makeSource(said, { ...event.source, start })
        return { ...event, source, id: `e${String(events + start).padStart(12, '0')}` }
      }),
      artifacts: [touch(from, 0, `turn ${at}`), touch(from + 1, 0, `turn ${at}`)],
      jobs: [job('a', from, from + 2, at)],
      finished: [job('a', from - 2, from, at - 1).id],
      summary: { messages: from, prefixHash: `turn ${at}`, text: `turn ${at}` },
    },
  }
}
