import type { ProcessLLMResponseArgs } from '@mastra/core/processors'
import { looseOf, type ObservedResponse } from '@palimpsest/core'

export function readAnswer(chunks: ProcessLLMResponseArgs['chunks']): ObservedResponse | undefined {
  const of = (type: string) =>
    chunks.filter((chunk) => chunk.type === type).map(({ payload }) => looseOf(payload))
  const [finish] = of('finish')
  if (finish === undefined) return undefined
  const { usage } = looseOf(finish.output)
  const text = of('text-delta')
    .map((delta) => String(delta.text ?? ''))
    .join('')
  const calls = of('tool-call').map(({ toolCallId, toolName, args }) => ({
    id: String(toolCallId),
    type: 'function' as const,
    function: { name: String(toolName), arguments: JSON.stringify(args ?? {}) },
  }))
  const isCounted = looseOf(usage).inputTokens !== undefined
  return {
    message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) },
    ...(isCounted && { usage: looseOf(usage) }),
  }
}
