import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { aiSdkData, extrasOf, restoreExtras, withAiSdkData } from './ai-sdk-data.ts'
import { fromPart, isReasoning, toPart } from './parts.ts'
import { parseJson, stableJson } from './stable-json.ts'

/** The number of parts before a call, if not all are: reasoning may be removed later, and the rest keeps its order. */
interface Before {
  readonly content: number
  readonly reasoning: number
}

/** Calls that the provider ran itself are content: they need no answer. */
export function fromAssistant({ role, content, ...others }: Loose): Loose {
  const data = withAiSdkData({ ...extrasOf(others) })
  if (!Array.isArray(content)) return { role, content, ...data }
  const parts: unknown[] = []
  const calls: { readonly part: Loose; readonly before: Before }[] = []
  const before = (): Before => {
    const reasoning = parts.filter(isReasoning).length
    return { content: parts.length - reasoning, reasoning }
  }
  for (const part of content as unknown[]) {
    if (isOwnCall(part)) calls.push({ part, before: before() })
    else parts.push(fromPart(part))
  }
  const all = before()
  const toolCalls = calls.map(({ part, before: at }) =>
    fromCall(part, at.content === all.content && at.reasoning === all.reasoning ? undefined : at),
  )
  return {
    role,
    content: parts.length === 0 && calls.length > 0 ? null : parts,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...data,
  }
}

function isOwnCall(part: unknown): part is Loose {
  return (
    isObject(part) &&
    part.type === 'tool-call' &&
    part.providerExecuted !== true &&
    typeof part.toolCallId === 'string' &&
    typeof part.toolName === 'string'
  )
}

function fromCall(
  { type: _, toolCallId, toolName, input, ...others }: Loose,
  before: Before | undefined,
): Loose {
  return {
    id: toolCallId,
    type: 'function',
    function: { name: toolName, arguments: stableJson(input) ?? '{}' },
    ...withAiSdkData({ ...extrasOf(others), before }),
  }
}

export function toAssistant(message: Loose): Loose {
  const { role, content, tool_calls: calls, refusal } = message
  const refused = typeof refusal === 'string' && refusal !== '' ? [{ type: 'text', text: refusal }] : []
  const extras = restoreExtras(aiSdkData(message))
  const toolCalls = Array.isArray(calls) ? calls.filter(isObject) : []
  if (typeof content === 'string' && toolCalls.length === 0 && refused.length === 0)
    return { role, content, ...extras }
  const parts = typeof content === 'string' ? textParts(content) : Array.isArray(content) ? content : []
  return { role, content: inOrder([...parts, ...refused], toolCalls), ...extras }
}

function textParts(text: string): Loose[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function inOrder(parts: readonly unknown[], calls: readonly Loose[]): unknown[] {
  const ordered: unknown[] = []
  const waiting = [...calls]
  const reasoningLeft = parts.filter(isReasoning).length
  let content = 0
  let reasoning = 0
  const putCalls = () => {
    for (let call = waiting[0]; call !== undefined; call = waiting[0]) {
      const { before } = aiSdkData(call)
      if (!isBefore(before) || before.content > content) return
      if (Math.min(before.reasoning, reasoningLeft) > reasoning) return
      ordered.push(toCall(call))
      waiting.shift()
    }
  }
  for (const part of parts) {
    putCalls()
    ordered.push(toPart(part))
    if (isReasoning(part)) reasoning++
    else content++
  }
  return [...ordered, ...waiting.map(toCall)]
}

function isBefore(value: unknown): value is Before {
  return isObject(value) && typeof value.content === 'number' && typeof value.reasoning === 'number'
}

function toCall(call: Loose): Loose {
  const { before: _, ...data } = aiSdkData(call)
  const { name, arguments: text, input } = looseOf(call.type === 'custom' ? call.custom : call.function)
  const parsed = typeof text === 'string' ? parseJson(text) : undefined
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: name,
    input: parsed === undefined ? (text ?? input) : parsed.value,
    ...restoreExtras(data),
  }
}
