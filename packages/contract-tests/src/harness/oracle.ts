import { isDeepStrictEqual } from 'node:util'
import type { Message } from '@palimpsest/core'

/** The promise about a projection that is broken. */
export type Aspect =
  /** Only messages, of the known roles. */
  | 'roles'
  /** The system prompt of the history is first, its text whole, behind it one note at most. */
  | 'system'
  /** No system prompt but the first message. */
  | 'single system'
  /** No two user or assistant turns in a row that were apart. */
  | 'neighbours'
  /** The last user message is there verbatim, behind all earlier ones: what the user said, or what a host inserted behind it. */
  | 'last user'
  /** Kept messages stand in the order of the history. */
  | 'order'
  /** Every tool result has an open call before it. */
  | 'results'
  /** Every call has its result directly behind it. */
  | 'calls'
  /** The calls of one message stay together, all of them or none. */
  | 'groups'
  /** Arguments of calls parse as JSON. */
  | 'arguments'
  /** Ids of calls are those of the history. */
  | 'ids'

export interface Fault {
  readonly aspect: Aspect
  /** One sentence for a person. */
  readonly text: string
}

type Say = (aspect: Aspect, text: string) => void
type Judge = (projection: readonly Message[], history: readonly Message[], say: Say) => void

/**
 * The faults of a projection of a history, judged from the raw messages alone: none of the checks of core is
 * used, so that a mistake there does not hide one here. Written for plainness, not for speed.
 */
export function judge(projection: readonly Message[], history: readonly Message[]): Fault[] {
  if (!Array.isArray(projection)) throw new Error(`messages is ${typeof projection} instead of a list`)
  const faults: Fault[] = []
  const say: Say = (aspect, text) => faults.push({ aspect, text })
  for (const [index, message] of projection.entries()) {
    if (typeof message !== 'object' || message === null)
      say('roles', `message ${index} is ${String(message)}`)
  }
  // Nothing else can be said about a list with holes.
  if (faults.length > 0) return faults
  for (const judgeAspect of JUDGES) judgeAspect(projection, history, say)
  return faults
}

const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']
const isSystem = (message: Message | undefined) => message?.role === 'system' || message?.role === 'developer'

/** All text of a message, parts joined. */
export function plainText({ content }: Message): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { text?: unknown } | null) => String(part?.text ?? ''))
    .filter((text) => text !== '')
    .join('\n')
}

const judgeRoles: Judge = (projection, _history, say) => {
  for (const [index, { role }] of projection.entries()) {
    if (!ROLES.includes(role)) say('roles', `message ${index} has the role ${String(role)}`)
  }
}

const judgeSystem: Judge = (projection, history, say) => {
  for (const [index, message] of projection.entries()) {
    if (index > 0 && isSystem(message)) say('single system', `a system prompt stands at ${index}`)
  }
  const [first] = history
  if (first === undefined || !isSystem(first)) return
  const [kept] = projection
  if (kept === undefined || !isSystem(kept))
    return say('system', 'the system prompt is not the first message')
  const text = plainText(first)
  if (!plainText(kept).startsWith(text)) return say('system', 'the text of the system prompt was changed')
  const note = plainText(kept).slice(text.length)
  if (isRepetition(note))
    say('system', `the note behind the system prompt stands there more than once: ${note.trim()}`)
}

/** A shorter note, such as a line of dashes, may repeat itself by nature. In characters. */
const SHORTEST_NOTE = 8

/** True for a text that is another one two or more times, with any white space between. */
function isRepetition(text: string): boolean {
  const dense = text.replaceAll(/\s+/g, '')
  for (let length = SHORTEST_NOTE; length <= dense.length / 2; length++) {
    const times = dense.length / length
    if (Number.isInteger(times) && dense.slice(0, length).repeat(times) === dense) return true
  }
  return false
}

const judgeTools: Judge = (projection, history, say) => {
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
  const ends = new Set(callsOf(history.findLast((message) => message?.role !== 'tool')).map(({ id }) => id))
  for (const id of open) if (!ends.has(id)) say('calls', `call ${id} has no result`)
}

const judgeGroups: Judge = (projection, history, say) => {
  const groups = history.map(idsOf).filter(({ length }) => length > 0)
  for (const [index, message] of projection.entries()) {
    const ids = idsOf(message)
    const touched = groups.filter((group) => group.some((id) => ids.includes(id)))
    const isWhole = touched.some(
      (group) => group.length === ids.length && group.every((id) => ids.includes(id)),
    )
    if (touched.length === 0 || isWhole) continue
    const were = touched.map((group) => group.join(', ')).join(' and ')
    say('groups', `message ${index} has the calls ${ids.join(', ')}; in the history they are ${were}`)
  }
}

const judgeNeighbours: Judge = (projection, history, say) => {
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
  return one?.role === other?.role && plainText(one) === plainText(other)
}

const judgeLastUser: Judge = (projection, history, say) => {
  const users = history.filter((message) => message?.role === 'user')
  const spoken = users.findLastIndex((message) => !isInserted(message))
  const written = users.map(({ content }) => content)
  if (written.length === 0) return
  const isOneOf = (contents: readonly unknown[]) => (message: Message) =>
    message.role === 'user' && contents.some((content) => isDeepStrictEqual(content, message.content))
  if (spoken !== -1 && spoken !== written.length - 1 && projection.some(isOneOf([written[spoken]]))) return
  // An engine need not know what hosts insert.
  const at = projection.findLastIndex(isOneOf([written.at(-1)]))
  if (at === -1) return say('last user', 'the last user message is not there verbatim')
  // Users say the same twice: what stands before an earlier message is the first time, and the last is gone.
  if (projection.slice(at + 1).some(isOneOf(written)))
    say('last user', 'the last user message is not behind all earlier ones')
}

/** True for a message in the user's role in which a host says something, and the user nothing. */
function isInserted(message: Message): boolean {
  const text = plainText(message).trim()
  return text.startsWith('<system-reminder>') && text.endsWith('</system-reminder>')
}

const judgeOrder: Judge = (projection, history, say) => {
  let next = 0
  for (const [index, message] of projection.entries()) {
    if (isSystem(message)) continue
    // Texts alone tell most messages apart.
    const isIt = (other: Message) =>
      (typeof other?.content !== 'string' || other.content === message.content) &&
      isDeepStrictEqual(other, message)
    const at = history.findIndex((other, position) => position >= next && isIt(other))
    if (at !== -1) next = at + 1
    else if (history.some(isIt)) say('order', `message ${index} stands behind one that it preceded`)
  }
}

const JUDGES: readonly Judge[] = [
  judgeRoles,
  judgeSystem,
  judgeTools,
  judgeGroups,
  judgeNeighbours,
  judgeLastUser,
  judgeOrder,
]

/** The calls of a message with their arguments, which are undefined for a tool that takes free text. */
function callsOf(message: Message | undefined): { readonly id: string; readonly json: string | undefined }[] {
  if (message?.role !== 'assistant' || !Array.isArray(message.tool_calls)) return []
  return message.tool_calls.flatMap((call) =>
    typeof call?.id === 'string'
      ? [{ id: call.id, json: call.type === 'custom' ? undefined : (call.function?.arguments ?? '') }]
      : [],
  )
}

/** Each id once, even if a broken history has it twice. */
function idsOf(message: Message | undefined): readonly string[] {
  return [...new Set(callsOf(message).map(({ id }) => id))]
}

function parses(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
