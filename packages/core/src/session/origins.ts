import { equalValues } from '../messages/json-value.ts'
import { isBridge, isSummary } from '../messages/summary.ts'
import type { Message, MessageRange, Origin } from '../spec/v1/index.ts'
import type { SessionLog } from './conversation-log.ts'

/**
 * Finds the origin of each message of a projection. A summary covers the hidden messages; each of several summaries
 * covers those after the messages shown before it.
 */
export function originsOf(
  log: Pick<SessionLog, 'messages' | 'indexOf'>,
  messages: readonly Message[],
  by: (message: Message) => string,
): readonly Origin[] {
  const places = messages.map((message) => log.indexOf(message))
  const of = rangesOf(messages, places, log.messages.length)
  return Object.freeze(
    messages.map((message, at): Origin => {
      const index = places[at] as number
      if (index !== -1) return { from: 'transcript', index, whole: equalValues(log.messages[index], message) }
      const ranges = of.get(at)
      if (ranges !== undefined || isBridge(message)) return { from: 'summary', of: ranges ?? [] }
      return { from: 'note', by: by(message) }
    }),
  )
}

function rangesOf(
  messages: readonly Message[],
  places: readonly number[],
  length: number,
): ReadonlyMap<number, readonly MessageRange[]> {
  const of = new Map<number, MessageRange[]>()
  const summaries: { readonly at: number; readonly after: number }[] = []
  let after = -1
  for (const [at, place] of places.entries()) {
    after = Math.max(after, place)
    if (place !== -1 || !isSummary(messages[at] as Message)) continue
    summaries.push({ at, after })
    of.set(at, [])
  }
  const [first] = summaries
  if (first === undefined) return of
  const shown = [...new Set([-1, ...places, length])].sort((one, other) => one - other)
  for (const [index, next] of shown.entries()) {
    const range = { first: (shown[index - 1] ?? next) + 1, last: next - 1 }
    if (index === 0 || range.first > range.last) continue
    const { at } = summaries.findLast((summary) => summary.after < range.first) ?? first
    of.get(at)?.push(range)
  }
  return of
}
