import { createPause, freezeMessage, isObject, type Loose, type Message } from '@palimpsest/core'
import { GatewayFault } from '../http/gateway-fault.ts'
import { isNestedDeep } from '../is-nested-deep.ts'
import type { BodyMemory } from './body-memory.ts'

/**
 * Parses a body. Its list is parsed item by item, with pauses, and frozen; items that are known are not parsed again.
 *
 * @param list the name of the list that makes a body large.
 * @throws GatewayFault 400 for a body that is not a JSON object.
 */
export async function parseBody(text: string, list: string, memory: BodyMemory): Promise<Loose> {
  let body: unknown
  try {
    body = (await parseItems(text, list, memory)) ?? JSON.parse(text)
  } catch (cause) {
    throw new GatewayFault(400, 'invalid_json', `the body must be JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}

/** Undefined for a text that has no such list, or is not quite what it seems. @throws SyntaxError */
async function parseItems(text: string, list: string, memory: BodyMemory): Promise<Loose | undefined> {
  const start = listStart(text, list)
  if (start === undefined) return undefined
  const pause = createPause()
  const known = memory.find(text)
  const items = [...known.items]
  const ends = [...known.ends]
  let at = items.length > 0 ? skipBlanks(text, ends.at(-1) ?? 0) : start - 1
  while (items.length === 0 || text.charAt(at) === ',') {
    const begin = skipBlanks(text, at + 1)
    const end = valueEnd(text, begin)
    items.push(frozen(JSON.parse(text.slice(begin, end))))
    ends.push(end)
    at = skipBlanks(text, end)
    await pause()
  }
  const rest: unknown = JSON.parse(`${text.slice(0, start)}${text.slice(at)}`)
  if (!isObject(rest) || !Array.isArray(rest[list]) || rest[list].length > 0) return undefined
  memory.remember(text, { items, ends }, known.before)
  rest[list] = items
  return rest
}

/** Whatever is found out about an item that is frozen holds for ever. */
function frozen(item: unknown): unknown {
  return isObject(item) && !isNestedDeep(item) ? freezeMessage(item as object as Message) : item
}

/** Where the first item of a body's list begins. Undefined when it has none, or an empty one. */
function listStart(text: string, list: string): number | undefined {
  let at = skipBlanks(text, 0)
  if (text.charAt(at) !== '{') return undefined
  do {
    const name = skipBlanks(text, at + 1)
    const nameEnd = valueEnd(text, name)
    const value = skipBlanks(text, skipBlanks(text, nameEnd) + 1)
    if (text.slice(name, nameEnd) === `"${list}"`) {
      const first = skipBlanks(text, value + 1)
      return text.charAt(value) === '[' && text.charAt(first) !== ']' ? first : undefined
    }
    at = skipBlanks(text, valueEnd(text, value))
  } while (text.charAt(at) === ',')
  return undefined
}

const BRACKET_OR_QUOTE = /["{}[\]]/g
const PLAIN_END = /[,\]}\s]|$/g

/** One behind a JSON value. For what is not JSON it is anywhere: parsing finds that. */
function valueEnd(text: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const sign = text.charAt(at)
    if (sign === '"') at = stringEnd(text, at)
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else return next(PLAIN_END, text, at)
    if (sign !== '"') at++
    if (depth > 0) at = next(BRACKET_OR_QUOTE, text, at)
  } while (depth > 0 && at < text.length)
  return at
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charAt(end - 1 - slashes) === '\\') slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return text.length
}

function next(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.index ?? text.length
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (/[ \t\n\r]/.test(text.charAt(at))) at++
  return at
}

/** A number of tokens. Undefined for everything else. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
