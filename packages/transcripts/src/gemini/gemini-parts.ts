import {
  type ContentPart,
  isObject,
  type Loose,
  looseOf,
  type ToolCall,
  type ToolMessage,
} from '@palimpsest/core'
import { functionCall, imagePart, textPart, toolMessage } from '../build-message.ts'
import { nameOf, stringOf, toolArguments } from '../json.ts'

export interface GeminiParts {
  readonly parts: readonly ContentPart[]
  readonly calls: readonly ToolCall[]
  readonly results: readonly ToolMessage[]
  readonly reasoning: readonly Loose[]
}

export function geminiParts(content: unknown, callId = ''): GeminiParts {
  const parts: ContentPart[] = []
  const calls: ToolCall[] = []
  const results: ToolMessage[] = []
  const reasoning: Loose[] = []
  for (const each of Array.isArray(content) ? content : [content]) {
    const part = typeof each === 'string' ? { text: each } : looseOf(each)
    const { text, thought, inlineData, functionCall: call, functionResponse: result } = part
    if (thought === true) reasoning.push(part)
    else if (typeof text === 'string') parts.push(textPart(text))
    else if (isObject(call) && nameOf(call.name) !== undefined)
      calls.push(functionCall(nameOf(call.id) ?? callId, String(call.name), toolArguments(call.args)))
    else if (isObject(result)) results.push(toolMessage(nameOf(result.id) ?? callId, [outputOf(result)]))
    else if (isObject(inlineData) && typeof inlineData.data === 'string')
      parts.push(imagePart(stringOf(inlineData.mimeType) ?? 'image/png', inlineData.data))
    else if (Object.keys(part).length > 0) parts.push(textPart(JSON.stringify(part)))
  }
  return { parts, calls, results, reasoning }
}

function outputOf({ response }: Loose): ContentPart {
  const { output, error, ...others } = looseOf(response)
  const only = Object.keys(others).length === 0 ? (stringOf(output) ?? stringOf(error)) : undefined
  return textPart(only ?? JSON.stringify(response ?? {}))
}
