import type { AgentInputItem } from '@openai/agents'
import {
  hasReasoning,
  isInstruction,
  type Loose,
  looseOf,
  type Message,
  messageText,
  type Prepared,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { Unit } from './units.ts'

export function toItems(
  { messages, origins }: Pick<Prepared, 'messages' | 'origins'>,
  unitAt: (index: number) => Unit | undefined,
): AgentInputItem[] {
  const names = new Map<string, string>()
  return messages.flatMap((message, index) => {
    if (index === 0 && isInstruction(message)) return []
    for (const call of toolCallsOf(message)) names.set(call.id, toolCallName(call))
    const origin = origins[index]
    const unit = origin?.from === 'transcript' ? unitAt(origin.index) : undefined
    if (unit === undefined) return made(message, names) as AgentInputItem[]
    if (origin?.from === 'transcript' && origin.whole) return unit.items
    return changed(message, unit) as AgentInputItem[]
  })
}

function made(message: Message, names: ReadonlyMap<string, string>): Loose[] {
  const text = messageText(message)
  if (message.role === 'tool') {
    const callId = message.tool_call_id
    const name = names.get(callId) ?? 'unknown'
    return [{ type: 'function_call_result', callId, name, status: 'completed', output: text }]
  }
  if (message.role !== 'assistant') return [{ type: 'message', role: 'user', content: text }]
  const calls = toolCallsOf(message).map((call) => ({
    type: 'function_call',
    callId: call.id,
    name: toolCallName(call),
    arguments: toolCallInput(call),
    status: 'completed',
  }))
  return [...(text === '' ? [] : [answer(text)]), ...calls]
}

function answer(text: string): Loose {
  const content = [{ type: 'output_text', text }]
  return { type: 'message', role: 'assistant', status: 'completed', content }
}

/**
 * The items of a changed message: without reasoning, with texts cut. Their ids are removed, because OpenAI refuses an
 * item whose reasoning is missing.
 */
function changed(message: Message, { items, message: before }: Unit): Loose[] {
  const text = messageText(message)
  const isCut = text !== messageText(before)
  const inputs = new Map(toolCallsOf(message).map((call) => [call.id, toolCallInput(call)]))
  return items.map(looseOf).flatMap(({ id: _, ...item }): Loose[] => {
    const { type, role, callId } = item
    if (type === 'reasoning') return hasReasoning(message) ? [item] : []
    if (type === 'function_call')
      return [{ ...item, arguments: inputs.get(String(callId)) ?? item.arguments }]
    if (!isCut) return [item]
    if (role === 'assistant') return [answer(text)]
    return [role === undefined ? withOutput(item, text) : { ...item, content: text }]
  })
}

/** A shell's result has parts, and a screenshot has no text. */
function withOutput(item: Loose, text: string): Loose {
  const { type, output } = item
  if (type === 'computer_call_result' || !('output' in item)) return item
  if (type !== 'shell_call_output') return { ...item, output: text }
  const [first] = Array.isArray(output) ? output : []
  return { ...item, output: [{ ...looseOf(first), stdout: text, stderr: '' }] }
}
