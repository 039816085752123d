import { equalValues, isObject, looseOf, type Message, type Prepared } from '@palimpsest/core'
import type { ModelMessage } from 'ai'
import { rememberCalls, type Unit } from '../messages/from-model-messages.ts'
import { toModels } from '../messages/to-model-messages.ts'
import type { CallNames } from '../messages/tool-messages.ts'

/**
 * A projection as messages of the AI SDK. A message of the conversation is sent as the application's own object, and
 * one that was made for the request before as the object of that time, so that cached bytes do not change.
 * Neighbouring made results are one message.
 *
 * @param owners The units of the conversation by the place of their first message in the transcript.
 * @param before The messages made for the request before.
 */
export function composeRequest(
  { messages, origins }: Pick<Prepared, 'messages' | 'origins'>,
  owners: ReadonlyMap<number, Unit>,
  before: readonly Unit[],
) {
  const names: CallNames = new Map()
  const ownAt = (index: number): Unit | undefined => {
    const place = wholeAt(origins, index)
    const unit = place === undefined ? undefined : owners.get(place)
    const isWhole = unit?.messages.every((_, at) => wholeAt(origins, index + at) === (place ?? 0) + at)
    return isWhole ? unit : undefined
  }
  const request: ModelMessage[] = []
  const made: Unit[] = []
  const makeOf = (run: readonly Message[]): Unit => {
    const known = before.find((unit) => equalValues(unit.messages, run))
    const unit = known ?? { messages: run, models: toModels(run, names).map(withoutItemIds) }
    made.push(unit)
    return unit
  }
  for (let index = 0; index < messages.length; ) {
    let end = index + 1
    const isResult = (message: Message | undefined) => message?.role === 'tool'
    const own = ownAt(index)
    if (own === undefined && isResult(messages[index]))
      while (isResult(messages[end]) && ownAt(end) === undefined) end++
    const unit = own ?? makeOf(messages.slice(index, end))
    for (const message of unit.messages) rememberCalls(looseOf(message), names)
    request.push(...unit.models)
    index += unit.messages.length
  }
  // `made`: messages that are not the application's own, summaries and shortened results. Pass them again next time.
  return { messages: request, made }
}

/**
 * A message that was changed without the ids of its parts at a provider: OpenAI takes such an id for the part as it was, and
 * refuses one whose reasoning is gone.
 */
function withoutItemIds(message: ModelMessage): ModelMessage {
  const { content } = looseOf(message)
  if (!Array.isArray(content)) return message
  const parts = content.map((part: unknown) => {
    const { providerOptions, ...rest } = looseOf(part)
    if (!isObject(providerOptions)) return part
    const options = Object.entries(providerOptions).map(([provider, own]) => {
      const { itemId: _, ...others } = looseOf(own)
      return [provider, others] as const
    })
    return { ...rest, providerOptions: Object.fromEntries(options) }
  })
  return { ...looseOf(message), content: parts } as unknown as ModelMessage
}

function wholeAt(origins: Prepared['origins'], index: number): number | undefined {
  const origin = origins[index]
  return origin?.from === 'transcript' && origin.whole ? origin.index : undefined
}

/** The units of a conversation that stand in a transcript as they are, by the place of their first message there. */
export function unitOwners(
  units: readonly Unit[],
  transcript: readonly Message[],
  from: number,
): ReadonlyMap<number, Unit> {
  const owners = new Map<number, Unit>()
  let next = from
  for (const unit of units) {
    const [first] = unit.messages
    if (first !== undefined && first === transcript[next]) owners.set(next, unit)
    next += unit.messages.length
  }
  return owners
}
