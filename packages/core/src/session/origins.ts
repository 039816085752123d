import { isInstruction, toUserMessage } from '../messages/instructions.ts'
import { equalValues, isObject, looseOf } from '../messages/json-value.ts'
import { messageText, toolCallsOf } from '../messages/message-parts.ts'
import { isBridge, isSummary } from '../messages/summary.ts'
import type { Message, MessageRange, Origin } from '../spec/v1/index.ts'
import type { EngineGuard } from './session-reports.ts'
import type { TracedMessages } from './session-types.ts'

interface OriginsInput {
  readonly engineName: string
  readonly guard: EngineGuard
  readonly transcript: readonly Message[]
  readonly before: TracedMessages
  readonly after: readonly Message[]
  readonly told: unknown
}

export function originsOf(input: OriginsInput): readonly Origin[] {
  const { engineName, guard, transcript, before, after, told } = input
  const read = () => (told === undefined ? undefined : readOrigins(told, after, transcript))
  return guard.call('origins', undefined, read) ?? traceOrigins(before, after, engineName)
}

/**
 * The session's own copy of the origins that an engine told or a host kept, one for each message.
 *
 * @throws TypeError naming the first that is not true of the transcript.
 */
export function readOrigins(
  value: unknown,
  messages: readonly Message[],
  transcript: readonly Message[],
): readonly Origin[] {
  if (!Array.isArray(value) || value.length !== messages.length)
    throw new TypeError(`origins must be a list with one entry for each of the ${messages.length} messages`)
  return Array.from(value, (entry: unknown, index): Origin => {
    const origin = readOrigin(entry, transcript.length)
    if (origin === undefined) throw new TypeError(`origins[${index}] names no place in the transcript`)
    if (origin.from !== 'transcript' || !origin.whole) return origin
    if (equalValues(transcript[origin.index], messages[index])) return origin
    throw new TypeError(`origins[${index}] says that message ${origin.index} is shown whole, and it is not`)
  })
}

function readOrigin(value: unknown, length: number): Origin | undefined {
  const { from, index, whole, of, by } = looseOf(value)
  if (from === 'transcript' && isIndex(index, length) && typeof whole === 'boolean')
    return { from, index, whole }
  if (from === 'note' && typeof by === 'string') return { from, by }
  if (from !== 'summary' || !Array.isArray(of)) return undefined
  const ranges = of.map((range) => readRange(range, length))
  return ranges.every((range) => range !== undefined) ? { from, of: ranges } : undefined
}

function readRange(value: unknown, length: number): MessageRange | undefined {
  if (!isObject(value)) return undefined
  const { first, last } = value
  return isIndex(first, length) && isIndex(last, length) && first <= last ? { first, last } : undefined
}

function isIndex(value: unknown, length: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < length
}

/**
 * The origins of a list that was made of another one, for an engine that does not tell them. A summary stands for every
 * message that is not shown any more; what is neither old nor a summary is a note. Linear.
 *
 * @param by the author of new messages.
 */
export function traceOrigins(
  before: TracedMessages,
  after: readonly Message[],
  by: string,
): readonly Origin[] {
  const origins = matchOrigins(before, after)
  const isSummaryAt = after.map((message, index) => origins[index] === undefined && isSummary(message))
  const of = summarised(before.origins, origins, isSummaryAt)
  return after.map((message, index): Origin => {
    if (isSummaryAt[index] || (origins[index] === undefined && isBridge(message)))
      return { from: 'summary', of: of.get(index) ?? [] }
    return origins[index] ?? { from: 'note', by }
  })
}

