import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { BrokenEvent } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'
import { parseEvent, type StreamedAnswer, StreamedError } from '../wire-format.ts'
import { type IsHidden, type Item, isReasoning, outputOf, visibleItem, visibleResponse } from './item.ts'
import { toAnswer } from './items-to-messages.ts'

export interface ResponseStreamInput {
  /** The client's body. */
  readonly asked: Loose
  readonly isStateless: boolean
  /** Names of the engine's tools; it may grow. */
  readonly own: ReadonlySet<string>
}

/** Events that begin a response. */
const BEGIN = new Set(['response.created', 'response.queued', 'response.in_progress'])
/** Events that end it with an answer. */
const END = new Set(['response.completed', 'response.incomplete'])

/** Numbers the events of all rounds, and gathers what the client sees of them. */
interface Shown {
  /** Of the first response, which all events are told to be of. */
  first: Loose | undefined
  readonly begun: Set<unknown>
  /** The client's items, as far as they are whole. */
  readonly output: (Item | undefined)[]
  write(event: Loose): string
}

/** An answer of several streams of the Responses API, which are one response to the client. */
export function createResponseStream(input: ResponseStreamInput): StreamedAnswer {
  let sequence = 0
  const shown: Shown = {
    first: undefined,
    begun: new Set(),
    output: [],
    write(event) {
      const { response } = event
      const framed = isObject(response) ? { ...event, response: frame(response, shown, input.asked) } : event
      return JSON.stringify({ ...framed, sequence_number: sequence++ })
    },
  }
  let round = createRound(input, shown)
  return {
    beginRound() {
      round = createRound(input, shown)
    },
    take(event) {
      const data = parseEvent(event)
      return data === undefined ? [] : round.take(data)
    },
    get message() {
      return toAnswer(round.items, input.isStateless)
    },
    get usage() {
      return round.usage
    },
    get isFinished() {
      return round.last !== undefined
    },
    get isOver() {
      return round.last !== undefined
    },
    end() {
      const { last } = round
      if (last === undefined) return []
      const response = {
        ...looseOf(last.response),
        output: shown.output.filter((item) => item !== undefined),
      }
      return [...round.flush(), shown.write({ ...last, response })]
    },
    fail: (event) => shown.write(looseOf(parseJson(event))),
  }
}

function frame(response: Loose, { first }: Shown, asked: Loose): Loose {
  const { id, created_at } = first ?? response
  return { ...visibleResponse(response, asked), id, ...(created_at !== undefined && { created_at }) }
}

function createRound({ own }: ResponseStreamInput, shown: Shown) {
  const items: Item[] = []
  /** The client's index of each item that it sees. */
  const indexes = new Map<unknown, number>()
  let last: Loose | undefined
  /** The end of a reasoning item. */
  let held: Loose | undefined

  const isHidden = (item: Item) => item.type === 'function_call' && own.has(String(item.name))

  /** Events that were held back until the next item is known. */
  const flush = (next?: Item): string[] => {
    if (held === undefined) return []
    const event = { ...held, item: visibleItem(looseOf(held.item), next, isHidden) }
    held = undefined
    return [done(event)]
  }

  const done = (event: Loose): string => {
    shown.output[Number(event.output_index)] = looseOf(event.item)
    return shown.write(event)
  }

  /** An event of an item. */
  const takeOfItem = (event: Loose): string[] => {
    const { type, output_index: place } = event
    const item = looseOf(event.item)
    const before = type === 'response.output_item.added' ? flush(item) : []
    if (type !== 'response.output_item.added' && items[Number(place)] === undefined)
      throw new BrokenEvent('the beginning of an item is missing')
    if (isObject(event.item)) items[Number(place)] = event.item
    else addPiece(items, event)
    if (type === 'response.output_item.added' && !isHidden(item)) {
      indexes.set(place, shown.output.length)
      shown.output.push(undefined)
    }
    const index = indexes.get(place)
    if (index === undefined) return before
    const visible = { ...event, output_index: index }
    if (type !== 'response.output_item.done') return [...before, shown.write(visible)]
    if (!isReasoning(item)) return [done(visible)]
    held = visible
    return []
  }

  return {
    take(event: Loose): string[] {
      const { type, response } = event
      if (type === 'error' || type === 'response.failed') throw failure(event, shown)
      if (BEGIN.has(String(type))) {
        if (shown.begun.has(type)) return []
        shown.begun.add(type)
        shown.first ??= looseOf(response)
        return [shown.write(event)]
      }
      if (END.has(String(type))) {
        fillIn(outputOf(looseOf(response)), { items, indexes, output: shown.output, isHidden })
        const isWhole = [...indexes.values()].every((index) => shown.output[index] !== undefined)
        if (!isWhole && held === undefined && type === 'response.completed')
          throw new BrokenEvent('the end of an item is missing')
        last = event
        return []
      }
      return event.output_index === undefined ? [shown.write(event)] : takeOfItem(event)
    },
    flush,
    /** All items, the engine's calls too, as far as they came. */
    get items(): readonly Item[] {
      return items.filter((item) => item !== undefined)
    },
    get usage(): Loose | undefined {
      const { usage } = looseOf(last?.response)
      return isObject(usage) ? usage : undefined
    },
    /** The event that ended it. */
    get last() {
      return last
    },
  }
}

interface ItemsSoFar {
  readonly items: Item[]
  readonly indexes: Map<unknown, number>
  readonly output: (Item | undefined)[]
  readonly isHidden: IsHidden
}

/** Takes items that only the end of a response has, and the wholes of those that it repeats. */
function fillIn(whole: readonly Item[], { items, indexes, output, isHidden }: ItemsSoFar): void {
  for (const [place, item] of whole.entries()) {
    items[place] ??= item
    if (isHidden(item)) continue
    const index = indexes.get(place) ?? output.length
    indexes.set(place, index)
    output[index] ??= item
  }
}

/** A piece of a text that is not whole yet. */
function addPiece(items: Item[], { type, output_index: place, delta }: Loose): void {
  const item = items[Number(place)]
  if (type !== 'response.output_text.delta' || item === undefined || typeof delta !== 'string') return
  const [part] = Array.isArray(item.content) ? item.content : []
  const before = looseOf(part).text
  const text = `${typeof before === 'string' ? before : ''}${delta}`
  items[Number(place)] = { ...item, content: [{ type: 'output_text', text }] }
}

/** The error that the upstream reports, with what tells kinds of errors apart. */
function failure(event: Loose, shown: Shown): StreamedError {
  const error = looseOf(looseOf(event.response).error ?? event.error ?? event)
  const output = shown.output.filter((item) => item !== undefined)
  const said = isObject(event.response) ? { ...event, response: { ...event.response, output } } : event
  return new StreamedError(JSON.stringify(said), { code: error.code, message: error.message })
}
