import { jsonText } from '../messages/json-value.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import type { Message } from '../spec/v1/message.ts'
import { checkMessage } from './check-message.ts'
import type { Violation } from './violation.ts'

/**
 * Every call of a projection is one of the transcript, and those that were made together stay together. What obeys
 * costs as many messages of the transcript as lie between its ends and the calls that are shown; only a call that
 * breaks the law, or whose id was used again for other calls, takes a look at the whole.
 */
export function checkCalls(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const open = openCalls(projection, transcript)
  if (open.size === 0) return []
  const together = callGroups(transcript, open)
  return projection.flatMap((message, index) => {
    const ids = callIds(message)
    const shown = new Set(ids)
    const isWhole = once((group: readonly unknown[]) => group.every((other) => shown.has(other)))
    return ids.flatMap((id): Violation[] => {
      if (!open.has(id)) return []
      const group = together.get(id)
      if (group === undefined)
        return [
          {
            law: 2,
            code: 'UNKNOWN_CALL_ID',
            index,
            message: `no call of the transcript has the id ${jsonText(id)}`,
          },
        ]
      if (isWhole(group)) return []
      return [
        {
          law: 2,
          code: 'SPLIT_TRANSACTION',
          index,
          message: `call ${jsonText(id)} stands without the calls that were made with it`,
        },
      ]
    })
  })
}

/** The ids of a message's calls: texts, unless the host wrote something else. */
function callIds(message: Message): readonly unknown[] {
  const calls = toolCallsOf(message)
  return calls.length === 0 ? NO_IDS : calls.map(({ id }) => id)
}

const NO_IDS: readonly unknown[] = Object.freeze([])

/**
 * The ids that no message of the transcript vouches for yet. One does when it has the id and all of its calls are shown
 * wherever the id is: should the id have been used a second time, it says even less about who belongs together. The
 * search goes from both ends to the middle, because a projection shows the last messages and perhaps the first.
 */
function openCalls(
  projection: readonly Message[],
  transcript: readonly Message[],
): ReadonlyMap<unknown, ReadonlySet<unknown>> {
  const open = shownTogether(projection)
  const vouch = (message: Message | undefined): void => {
    const ids = message === undefined ? NO_IDS : callIds(message)
    if (ids.length === 0) return
    const isAll = once((shown: ReadonlySet<unknown>) => ids.every((other) => shown.has(other)))
    for (const id of ids) {
      const shown = open.get(id)
      if (shown !== undefined && isAll(shown)) open.delete(id)
    }
  }
  for (let first = 0, last = transcript.length - 1; first <= last && open.size > 0; first++, last--) {
    vouch(transcript[last])
    vouch(transcript[first])
  }
  return open
}

/** For each call of a projection the ids that stand in every message in which it stands. */
function shownTogether(projection: readonly Message[]): Map<unknown, ReadonlySet<unknown>> {
  const together = new Map<unknown, ReadonlySet<unknown>>()
  for (const message of projection) {
    const ids = callIds(message)
    if (ids.length === 0) continue
    const own = new Set(ids)
    const common = once((others: ReadonlySet<unknown>) => new Set(ids.filter((other) => others.has(other))))
    for (const id of own) {
      const others = together.get(id)
      together.set(id, others === undefined ? own : common(others))
    }
  }
  return together
}

/** The calls of the whole transcript that were made together with each of these. */
function callGroups(
  transcript: readonly Message[],
  wanted: ReadonlyMap<unknown, unknown>,
): ReadonlyMap<unknown, readonly unknown[]> {
  const together = new Map<unknown, readonly unknown[]>()
  for (const message of transcript) {
    const ids = callIds(message)
    const isSound = once((one: Message) => checkMessage(one).length === 0)
    for (const id of ids) {
      if (!wanted.has(id)) continue
      // Calls that had to be repaired, or an id that was used twice, say nothing about who belongs together.
      together.set(id, !together.has(id) && isSound(message) ? ids : [id])
    }
  }
  return together
}

/** The answer for each key, found once: the thousands of calls of one message have the same lists. */
function once<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = find(key)
    known.set(key, value)
    return value
  }
}
