import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { BrokenEvent } from '../http/gateway-fault.ts'
import { isNestedDeep } from '../is-nested-deep.ts'
import { parseJson } from '../parse-json.ts'

/** The data of the event that ends streams of chat completions; proxies send it in other formats too. */
export const DONE = '[DONE]'

/**
 * Reads the data of an event. Undefined for one that says nothing.
 *
 * @throws BrokenEvent
 */
export function parseEvent(data: string): Loose | undefined {
  if (data.trim() === '' || data === DONE) return undefined
  const event = parseJson(data)
  if (event === undefined) throw new BrokenEvent('an event is not JSON')
  if (!isObject(event)) throw new BrokenEvent('an event is not a JSON object', false)
  if (isNestedDeep(event)) throw new BrokenEvent('an event is nested too deep')
  return event
}

/** The type of an event, given its data: its name in formats whose events have one. Most begin with it. */
export function eventType(data: string): string | undefined {
  const first = /^\{"type":"([\w.]+)"/.exec(data)?.[1]
  if (first !== undefined) return first
  const { type } = looseOf(parseJson(data))
  return typeof type === 'string' ? type : undefined
}
