import { countMessages } from '../budget/count-tokens.ts'
import {
  isInstruction,
  isSpoken,
  leadingInstructions,
  mergeInstructions,
  toUserMessage,
} from '../messages/instructions.ts'
import { changedFrom, equalValues, isDeepFrozen, jsonText } from '../messages/json-value.ts'
import { messageText, toolCallsOf } from '../messages/message-parts.ts'
import { isSummary } from '../messages/summary.ts'
import type { CompressResult, Message, SystemMessage, TokenCounter } from '../spec/v1/index.ts'
import {
  checkMessage,
  checkSequence,
  type SequenceOptions,
  type Violation,
  type ViolationCode,
} from './check-sequence.ts'

export interface ProjectionOptions extends SequenceOptions {
  /** The previous projection; messages that were adjacent there may stay so. */
  readonly before?: readonly Message[]
}

/**
 * Checks the invariants that relate a projection to its transcript: 2 (a valid sequence without new adjacent turns of
 * one role, ids unchanged), 3 (system prompt kept, one note at most) and 4 (last user message verbatim). Linear.
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
    ...checkCalls(projection, transcript),
    ...checkAdjacentTurns(projection, [options.before ?? [], transcript]),
    ...checkSystem(projection, transcript),
    ...checkLastUser(projection, transcript),
  ]
}

function checkIds(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const shown = new Set(projection.map(({ id }) => id))
  const roles = new Map<string, string[]>()
  for (const { id, role } of transcript) {
    if (id !== undefined && shown.has(id)) roles.set(id, [...(roles.get(id) ?? []), role])
  }
  if (roles.size === 0) return []
  return projection.flatMap(({ id, role }, index): Violation[] => {
    const known = id === undefined ? undefined : roles.get(id)
    if (known === undefined) return []
    const place = known.findIndex(
      (own) => own === role || (role === 'user' && own !== 'assistant' && own !== 'tool'),
    )
    if (place !== -1) {
      known.splice(place, 1)
      return []
    }
    const why = known.length === 0 ? 'is there twice' : `is that of a message of the role ${known[0]}`
    return [
      {
        invariant: 2,
        code: 'WRONG_ID',
        index,
        message: `the id ${jsonText(id)} of a ${role} message ${why}`,
      },
    ]
  })
}

function checkAdjacentTurns(
  projection: readonly Message[],
  sources: readonly (readonly Message[])[],
): Violation[] {
  const pairs = adjacentTurns(projection)
  if (pairs.size === 0) return []
  const allowed = new Set(sources.flatMap((source) => [...adjacentTurns(source).values()]))
  return [...pairs].flatMap(([index, key]): Violation[] => {
    const message = `two ${projection[index]?.role} turns in a row that were apart`
    return allowed.has(key) ? [] : [{ invariant: 2, code: 'ADJACENT_TURNS', index, message }]
  })
}

function adjacentTurns(messages: readonly Message[]): ReadonlyMap<number, string> {
  const pairs = new Map<number, string>()
  for (const [index, message] of messages.entries()) {
    const previous = messages[index - 1]
    const isTurn = message?.role === 'user' || message?.role === 'assistant'
    if (isTurn && previous?.role === message.role)
      pairs.set(index, `${message.role}\u0000${messageText(previous)}\u0000${messageText(message)}`)
  }
  return pairs
}

function checkSystem(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const source = transcript[0]
  if (!isInstruction(source) || checkMessage(source).length > 0) return []
  const system = projection[0]
  const text = messageText(source)
  if (!isInstruction(system) || !messageText(system).startsWith(text)) {
    const message = 'the text of the system prompt was not kept'
    return [{ invariant: 3, code: 'SYSTEM_CHANGED', index: 0, message }]
  }
  const joined = messageText(mergeInstructions(source, otherInstructions(transcript)))
  const whole = messageText(system)
  const note = whole.slice(whole.startsWith(joined) ? joined.length : text.length)
  if (!isRepeated(note)) return []
  const message = 'the note behind the system prompt stands there twice'
  return [{ invariant: 3, code: 'NOTE_REPEATED', index: 0, message }]
}

function otherInstructions(transcript: readonly Message[]): SystemMessage[] {
  const leading = transcript.slice(1, leadingInstructions(transcript)) as SystemMessage[]
  return leading.filter((message) => checkMessage(message).length === 0)
}

const SHORTEST_NOTE_CHARACTERS = 8

function isRepeated(note: string): boolean {
  const text = note.replace(/\s+/g, '')
  const period = (text + text).indexOf(text, 1)
  return period < text.length && period >= SHORTEST_NOTE_CHARACTERS
}

/**
 * An engine that does not recognise inserted blocks keeps the last message in the user's role, which is also accepted.
 */
