import type { AgentInputItem } from '@openai/agents'
import { type AssistantMessage, type Loose, looseOf, type Message, type ToolCall } from '@palimpsest/core'

export interface Unit {
  readonly items: readonly AgentInputItem[]
  readonly message: Message
}

const KEY = 'openai-agents'

/**
 * Calls that need a result, and results. `function_call` and its result have a name; others are named by their type.
 */
const CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'computer_call',
  'shell_call',
  'apply_patch_call',
  'program',
])
const RESULTS: ReadonlySet<unknown> = new Set([
  'function_call_result',
  'computer_call_result',
  'shell_call_output',
  'apply_patch_call_output',
  'program_output',
])

/**
 * Groups items into units. The same list gives the same messages, whether it comes from a run or from a store. Items
 * without a wire shape are kept in `providerData['openai-agents']`: reasoning, provider tools, unknown items.
 */
export function toUnits(items: readonly AgentInputItem[]): Unit[] {
  const units: Unit[] = []
  let answer: AgentInputItem[] = []
  const flush = () => {
    if (answer.length > 0) units.push({ items: answer, message: fromAnswer(answer.map(looseOf)) })
    answer = []
  }
  for (const item of items) {
    const loose = looseOf(item)
    const message = isSpoken(loose) ? fromSpoken(loose) : isResult(loose) ? fromResult(loose) : undefined
    if (message === undefined) {
      answer.push(item)
      continue
    }
    flush()
    units.push({ items: [item], message })
  }
  flush()
  return units
}

const isCall = ({ type, callId }: Loose) => CALLS.has(type) && typeof callId === 'string'
const isResult = ({ type, callId }: Loose) => RESULTS.has(type) && typeof callId === 'string'
const isMessage = ({ type, role }: Loose) =>
  type === 'message' || (type === undefined && typeof role === 'string')
const isSpoken = (item: Loose) => isMessage(item) && item.role !== 'assistant'

/** A system message among the items becomes a user message, because only the first may be the system's. */
function fromSpoken({ role, content }: Loose): Message {
  const data = role === 'user' ? {} : { providerData: { [KEY]: { role } } }
  return { role: 'user', content: fromContent(content) as string, ...data }
}

function fromResult({ callId, output }: Loose): Message {
  const content = typeof output === 'string' || Array.isArray(output) ? output : [output]
  return { role: 'tool', tool_call_id: String(callId), content: fromContent(content) as string }
}

function fromAnswer(items: readonly Loose[]): AssistantMessage {
  const parts = items.filter(isMessage).flatMap(({ content }) => fromContent(content))
  const calls = items.filter(isCall).map(fromCall)
  const rest = items.filter((item) => !isMessage(item) && !isCall(item)).map(({ id: _, ...item }) => item)
  const reasoning = rest.filter(({ type }) => type === 'reasoning')
  const others = rest.filter(({ type }) => type !== 'reasoning')
  const data = { ...(reasoning.length > 0 && { reasoning }), ...(others.length > 0 && { items: others }) }
  return {
    role: 'assistant',
    content: parts.length === 0 ? null : (parts as AssistantMessage['content']),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(Object.keys(data).length > 0 && { providerData: { [KEY]: JSON.parse(JSON.stringify(data)) } }),
  } as AssistantMessage
}

function fromCall({
  type,
  id: _,
  callId,
  name,
  arguments: args,
  status: __,
  providerData: ___,
  ...rest
}: Loose): ToolCall {
  const isFunction = type === 'function_call'
  const call = isFunction
    ? { name: String(name), arguments: String(args) }
    : { name: String(type), arguments: JSON.stringify(rest) }
  return { id: String(callId), type: 'function', function: call }
}

function fromContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map(looseOf).map(({ providerData: _, ...part }) => {
    const { type, text, refusal, image, file, filename, audio, format } = part
    if (typeof text === 'string') return { type: 'text', text }
    if (type === 'refusal') return { type, refusal }
    if (typeof image === 'string') return { type: 'image_url', image_url: { url: image } }
    if (typeof file === 'string')
      return { type: 'file', file: { file_data: file, ...(filename !== undefined && { filename }) } }
    if (typeof audio === 'string') return { type: 'input_audio', input_audio: { data: audio, format } }
    return typeof type === 'string' ? part : { type: 'text', text: JSON.stringify(part) }
  })
}
