import {
  contentParts,
  isInstruction,
  isObject,
  type Loose,
  looseOf,
  type Message,
  ModelError,
  messageText,
  type NativeCompaction,
  normalizeUsage,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { wellFormed, withDeadline } from '@palimpsest/provider-utils'
import type { ResponseCompactParams } from 'openai/resources/responses/responses'
import { openAiData } from './provider-data.ts'
import type { OpenAiSettings } from './resolve-options.ts'
import { toModelError } from './to-model-error.ts'

interface CompactCall {
  readonly messages: readonly Message[]
  readonly signal?: AbortSignal | undefined
}

export function compactOpenAi(
  settings: OpenAiSettings,
  { messages, signal: given }: CompactCall,
): Promise<NativeCompaction> {
  const { client: source, model, server, timeoutMs } = settings
  return withDeadline({ signal: given, timeoutMs }, async (signal) => {
    const [first] = messages
    const instructions = isInstruction(first) ? messageText(first) : ''
    const body = wellFormed({
      model,
      ...(instructions !== '' && { instructions }),
      input: messages.slice(isInstruction(first) ? 1 : 0).flatMap(toItems),
    } as object) as ResponseCompactParams
    try {
      const client = await source.get()
      const { output, usage } = looseOf(await client.responses.compact(body, { signal, timeout: timeoutMs }))
      const isWhole = Array.isArray(output) && output.some((item) => looseOf(item).type === 'compaction')
      if (!isWhole) throw new ModelError('empty', `${server} answered without a compaction; try again`)
      const data = { text: null, providerData: { openai: { compaction: output } } }
      return isObject(usage) ? { ...data, usage: normalizeUsage(usage) } : data
    } catch (error) {
      signal.throwIfAborted()
      throw toModelError(error, settings)
    }
  })
}

function toItems(message: Message): Loose[] {
  const { compaction, reasoning } = openAiData(message)
  if (Array.isArray(compaction)) return compaction as Loose[]
  const text = messageText(message)
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: text }]
  if (message.role !== 'assistant')
    return [{ type: 'message', role: message.role, content: userParts(message) }]
  const content = [{ type: 'output_text', text, annotations: [] }]
  const items: Loose[] = [
    ...(text === '' ? [] : [{ type: 'message', role: 'assistant', status: 'completed', content }]),
    ...toolCallsOf(message).map((call) => ({
      ...{ type: 'function_call', call_id: call.id, name: toolCallName(call) },
      arguments: toolCallInput(call),
    })),
  ]
  return [...(Array.isArray(reasoning) && items.length > 0 ? (reasoning as Loose[]) : []), ...items]
}

function userParts(message: Message): Loose[] {
  return contentParts(message).map((part) => {
    const { type, text, image_url: image, file } = looseOf(part)
    if (type === 'image_url') return { type: 'input_image', detail: 'auto', image_url: looseOf(image).url }
    if (type === 'file') return { type: 'input_file', ...looseOf(file) }
    return { type: 'input_text', text: typeof text === 'string' ? text : JSON.stringify(part) }
  })
}
