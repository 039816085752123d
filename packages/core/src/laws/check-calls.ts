import { jsonText } from '../messages/json-value.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import type { Message } from '../spec/v1/message.ts'
import { checkMessage } from './check-message.ts'
import type { Violation } from './violation.ts'

/** Every call of a projection is one of the transcript, and those that were made together stay together. Linear. */
export function checkCalls(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const groups = callGroups(transcript)
  return projection.flatMap((message, index) => {
    const ids = toolCallsOf(message).map(({ id }) => id)
    const shown = new Set(ids)
    // The calls of one message mostly are one group, which is looked at once.
    const split = new Map<readonly string[] | undefined, boolean>()
    const isSplit = (group: readonly string[]): boolean => {
      const found = split.get(group) ?? !group.every((id) => shown.has(id))
      split.set(group, found)
      return found
    }
    return ids.flatMap((id): Violation[] => {
      const group = groups.get(id)
      if (group === undefined) {
        const text = `no call of the transcript has the id ${jsonText(id)}`
        return [{ law: 2, code: 'UNKNOWN_CALL_ID', index, message: text }]
      }
      if (!isSplit(group)) return []
      const text = `call ${jsonText(id)} stands without the calls that were made with it`
      return [{ law: 2, code: 'SPLIT_TRANSACTION', index, message: text }]
    })
  })
}

/** For each call of the transcript, by its id, the calls that were made together with it. */
function callGroups(transcript: readonly Message[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const message of transcript) {
    const ids = toolCallsOf(message).map(({ id }) => id)
    const isSound = ids.length > 0 && checkMessage(message).length === 0
    // Calls that had to be repaired, or an id that was used twice, say nothing about who belongs together.
    for (const id of ids) groups.set(id, isSound && !groups.has(id) ? ids : [id])
  }
  return groups
}
