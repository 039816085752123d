import { equalValues } from '../messages/equal-values.ts'
import { isInstruction, leadingInstructions, mergeInstructions } from '../messages/instructions.ts'
import { jsonText } from '../messages/json-value.ts'
import { messageText, toolCallsOf } from '../messages/message-text.ts'
import { isSpoken, toUserMessage } from '../messages/own-words.ts'
import { isSummary } from '../messages/summary-marker.ts'
import type { Message, SystemMessage } from '../spec/v1/message.ts'
import { checkMessage } from './check-message.ts'
import { checkSequence, type SequenceOptions } from './check-sequence.ts'
import type { Violation } from './violation.ts'

export interface ProjectionOptions extends SequenceOptions {
  /** The projection that this one was made from, if there is one: what was in a row there may stay so. */
  readonly before?: readonly Message[]
}

/**
 * The laws that compare a projection with the transcript it was made from: 2 (a valid sequence that adds no
 * two turns of one role in a row, ids unchanged), 3 (system prompt kept, one note at most) and 4 (the last
 * user message verbatim). Linear in both lists.
 */
export function checkProjection(
  projection: readonly Message[],
  transcript: readonly Message[],
  options: ProjectionOptions = {},
): Violation[] {
  const violations = checkSequence(projection, options)
  if (violations.some(({ code }) => code === 'NOT_A_MESSAGE')) return violations
  return [
    ...violations,
    ...checkCalls(projection, transcript),
    ...checkAdjacentTurns(projection, [options.before ?? [], transcript]),
    ...checkSystem(projection, transcript),
    ...checkLastUser(projection, transcript),
  ]
}

/** `sources`: where turns may have been in a row already. */
function checkAdjacentTurns(
  projection: readonly Message[],
  sources: readonly (readonly Message[])[],
): Violation[] {
  const pairs = adjacentTurns(projection)
  if (pairs.length === 0) return []
  const allowed = new Set(sources.flatMap((source) => adjacentTurns(source).map(({ key }) => key)))
  return pairs
    .filter(({ key }) => !allowed.has(key))
    .map(({ index }) => ({
      law: 2,
      code: 'ADJACENT_TURNS',
      index,
      message: `two ${projection[index]?.role} turns in a row that were apart`,
    }))
}

/** Pairs of messages in a row that have one role of which some providers take one at a time; `index`: of the second. */
function adjacentTurns(messages: readonly Message[]): { readonly index: number; readonly key: string }[] {
  return messages.flatMap((message, index) => {
    const previous = messages[index - 1]
    const isTurn = message?.role === 'user' || message?.role === 'assistant'
    if (!isTurn || previous?.role !== message.role) return []
    return [{ index, key: pairKey(previous, message) }]
  })
}

function pairKey(previous: Message, message: Message): string {
  return `${message.role}\u0000${messageText(previous)}\u0000${messageText(message)}`
}

function checkSystem(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const source = transcript[0]
  if (!isInstruction(source) || checkMessage(source).length > 0) return []
  const system = projection[0]
  const text = messageText(source)
  if (!isInstruction(system) || !messageText(system).startsWith(text)) {
    return [
      { law: 3, code: 'SYSTEM_CHANGED', index: 0, message: 'the text of the system prompt was not kept' },
    ]
  }
  // A host's several system prompts are sent as one; what stands behind all of them is the engine's.
  const joined = messageText(mergeInstructions(source, otherInstructions(transcript)))
  const whole = messageText(system)
  const note = whole.slice(whole.startsWith(joined) ? joined.length : text.length)
  if (!isRepeated(note)) return []
  return [
    {
      law: 3,
      code: 'NOTE_REPEATED',
      index: 0,
      message: 'the note behind the system prompt stands there twice',
    },
  ]
}

/** The valid system prompts behind the first one. */
function otherInstructions(transcript: readonly Message[]): SystemMessage[] {
  const leading = transcript.slice(1, leadingInstructions(transcript)) as SystemMessage[]
  return leading.filter((message) => checkMessage(message).length === 0)
}

/** Shorter texts, such as a line of dashes, may repeat themselves by nature. */
const SHORTEST_NOTE_CHARACTERS = 8

/** True for a text that is another text several times over, white space between or not. */
function isRepeated(note: string): boolean {
  const text = note.replace(/\s+/g, '')
  const period = (text + text).indexOf(text, 1)
  return period < text.length && period >= SHORTEST_NOTE_CHARACTERS
}

/**
 * The last message in which the user says something, or the last one in the user's role: an engine that does not know
 * what hosts insert keeps that one.
 */
function checkLastUser(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const lead = leadingInstructions(transcript)
  const isLater = (message: Message, index: number) =>
    index >= lead && isInstruction(message) && checkMessage(message).length === 0
  const spoken = transcript.findLastIndex((message) => isWritten(message) && isSpoken(message))
  if (spoken === -1 || isKeptLast(projection, transcript, spoken)) return []
  const last = transcript.findLastIndex((message, index) => isWritten(message) || isLater(message, index))
  if (last !== spoken && isKeptLast(projection, transcript, last)) return []
  return [
    {
      law: 4,
      code: 'LAST_USER_CHANGED',
      index: projection.length,
      message: 'the last user message is not there verbatim',
    },
  ]
}

function isKeptLast(projection: readonly Message[], transcript: readonly Message[], at: number): boolean {
  const source = transcript[at]
  const { content } = isInstruction(source) ? toUserMessage(source) : (source as Message)
  const isSame = (message: Message) => message.role === 'user' && equalValues(message.content, content)
  const kept = projection.findLastIndex(isSame)
  return kept !== -1 && !isFollowedByEarlier(projection.slice(kept + 1), transcript, at)
}

/**
 * Whether an earlier message of the user stands behind the one that was found: then the user said the same twice,
 * and what was found is the first time. User messages that had to be repaired may look like earlier ones.
 */
function isFollowedByEarlier(
  rest: readonly Message[],
  transcript: readonly Message[],
  lastUser: number,
): boolean {
  const behind = rest.filter(({ role }) => role === 'user')
  if (behind.length === 0 || transcript.slice(lastUser + 1).some((message) => message?.role === 'user'))
    return false
  const earlier = new Set(transcript.filter(isWritten).map(({ content }) => jsonText(content)))
  return behind.some(({ content }) => earlier.has(jsonText(content)))
}

/** True for the user's own message: no summary, and nothing that had to be repaired. */
function isWritten(message: Message): boolean {
  return message?.role === 'user' && !isSummary(message) && checkMessage(message).length === 0
}

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
