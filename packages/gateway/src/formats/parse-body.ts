import { createPause, isObject, type Loose } from '@palimpsest/core'
import { GatewayFault } from '../http/gateway-fault.ts'

/** Characters of a body that is parsed at once: a few milliseconds. */
const AT_ONCE = 500_000

/**
 * Parses a body. The list of a large one is parsed item by item, so that it holds up nothing else.
 *
 * @param list the name of the list that makes a body large.
 * @throws GatewayFault 400 for a body that is not a JSON object.
 */
export async function parseBody(text: string, list: string): Promise<Loose> {
  let body: unknown
  try {
    body = (text.length > AT_ONCE && (await parseItems(text, list))) || JSON.parse(text)
  } catch (cause) {
    throw new GatewayFault(400, 'invalid_json', `the body must be JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}

/** Undefined for a text that has no such list, or is not quite what it seems. @throws SyntaxError */
async function parseItems(text: string, list: string): Promise<Loose | undefined> {
  const start = listStart(text, list)
  if (start === undefined) return undefined
  const pause = createPause()
  const items: unknown[] = []
  let at = start - 1
  do {
    const begin = skipBlanks(text, at + 1)
    const end = valueEnd(text, begin)
    items.push(JSON.parse(text.slice(begin, end)))
    at = skipBlanks(text, end)
    await pause()
  } while (text.charAt(at) === ',')
  const rest: unknown = JSON.parse(`${text.slice(0, start)}${text.slice(at)}`)
  if (!isObject(rest) || !Array.isArray(rest[list]) || rest[list].length > 0) return undefined
  rest[list] = items
  return rest
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
