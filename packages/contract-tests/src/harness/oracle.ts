import { isDeepStrictEqual } from 'node:util'
import type { Message } from '@palimpsest/core'

/** Which promise about a projection is broken. */
export type Aspect =
  | 'roles'
  | 'system'
  | 'neighbours'
  | 'last user'
  | 'order'
  | 'results'
  | 'calls'
  | 'arguments'
  | 'ids'

export interface Fault {
  readonly aspect: Aspect
  /** One sentence for a person. */
  readonly text: string
}

/**
 * What is wrong with a projection of a history, judged from the raw messages alone: none of the checks of core is
 * used, so that a mistake there does not hide one here. Written for plainness, not for speed.
 */
export function judge(projection: readonly Message[], history: readonly Message[]): Fault[] {
  const faults: Fault[] = []
  const say = (aspect: Aspect, text: string) => faults.push({ aspect, text })
  for (const [index, message] of projection.entries()) {
    if (!ROLES.includes(message?.role)) say('roles', `message ${index} has the role ${String(message?.role)}`)
    if (index > 0 && isSystem(message)) say('system', `a system prompt stands at ${index}`)
  }
  if (faults.length > 0) return faults
  judgeSystem(projection, history, say)
  judgeTools(projection, history, say)
  judgeNeighbours(projection, history, say)
  judgeLastUser(projection, history, say)
  judgeOrder(projection, history, say)
  return faults
}

type Say = (aspect: Aspect, text: string) => void

const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']
const isSystem = (message: Message | undefined) => message?.role === 'system' || message?.role === 'developer'

/** All text of a message, parts joined. */
export function plainText({ content }: Message): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('\n')
}

function judgeSystem(projection: readonly Message[], history: readonly Message[], say: Say): void {
  const [first] = history
  if (first === undefined || !isSystem(first)) return
  const [kept] = projection
  if (kept === undefined || !isSystem(kept)) return say('system', 'the system prompt is gone')
  const text = plainText(first)
  if (!plainText(kept).startsWith(text)) return say('system', 'the text of the system prompt was changed')
  const note = plainText(kept).slice(text.length).trim()
  const half = note.slice(0, note.length / 2).trim()
  if (half.length > 0 && note.endsWith(half) && note.slice(half.length).trim() === half)
    say('system', 'the note behind the system prompt stands there twice')
}

function judgeTools(projection: readonly Message[], history: readonly Message[], say: Say): void {
  const known = new Set(history.flatMap(callsOf).map(({ id }) => id))
  let open = new Set<string>()
  for (const [index, message] of projection.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        say('results', `result ${message.tool_call_id} at ${index} has no open call`)
      continue
    }
    for (const id of open) say('calls', `call ${id} has no result before message ${index}`)
    open = new Set()
    for (const { id, json } of callsOf(message)) {
      open.add(id)
      if (!known.has(id)) say('ids', `call ${id} at ${index} is none of the history`)
      if (json !== undefined && !parses(json)) say('arguments', `the arguments of call ${id} are not JSON`)
    }
  }
  // A history may end between a call and its results.
  const ends = new Set(callsOf(history.findLast(({ role }) => role !== 'tool')).map(({ id }) => id))
  for (const id of open) if (!ends.has(id)) say('calls', `call ${id} has no result`)
}

function judgeNeighbours(projection: readonly Message[], history: readonly Message[], say: Say): void {
  for (const [index, message] of projection.entries()) {
    const previous = projection[index - 1]
    if (previous?.role !== message.role || (message.role !== 'user' && message.role !== 'assistant')) continue
    const stoodSo = history.some(
      (after, at) => at > 0 && isSameTurn(after, message) && isSameTurn(history[at - 1] as Message, previous),
    )
    if (!stoodSo) say('neighbours', `two ${message.role} turns in a row at ${index} that were apart`)
  }
}

function isSameTurn(one: Message, other: Message): boolean {
  return one.role === other.role && plainText(one) === plainText(other)
}

function judgeLastUser(projection: readonly Message[], history: readonly Message[], say: Say): void {
  const last = history.findLast(({ role }) => role === 'user')
  if (last === undefined) return
  const isKept = projection.some(
    ({ role, content }) => role === 'user' && isDeepStrictEqual(content, last.content),
  )
  if (!isKept) say('last user', 'the last user message is not there verbatim')
}

function judgeOrder(projection: readonly Message[], history: readonly Message[], say: Say): void {
  let next = 0
  for (const [index, message] of projection.entries()) {
    if (isSystem(message)) continue
    const isIt = (other: Message) => isDeepStrictEqual(other, message)
    const at = history.findIndex((other, position) => position >= next && isIt(other))
    if (at !== -1) next = at + 1
    else if (history.some(isIt)) say('order', `message ${index} stands behind one that it preceded`)
  }
}

function callsOf(message: Message | undefined): { readonly id: string; readonly json: string | undefined }[] {
  if (message?.role !== 'assistant') return []
  return (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    json: call.type === 'function' ? call.function.arguments : undefined,
  }))
}

function parses(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
