import { looseOf } from '@palimpsest/core'
import { parseJson } from '../parse-json.ts'

/** The type of an event, given its data: its name in formats whose events have one. Most begin with it. */
export function eventType(data: string): string | undefined {
  const first = /^\{"type":"([\w.]+)"/.exec(data)?.[1]
  if (first !== undefined) return first
  const { type } = looseOf(parseJson(data))
  return typeof type === 'string' ? type : undefined
}
