import { createPause, freezeMessage, isObject, type Loose, type Message } from '@palimpsest/core'
import { GatewayFault } from '../http/gateway-fault.ts'
import { isNestedDeep } from '../is-nested-deep.ts'
import type { BodyMemory, ReadItems } from './body-memory.ts'

/**
 * Parses a body. Its list is parsed item by item, with pauses, and frozen; items that are known are not parsed again.
 *
 * @param list the name of the list that makes a body large.
 * @throws GatewayFault 400 for a body that is not a JSON object.
 */
export async function parseBody(bytes: Buffer, list: string, memory: BodyMemory): Promise<Loose> {
  let body: unknown
  try {
    body = (await parseItems(bytes, list, memory)) ?? JSON.parse(bytes.toString())
  } catch (cause) {
    throw new GatewayFault(400, 'invalid_json', `the body must be JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}

/** Undefined for bytes that have no such list, or are not quite what they seem. @throws SyntaxError */
async function parseItems(bytes: Buffer, list: string, memory: BodyMemory): Promise<Loose | undefined> {
  const start = listStart(bytes, list)
  if (start === undefined) return undefined
  const pause = createPause()
  const known = memory.find(bytes)
  const items = [...known.items]
  const ends = [...known.ends]
  let at = items.length > 0 ? skipBlanks(bytes, ends.at(-1) ?? 0) : start - 1
  while (items.length === 0 || bytes[at] === SIGN.comma) {
    const begin = skipBlanks(bytes, at + 1)
    const end = valueEnd(bytes, begin)
    items.push(frozen(JSON.parse(bytes.toString('utf8', begin, end))))
    ends.push(end)
    at = skipBlanks(bytes, end)
    const turn = pause()
    if (turn !== undefined) await turn
  }
  const rest: unknown = JSON.parse(bytes.toString('utf8', 0, start) + bytes.toString('utf8', at))
  if (!isObject(rest) || !Array.isArray(rest[list]) || rest[list].length > 0) return undefined
  memory.remember(bytes, { items, ends }, known.before)
  listed.set(bytes, { list, items, ends, start })
  rest[list] = items
  return rest
}

/** The list of a body, with the places of its items. */
export interface ListedItems extends ReadItems {
  /** The name of the list. */
  readonly list: string
  /** Of the first item. */
  readonly start: number
}

const listed = new WeakMap<Buffer, ListedItems>()

/** The list of a body that was parsed; undefined where it has none. */
export function itemsOf(bytes: Buffer): ListedItems | undefined {
  return listed.get(bytes)
}

/** A frozen item: all that is found out about it holds for ever. */
function frozen(item: unknown): unknown {
  return isObject(item) && !isNestedDeep(item) ? freezeMessage(item as object as Message) : item
}

/** Where the first item of a body's list begins. Undefined when it has none, or an empty one. */
function listStart(bytes: Buffer, list: string): number | undefined {
  let at = skipBlanks(bytes, 0)
  if (bytes[at] !== SIGN.open) return undefined
  do {
    const name = skipBlanks(bytes, at + 1)
    const nameEnd = valueEnd(bytes, name)
    const value = skipBlanks(bytes, skipBlanks(bytes, nameEnd) + 1)
    if (bytes.toString('utf8', name, nameEnd) === `"${list}"`) {
      const first = skipBlanks(bytes, value + 1)
      return bytes[value] === SIGN.openList && bytes[first] !== SIGN.closeList ? first : undefined
    }
    at = skipBlanks(bytes, valueEnd(bytes, value))
  } while (bytes[at] === SIGN.comma)
  return undefined
}

/** The signs of JSON, as bytes: no other character of UTF-8 has one of them in it. */
const SIGN = { quote: 34, comma: 44, openList: 91, slash: 92, closeList: 93, open: 123, close: 125 }
const isBlank = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9

/** One behind a JSON value. For what is not JSON it is anywhere: parsing finds that. */
function valueEnd(bytes: Buffer, start: number): number {
  let depth = 0
  let at = start
  do {
    const sign = bytes[at]
    if (sign === SIGN.quote) at = stringEnd(bytes, at)
    else if (sign === SIGN.comma && depth === 0) return at
    else {
      if (sign === SIGN.open || sign === SIGN.openList) depth++
      else if (sign === SIGN.close || sign === SIGN.closeList) depth--
      else if (isBlank(sign) && depth === 0) return at
      if (depth < 0) return Math.max(at, start + 1)
      at++
    }
    // A text, a list or an object is over with its last sign; a number goes on to the next one.
    if (depth === 0 && (sign === SIGN.quote || sign === SIGN.close || sign === SIGN.closeList)) return at
  } while (at < bytes.length)
  return at
}

function stringEnd(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(SIGN.quote, start + 1); end !== -1; end = bytes.indexOf(SIGN.quote, end + 1)) {
    let slashes = 0
    while (bytes[end - 1 - slashes] === SIGN.slash) slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return bytes.length
}

export function skipBlanks(bytes: Buffer, start: number): number {
  let at = start
  while (isBlank(bytes[at])) at++
  return at
}

/** A number of tokens. Undefined for everything else. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
