import { equalValues } from '../messages/equal-values.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import { messageText, toolCallsOf } from '../messages/message-text.ts'
import { toUserMessage } from '../messages/own-words.ts'
import { isBridge } from '../messages/place-summary.ts'
import { isSummary } from '../messages/summary-marker.ts'
import type { Message } from '../spec/v1/message.ts'
import type { MessageRange, Origin } from '../spec/v1/origin.ts'
import { atOnce, type Sliced } from './pause.ts'

/** Messages with the origin of each. */
export interface TracedMessages {
  readonly messages: readonly Message[]
  readonly origins: readonly Origin[]
}

/**
 * The origins of a list that was made of another one, for an engine that does not tell them. Equal messages are
 * matched from both ends, calls and results by their ids. A summary stands for every message that is not shown any
 * more; the rest are notes. Linear; the texts of messages that are the same objects are not read.
 *
 * @param by the author of new messages.
 */
export function traceOrigins(...input: Parameters<typeof traceOriginsSliced>): readonly Origin[] {
  return atOnce(traceOriginsSliced(...input))
}

/** `traceOrigins`, in slices. */
export function* traceOriginsSliced(
  before: TracedMessages,
  after: readonly Message[],
  by: string,
): Sliced<readonly Origin[]> {
  const origins = yield* matchOrigins(before, after)
  yield
  const isSummaryAt = after.map((message, index) => origins[index] === undefined && isSummary(message))
  const of = summarised(before.origins, origins, isSummaryAt)
  return after.map((message, index): Origin => {
    if (isSummaryAt[index] || (origins[index] === undefined && isBridge(message)))
      return { from: 'summary', of: of.get(index) ?? [] }
    return origins[index] ?? { from: 'note', by }
  })
}

/** Messages that are looked for before anything else has a turn: about a millisecond. */
const SLICE = 2_000

/** Each message is used once: first a common beginning, then a common end and other identical objects, then equal keys. */
function* matchOrigins(before: TracedMessages, after: readonly Message[]): Sliced<(Origin | undefined)[]> {
  const begin = commonBeginning(before.messages, after)
  const end = commonEnd(before.messages, after, begin)
  const last = before.messages.length - end
  const between = after.slice(begin, after.length - end)
  const origins: (Origin | undefined)[] = [
    ...before.origins.slice(0, begin),
    ...between.map(() => undefined),
    ...before.origins.slice(last),
  ]
  const kept = new Set(between)
  const placesOf = function* (isMeant: (message: Message) => boolean): Sliced<Map<Message, number>> {
    const places = new Map<Message, number>()
    for (let index = begin; index < last; index++) {
      if (index % SLICE === 0) yield
      const message = before.messages[index] as Message
      if (isMeant(message)) places.set(message, index)
    }
    return places
  }
  const places = yield* placesOf((message) => kept.has(message))
  for (const [index, message] of between.entries()) {
    const place = places.get(message)
    if (place === undefined) continue
    origins[begin + index] = before.origins[place]
    places.delete(message)
  }
  const byKey = new Map<string, number[]>()
  const wanted = new Set(after.flatMap((message, index) => (origins[index] ? [] : [shapeOf(message)])))
  const wantsCalls = [...wanted].some((shape) => typeof shape === 'string')
  // The length of most texts says already that they are not looked for.
  const isWanted = (message: Message) =>
    (wantsCalls || wanted.has(textOf(message).length)) && wanted.has(shapeOf(message))
  for (const [message, place] of yield* placesOf((one) => !kept.has(one) && isWanted(one))) {
    const places = byKey.get(keyOf(message))
    if (places === undefined) byKey.set(keyOf(message), [place])
    else places.push(place)
  }
  for (let index = after.length - 1; index >= begin; index--)
    origins[index] ??= takeOrigin(before, byKey, after[index] as Message)
  const [system] = before.origins
  if (system && isInstruction(after[0]) && isInstruction(before.messages[0]))
    origins[0] ??= inOtherForm(system)
  return origins
}

/** Messages at the end that are the same objects. */
function commonEnd(before: readonly Message[], after: readonly Message[], begin: number): number {
  const most = Math.min(before.length, after.length) - begin
  let length = 0
  while (length < most && before.at(-1 - length) === after.at(-1 - length)) length++
  return length
}

function commonBeginning(before: readonly Message[], after: readonly Message[]): number {
  let length = 0
  while (length < before.length && length < after.length && equalValues(before[length], after[length]))
    length++
  return length
}

/** The same for messages of one key, and found without reading a long text: the key of calls and results, the length of a text. */
function shapeOf(message: Message): string | number {
  if (!isText(message)) return keyOf(message)
  return textOf(message).length
}

function isText(message: Message): boolean {
  return message.role !== 'tool' && toolCallsOf(message).length === 0
}

/** An instruction has the text that it has as a user's message. */
function textOf(message: Message): string {
  const { content } = message
  if (isInstruction(message)) return messageText(toUserMessage(message))
  return typeof content === 'string' ? content : messageText(message)
}

/** The key of a message, the same in whatever form it is shown. */
function keyOf(message: Message): string {
  if (message.role === 'tool') return `result ${message.tool_call_id}`
  const calls = toolCallsOf(message)
  return calls.length > 0 ? `calls ${calls.map(({ id }) => id).join(' ')}` : `text ${textOf(message)}`
}

function takeOrigin(
  { messages, origins }: TracedMessages,
  unused: ReadonlyMap<string, number[]>,
  message: Message,
): Origin | undefined {
  const index = unused.get(keyOf(message))?.pop()
  const origin = index === undefined ? undefined : origins[index]
  if (index === undefined || origin === undefined) return undefined
  return equalValues(messages[index], message) ? origin : inOtherForm(origin)
}

/** The origin of a message that is shown in another form. */
export function inOtherForm(origin: Origin): Origin {
  return origin.from === 'transcript' ? { ...origin, whole: false } : origin
}

/** Messages of the transcript that the first origins speak of and the second do not. In order. */
function lostRanges(before: readonly Origin[], after: readonly (Origin | undefined)[]): MessageRange[] {
  const shown = new Set(after.flatMap((origin) => (origin?.from === 'transcript' ? [origin.index] : [])))
  const told = new Set(after.flatMap((origin) => (origin?.from === 'summary' ? origin.of : [])))
  const ranges: MessageRange[] = []
  const lose = (range: MessageRange): void => {
    if (told.has(range) || (range.first === range.last && shown.has(range.first))) return
    // Most follow each other: a long list is a few ranges from the beginning.
    const last = ranges.at(-1)
    if (last === undefined || range.first !== last.last + 1) ranges.push(range)
    else ranges[ranges.length - 1] = { first: last.first, last: range.last }
  }
  for (const origin of before) {
    if (origin.from === 'summary') origin.of.forEach(lose)
    else if (origin.from === 'transcript') lose({ first: origin.index, last: origin.index })
  }
  return joinRanges(ranges)
}

/** The same messages in as few ranges as they take. */
function joinRanges(ranges: readonly MessageRange[]): MessageRange[] {
  const joined: MessageRange[] = []
  for (const range of [...ranges].sort((one, other) => one.first - other.first)) {
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
