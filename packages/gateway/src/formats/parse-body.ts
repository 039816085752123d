import { createPause, freezeMessage, isObject, type Loose, type Message } from '@palimpsest/core'
import { GrowingList } from '../growing-list.ts'
import { GatewayFault } from '../http/gateway-fault.ts'
import { isNestedDeep } from '../parse-json.ts'
import { bytesBetween, type ReadItems, type ReceivedBody } from './body-memory.ts'

/**
 * Parses a body. Its list is parsed item by item, with pauses, and frozen; items that are known are not parsed again.
 *
 * @throws GatewayFault 400 for a body that is not a JSON object.
 */
export async function parseBody(received: ReceivedBody): Promise<Loose> {
  let body: unknown
  try {
    body = (await parseItems(received)) ?? JSON.parse(Buffer.concat(bytesBetween(received, 0)).toString())
  } catch (cause) {
    throw new GatewayFault(400, 'invalid_json', `the body must be JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}

/** Undefined for bytes that have no such list, or are not quite what they seem. @throws SyntaxError */
async function parseItems(body: ReceivedBody): Promise<Loose | undefined> {
  const { list, head, tail, known } = body
  const start = known?.start ?? listStart(tail, list)
  if (start === undefined) return undefined
  const pause = createPause()
  const news: unknown[] = []
  let ends = known?.ends ?? new GrowingList<number>()
  // The rest of the list is in the second piece.
  let at = known === undefined ? start - 1 : skipBlanks(tail, (ends.at(-1) ?? 0) - head.length)
  while (ends.length === 0 || tail[at] === SIGN.comma) {
    const begin = skipBlanks(tail, at + 1)
    const end = valueEnd(tail, begin)
    news.push(frozen(JSON.parse(tail.toString('utf8', begin, end))))
    ends = ends.with(head.length + end)
    at = skipBlanks(tail, end)
    const turn = pause()
    if (turn !== undefined) await turn
  }
  const beginning = Buffer.concat(bytesBetween(body, 0, start)).toString()
  const rest: unknown = JSON.parse(beginning + tail.toString('utf8', at))
  if (!isObject(rest) || !Array.isArray(rest[list]) || rest[list].length > 0) return undefined
  const items = (known?.items ?? []).concat(news)
  const read = { items, ends, start }
  body.remember(read)
  listed.set(body, read)
  rest[list] = items
  return rest
}

const listed = new WeakMap<ReceivedBody, ReadItems>()

/** The list of a body that was parsed; undefined where it has none. */
export function itemsOf(body: ReceivedBody): ReadItems | undefined {
  return listed.get(body)
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
export const SIGN = { quote: 34, comma: 44, openList: 91, slash: 92, closeList: 93, open: 123, close: 125 }
export const isBlank = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9

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

function skipBlanks(bytes: Buffer, start: number): number {
  let at = start
  while (isBlank(bytes[at])) at++
  return at
}

/** A number of tokens. Undefined for everything else. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