function checkLastUser(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const lead = leadingInstructions(transcript)
  const isLater = (message: Message, index: number) =>
    index >= lead && isInstruction(message) && checkMessage(message).length === 0
  const spoken = transcript.findLastIndex((message) => isWritten(message) && isSpoken(message))
  if (spoken === -1 || isKeptLast(projection, transcript, spoken)) return []
  const last = transcript.findLastIndex((message, index) => isWritten(message) || isLater(message, index))
  if (last !== spoken && isKeptLast(projection, transcript, last)) return []
  const message = 'the last user message is not there verbatim'
  return [{ invariant: 4, code: 'LAST_USER_CHANGED', index: projection.length, message }]
}

function isKeptLast(projection: readonly Message[], transcript: readonly Message[], at: number): boolean {
  const source = transcript[at]
  const { content } = isInstruction(source) ? toUserMessage(source) : (source as Message)
  const isSame = (message: Message) => message.role === 'user' && equalValues(message.content, content)
  const kept = projection.findLastIndex(isSame)
  return kept !== -1 && !isFollowedByEarlier(projection.slice(kept + 1), transcript, at)
}

/**
 * Detects that the user sent the same text twice and the match is the first one. Repaired messages may look like
 * earlier ones.
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

function isWritten(message: Message): boolean {
  return message?.role === 'user' && !isSummary(message) && checkMessage(message).length === 0
}

export function checkCalls(projection: readonly Message[], transcript: readonly Message[]): Violation[] {
  const groups = callGroups(transcript)
  return projection.flatMap((message, index) => {
    const ids = toolCallsOf(message).map(({ id }) => id)
    const shown = new Set(ids)
    const split = new Map<readonly string[], boolean>()
    return ids.flatMap((id): Violation[] => {
      const group = groups.get(id)
      if (group === undefined) {
        const text = `no call of the transcript has the id ${jsonText(id)}`
        return [{ invariant: 2, code: 'UNKNOWN_CALL_ID', index, message: text }]
      }
      if (!split.has(group)) split.set(group, !group.every((other) => shown.has(other)))
      if (!split.get(group)) return []
      const text = `call ${jsonText(id)} stands without the calls that were made with it`
      return [{ invariant: 2, code: 'SPLIT_TRANSACTION', index, message: text }]
    })
  })
}

function callGroups(transcript: readonly Message[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const message of transcript) {
    const ids = toolCallsOf(message).map(({ id }) => id)
    const isSound = ids.length > 0 && checkMessage(message).length === 0
    for (const id of ids) groups.set(id, isSound && !groups.has(id) ? ids : [id])
  }
  return groups
}

/**
 * Checks the invariants that one result of `compress` shows: 2 (the last role stays), 5 (`compacted` has fewer tokens,
 * other outcomes change nothing, `changedFrom` is correct) and 6 (no mutable part is shared with the input).
 */
export function checkCompression(
  input: readonly Message[],
  { outcome, messages, changedFrom: told }: CompressResult,
  tokens: TokenCounter,
): Violation[] {
  const violations: Violation[] = []
  const add = (invariant: Violation['invariant'], code: ViolationCode, index: number, message: string) =>
    violations.push({ invariant, code, index, message })
  const first = changedFrom(input, messages)
  if (outcome === 'compacted') {
    const [before, after] = [input, messages].map((list) => countMessages(tokens, list)) as [number, number]
    if (after >= before) add(5, 'NOT_SMALLER', 0, `${after} tokens after, ${before} before`)
    if (first !== told) {
      const text = `the first message that differs is ${first}, and changedFrom says ${told}`
      add(5, 'WRONG_CHANGED_FROM', first, text)
    }
    if (messages.at(-1)?.role !== input.at(-1)?.role) {
      const text =
        'the last message has another role than before, so the next one may follow one of its own role'
      add(2, 'ADJACENT_TURNS', Math.max(0, messages.length - 1), text)
    }
  } else if (first < Math.max(input.length, messages.length)) {
    const text = `the messages changed although the outcome is ${outcome}`
    add(5, 'CHANGED_WITHOUT_COMPACTION', first, text)
  }
  const own = new Set<unknown>()
  for (const message of input) if (!isDeepFrozen(message)) collectMutable(message, own)
  for (const [index, message] of own.size === 0 ? [] : messages.entries()) {
    const mine = new Set<unknown>()
    collectMutable(message, mine)
    if (![...mine].some((value) => own.has(value))) continue
    add(6, 'SHARED_MUTABLE', index, 'the message shares a part that can change with the input')
  }
  return violations
}

function collectMutable(value: unknown, into: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  if (!Object.isFrozen(value)) into.add(value)
  for (const member of Object.values(value)) collectMutable(member, into)
}
