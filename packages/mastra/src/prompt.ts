import type { Processor } from '@mastra/core/processors'
import type { ModelRequest } from '@palimpsest/ai-sdk/conversation'
import type { ModelMessage } from 'ai'

type ProcessLLMRequest = NonNullable<Processor['processLLMRequest']>
export type ModelPrompt = Parameters<ProcessLLMRequest>[0]['prompt']

export function toModelRequest(prompt: ModelPrompt): ModelRequest {
  return { instructions: undefined, messages: prompt as unknown as readonly ModelMessage[] }
}

export function toPrompt({ instructions, messages }: ModelRequest): ModelPrompt {
  const note = instructions === undefined ? [] : [instructions].flat()
  const other = messages.findIndex(({ role }) => role !== 'system')
  const leading = other === -1 ? messages.length : other
  const request = [
    ...messages.slice(0, leading),
    ...note.map((said) => (typeof said === 'string' ? { role: 'system', content: said } : said)),
    ...messages.slice(leading).map(inParts),
  ]
  return request as unknown as ModelPrompt
}

function inParts(message: ModelMessage): unknown {
  if (typeof message.content !== 'string') return message
  return { ...message, content: [{ type: 'text', text: message.content }] }
}
