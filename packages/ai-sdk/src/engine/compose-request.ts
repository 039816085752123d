import { equalValues, isDeepFrozen, type Message, messageText, toolCallsOf } from '@palimpsest/core'
import { looseOf } from '@palimpsest/core/provider'
import type { ModelMessage } from 'ai'
import { rememberCalls, type Unit } from '../messages/from-model-messages.ts'
import { toModels } from '../messages/to-model-messages.ts'
import type { CallNames } from '../messages/tool-messages.ts'

export interface ComposedRequest {
  readonly messages: ModelMessage[]
  /** What stands for no message of the application: summaries, shortened results. To be given again next time. */
  readonly made: readonly Unit[]
}

/**
 * A projection as messages of the AI SDK. What stands in the conversation as it is, is sent as the very object that the
 * application has; what was made for the request before is sent as the object of that time. So nothing that was cached
 * changes by being converted.
 *
 * @param known The conversation.
 * @param before What was made for the request before.
 */
export function composeRequest(
  projection: readonly Message[],
  known: readonly Unit[],
  before: readonly Unit[],
): ComposedRequest {
  const own = createFinder(known)
  const earlier = createFinder(before)
  const names: CallNames = new Map()
  const messages: ModelMessage[] = []
  const made: Unit[] = []
  const isNew = (index: number) =>
    own.find(projection, index) === undefined && earlier.find(projection, index) === undefined

  for (let index = 0; index < projection.length; ) {
    const kept = own.take(projection, index)
    const unit = kept ?? earlier.take(projection, index) ?? convert(newRun(projection, index, isNew), names)
    if (kept === undefined) made.push(unit)
    for (const message of unit.messages) rememberCalls(looseOf(message), names)
    messages.push(...unit.models)
    index += unit.messages.length
  }
  return { messages, made }
}

/** A message that is new; of results, all that stand in a row, because they are one message of the AI SDK. */
function newRun(
  projection: readonly Message[],
  from: number,
  isNew: (index: number) => boolean,
): readonly Message[] {
  let end = from + 1
  if (projection[from]?.role === 'tool') while (projection[end]?.role === 'tool' && isNew(end)) end++
  return projection.slice(from, end)
}

function convert(messages: readonly Message[], names: CallNames): Unit {
  return { models: toModels(messages, names), messages }
}

interface Finder {
  /** The unit whose messages stand in a projection from an index on: the next one in order, if there are several. */
  find(projection: readonly Message[], from: number): number | undefined
  /** The same, and the search goes on behind it. */
  take(projection: readonly Message[], from: number): Unit | undefined
}

function createFinder(units: readonly Unit[]): Finder {
  const places = new Map<string, number[]>()
  for (const [place, { messages }] of units.entries()) {
    const [first] = messages
    if (first === undefined) continue
    const key = keyOf(first)
    const list = places.get(key)
    if (list === undefined) places.set(key, [place])
    else list.push(place)
  }
  let next = 0
  const find: Finder['find'] = (projection, from) => {
    const first = projection[from]
    if (first === undefined) return undefined
    const alike = places.get(keyOf(first)) ?? []
    const stands = (place: number) => standsAt(units[place], projection, from)
    return alike.find((place) => place >= next && stands(place)) ?? alike.find(stands)
  }
  return {
    find,
    take(projection, from) {
      const place = find(projection, from)
      if (place === undefined) return undefined
      next = place + 1
      return units[place]
    },
  }
}

function standsAt(unit: Unit | undefined, projection: readonly Message[], from: number): boolean {
  return unit?.messages.every((message, at) => equalValues(message, projection[from + at])) ?? false
}

/** The keys of messages that cannot change any more: a history is read once, and not at each step. */
const keys = new WeakMap<Message, string>()

/** What tells most messages apart, and is cheap to compare. */
function keyOf(message: Message): string {
  const known = keys.get(message)
  if (known !== undefined) return known
  const ids = message.role === 'tool' ? [message.tool_call_id] : toolCallsOf(message).map(({ id }) => id)
  const key = [message.role, messageText(message).length, ...ids].join(' ')
  if (isDeepFrozen(message)) keys.set(message, key)
  return key
}
