import { equalValues } from '../messages/equal-values.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import { jsonText } from '../messages/json-value.ts'
import { messageText, toolCallsOf } from '../messages/message-text.ts'
import { isSummary } from '../messages/summary-marker.ts'
import type { AssistantMessage, Message, UserMessage } from '../spec/message.ts'
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
    ...checkIds(projection, transcript),
    ...checkAdjacentTurns(projection, [transcript, options.before ?? []]),
    ...checkSystem(projection, transcript),
    ...checkLastUser(projection, transcript),
  ]
}

function checkIds(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const ids = new Set(transcript.flatMap((message) => toolCallsOf(message).map((call) => call.id)))
  return projection.flatMap((message, index) =>
    toolCallsOf(message)
      .filter((call) => !ids.has(call.id))
      .map(
        ({ id }): Violation => ({
          law: 2,
          code: 'UNKNOWN_CALL_ID',
          index,
          message: `no call of the transcript has the id ${jsonText(id)}`,
        }),
      ),
  )
}

/** Roles of which two in a row are an error for some providers. */
function isTurn(message: Message | undefined): message is UserMessage | AssistantMessage {
  return message?.role === 'user' || message?.role === 'assistant'
}

function checkAdjacentTurns(
  projection: readonly Message[],
  sources: readonly (readonly Message[])[],
): Violation[] {
  const violations: Violation[] = []
  let allowed: Set<string> | undefined
  for (let index = 1; index < projection.length; index++) {
    const previous = projection[index - 1]
    const message = projection[index]
    if (!isTurn(previous) || !isTurn(message) || previous.role !== message.role) continue
    allowed ??= new Set(sources.flatMap(adjacentPairs))
    if (allowed.has(pairKey(previous, message))) continue
    violations.push({
      law: 2,
      code: 'ADJACENT_TURNS',
      index,
      message: `two ${message.role} turns in a row that were apart`,
    })
  }
  return violations
}

function adjacentPairs(messages: readonly Message[]): string[] {
  return messages.flatMap((message, index) => {
    const previous = messages[index - 1]
    return isTurn(previous) && isTurn(message) && previous.role === message.role
      ? [pairKey(previous, message)]
      : []
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
  const note = messageText(system).slice(text.length)
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

/** Shorter texts, such as a line of dashes, may repeat themselves by nature. */
const SHORTEST_NOTE_CHARACTERS = 8

/** True for a text that is another text several times over, white space between or not. */
function isRepeated(note: string): boolean {
  const text = note.replace(/\s+/g, '')
  const period = (text + text).indexOf(text, 1)
  return period < text.length && period >= SHORTEST_NOTE_CHARACTERS
}

function checkLastUser(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const source = transcript.findLast(
    (message) => isUser(message) && !isSummary(message) && checkMessage(message).length === 0,
  )
  if (source === undefined) return []
  if (isLastOfItsKind(source, projection, transcript)) return []
  return [
    {
      law: 4,
      code: 'LAST_USER_CHANGED',
      index: projection.length,
      message: 'the last user message is not there verbatim',
    },
  ]
}

/**
 * Whether the projection holds the message behind every other message that the user wrote: when the user said the
 * same before, the earlier message must not stand for the last one.
 */
function isLastOfItsKind(
  source: Message,
  projection: readonly Message[],
  transcript: readonly Message[],
): boolean {
  let written: Set<string> | undefined
  for (let index = projection.length - 1; index >= 0; index--) {
    const message = projection[index]
    if (message?.role !== 'user') continue
    if (equalValues(message.content, source.content)) return true
    written ??= new Set(transcript.filter(isUser).map(({ content }) => jsonText(content)))
    if (written.has(jsonText(message.content))) return false
  }
  return false
}

function isUser(message: Message): message is UserMessage {
  return message?.role === 'user'
}