/** Each old message is used once: first a common beginning, then identical objects, then equal keys from the end on. */
function matchOrigins(before: TracedMessages, after: readonly Message[]): (Origin | undefined)[] {
  const { messages, origins } = before
  const limit = Math.min(messages.length, after.length)
  let begin = 0
  while (begin < limit && equalValues(messages[begin], after[begin])) begin++

  const places = new Map<Message, number>()
  const byKey = new Map<string, number[]>()
  const kept = new Set(after.slice(begin))
  for (let place = begin; place < messages.length; place++) {
    const message = messages[place] as Message
    if (kept.has(message)) places.set(message, place)
    else {
      const key = keyOf(message)
      const alike = byKey.get(key)
      if (alike === undefined) byKey.set(key, [place])
      else alike.push(place)
    }
  }
  const found = after.map((message, index): Origin | undefined => {
    if (index < begin) return origins[index]
    const place = places.get(message)
    places.delete(message)
    return place === undefined ? undefined : origins[place]
  })
  for (let index = after.length - 1; index >= begin; index--) {
    if (found[index] !== undefined) continue
    const message = after[index] as Message
    const place = byKey.get(keyOf(message))?.pop()
    const origin = place === undefined ? undefined : origins[place]
    if (place === undefined || origin === undefined) continue
    found[index] = equalValues(messages[place], message) ? origin : inOtherForm(origin)
  }
  const [system] = origins
  if (system && isInstruction(after[0]) && isInstruction(messages[0])) found[0] ??= inOtherForm(system)
  return found
}

function keyOf(message: Message): string {
  if (message.role === 'tool') return `result ${message.tool_call_id}`
  const calls = toolCallsOf(message)
  if (calls.length > 0) return `calls ${calls.map(({ id }) => id).join(' ')}`
  // An instruction has the text that it has as a user's message.
  return `text ${messageText(isInstruction(message) ? toUserMessage(message) : message)}`
}

function inOtherForm(origin: Origin): Origin {
  return origin.from === 'transcript' ? { ...origin, whole: false } : origin
}

/** Traced messages, each in another form or as it is; the same object when all are as they are. */
export function inForm(traced: TracedMessages, messages: readonly Message[]): TracedMessages {
  const isSame = messages.map((message, index) => message === traced.messages[index])
  if (!isSame.includes(false)) return traced
  const origins = traced.origins.map((origin, index) => (isSame[index] ? origin : inOtherForm(origin)))
  return { messages: Object.freeze(messages), origins: Object.freeze(origins) }
}

/** Messages of the transcript that the first origins speak of and the second do not, in as few ranges as they take. */
function lostRanges(before: readonly Origin[], after: readonly (Origin | undefined)[]): MessageRange[] {
  const shown = new Set(after.flatMap((origin) => (origin?.from === 'transcript' ? [origin.index] : [])))
  const told = new Set(after.flatMap((origin) => (origin?.from === 'summary' ? origin.of : [])))
  const lost = before
    .flatMap((origin): readonly MessageRange[] => {
      if (origin.from === 'transcript') return [{ first: origin.index, last: origin.index }]
      return origin.from === 'summary' ? origin.of : []
    })
    .filter((range) => !told.has(range) && !(range.first === range.last && shown.has(range.first)))
  const joined: MessageRange[] = []
  for (const range of lost.toSorted((one, other) => one.first - other.first)) {
    const last = joined.at(-1)
    if (last === undefined || range.first > last.last + 1) joined.push(range)
    else joined[joined.length - 1] = { first: last.first, last: Math.max(last.last, range.last) }
  }
  return joined
}

/** Which summary stands for which of the messages that are lost: the last one behind a message that was said before them. */
function summarised(
  before: readonly Origin[],
  origins: readonly (Origin | undefined)[],
  isSummaryAt: readonly boolean[],
): ReadonlyMap<number, readonly MessageRange[]> {
  const summaries: { readonly index: number; readonly behind: number }[] = []
  let behind = -1
  for (const [index, isSummary] of isSummaryAt.entries()) {
    const origin = origins[index]
    if (origin?.from === 'transcript') behind = Math.max(behind, origin.index)
    if (isSummary) summaries.push({ index, behind })
  }
  const [first] = summaries
  const of = new Map<number, readonly MessageRange[]>()
  if (first === undefined) return of
  for (const range of lostRanges(before, origins)) {
    const { index } = summaries.findLast((summary) => summary.behind < range.first) ?? first
    of.set(index, [...(of.get(index) ?? []), range])
  }
  return of
}
