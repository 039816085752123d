import { isObject, type Loose, looseOf, type Message } from '@palimpsest/core'
import { aiSdkData, extrasOf, restoreExtras, withAiSdkData } from './ai-sdk-data.ts'
import { fromPart, mapContent, toPart } from './parts.ts'
import { parseJson, stableJson } from './stable-json.ts'

export type CallNames = Map<unknown, unknown>

interface Frame {
  readonly message?: Loose
  readonly messagesBefore?: readonly unknown[]
  readonly partsBefore?: readonly unknown[]
  readonly partsAfter?: readonly unknown[]
}

/**
 * Converts a run of tool messages to one message per result, directly after their call. A part other than a result
 * travels with the next result, or the last one before it in its message. Messages after the last result become user
 * messages, because the user gives approvals.
 */
export function fromToolMessages(run: readonly Loose[], names: CallNames): Loose[] {
  const messages: Loose[] = []
  let without: unknown[] = []
  for (const [index, { role: _, content, ...others }] of run.entries()) {
    const parts: readonly unknown[] = Array.isArray(content) ? content : []
    const results = parts.flatMap((part, at) => (isToolResult(part) ? [at] : []))
    if (results.length === 0) {
      without.push(run[index])
      continue
    }
    const extras = extrasOf(others)
    const isOwn = messages.length > 0 || without.length > 0 || Object.keys(extras).length > 0
    for (const [nth, at] of results.entries()) {
      const before = parts.slice(nth === 0 ? 0 : (results[nth - 1] ?? 0) + 1, at)
      const after = nth === results.length - 1 ? parts.slice(at + 1) : []
      const frame: Frame = {
        ...(nth === 0 && isOwn && { message: { ...extras } }),
        ...(nth === 0 && without.length > 0 && { messagesBefore: without }),
        ...(before.length > 0 && { partsBefore: before }),
        ...(after.length > 0 && { partsAfter: after }),
      }
      messages.push(fromResult(looseOf(parts[at]), frame, names))
    }
    without = []
  }
  return [...messages, ...without.map((message) => fromWithoutResults(looseOf(message)))]
}

function fromResult(part: Loose, frame: Frame, names: CallNames): Loose {
  const { type: _, toolCallId, toolName, output: said, ...others } = part
  const { content, output } = fromOutput(said)
  const data = {
    ...extrasOf(others),
    output,
    // The call names the tool; only a different name is stored.
    toolName: names.get(toolCallId) === toolName ? undefined : toolName,
    frame: Object.keys(frame).length === 0 ? undefined : frame,
  }
  return { role: 'tool', tool_call_id: toolCallId, content, ...withAiSdkData(data) }
}

function fromWithoutResults({ role, content, ...others }: Loose): Loose {
  return { role: 'user', content, ...withAiSdkData({ ...extrasOf(others), role }) }
}

/**
 * Removes answers to approvals around a result: they say nothing to a model once the tool has run, and
 * `convertToModelMessages` puts them elsewhere than the loop. Other messages stay unchanged.
 */
export function withoutApprovals(message: Message): Message {
  const { frame, ...data } = aiSdkData(message)
  if (!isObject(frame) || !hasOnlyApprovals(frame)) return message
  const { providerData: _, ...rest } = message
  return { ...rest, ...withAiSdkData(data) }
}

function hasOnlyApprovals({ message, messagesBefore, partsBefore, partsAfter }: Frame): boolean {
  if (Object.keys(looseOf(message)).length > 0) return false
  const before = listOf(messagesBefore).map(looseOf)
  const parts = [
    ...before.flatMap(({ content }) => listOf(content)),
    ...listOf(partsBefore),
    ...listOf(partsAfter),
  ]
  return parts
    .map(looseOf)
    .every((part) => part.type === 'tool-approval-response' && part.providerExecuted !== true)
}

export function toToolMessages(run: readonly Loose[], names: CallNames): Loose[] {
  const messages: { role: 'tool'; content: unknown[] }[] = []
  for (const result of run) {
    const { frame: framed, ...data } = aiSdkData(result)
    const frame = looseOf(framed)
    for (const message of listOf(frame.messagesBefore))
      if (isObject(message)) messages.push({ ...message, role: 'tool', content: listOf(message.content) })
    if (messages.length === 0 || isObject(frame.message))
      messages.push({ role: 'tool', content: [], ...restoreExtras(looseOf(frame.message)) })
    messages
      .at(-1)
      ?.content.push(...listOf(frame.partsBefore), toResult(result, data, names), ...listOf(frame.partsAfter))
  }
  return messages
}

function toResult(message: Loose, { output, toolName, ...data }: Loose, names: CallNames): Loose {
  const id = message.tool_call_id
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: toolName ?? names.get(id) ?? 'unknown',
    output: toOutput(message.content, output),
    ...restoreExtras(data),
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

const DENIED = 'Tool execution denied.'

interface ReadOutput {
  readonly content: unknown
  readonly output?: Loose
}

/** The content is complete, because an engine may shorten or summarise it; `output` only names the AI SDK's type. */
function fromOutput(output: unknown): ReadOutput {
  const { type, value, ...rest } = looseOf(output)
  const mark = (more: Loose = {}): { readonly output?: Loose } =>
    type === 'text' && Object.keys(rest).length === 0 ? {} : { output: { type, ...rest, ...more } }
  if ((type === 'text' || type === 'error-text') && typeof value === 'string')
    return { content: value, ...mark() }
  if ((type === 'json' || type === 'error-json') && value !== undefined)
    return { content: stableJson(value) ?? 'null', ...mark() }
  if (type === 'content' && Array.isArray(value)) return { content: mapContent(value, fromPart), ...mark() }
  if (type === 'execution-denied') {
    const { reason, ...others } = rest
    return typeof reason === 'string'
      ? { content: reason, output: { type, ...others, hasReason: true } }
      : { content: DENIED, output: { type, ...others } }
  }
  return { content: stableJson(output) ?? '', output: { type: 'unknown' } }
}

function toOutput(content: unknown, output: unknown): unknown {
  const { type, hasReason, ...rest } = looseOf(output)
  if (Array.isArray(content)) return { ...rest, type: 'content', value: mapContent(content, toPart) }
  const text = typeof content === 'string' ? content : ''
  if (type === 'json' || type === 'error-json' || type === 'unknown') {
    const parsed = parseJson(text)
    if (parsed === undefined) return { type: type === 'error-json' ? 'error-text' : 'text', value: text }
    return type === 'unknown' ? parsed.value : { ...rest, type, value: parsed.value }
  }
  if (type === 'execution-denied') {
    if (hasReason === true) return { ...rest, type, reason: text }
    if (text === DENIED) return { ...rest, type }
  }
  if (type === 'error-text' || type === 'text') return { ...rest, type, value: text }
  return { type: 'text', value: text }
}

function isToolResult(part: unknown): part is Loose & { readonly toolCallId: string } {
  return isObject(part) && part.type === 'tool-result' && typeof part.toolCallId === 'string'
}
