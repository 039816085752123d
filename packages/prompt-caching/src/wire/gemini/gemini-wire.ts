import type { TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../layout/request-layout.ts'
import { isFields, listOf } from '../fields.ts'
import type { WireFormat } from '../wire-format.ts'
import { wireText } from '../wire-text.ts'
import {
  type GeminiContent,
  type GeminiInstruction,
  type GeminiPart,
  type GeminiRequest,
  partsOf,
} from './gemini-request.ts'
import { readGeminiPart } from './read-gemini-part.ts'

/**
 * Requests of `@google/genai`, for layouts and the simulator. Gemini knows no markers: `apply` and `strip` return the
 * request itself, implicit caching needs nothing, and `splitForCache` renders an anchor for explicit caching. A block
 * carries when an explicit cache can end with it: the last one of a content that calls no function.
 */
export const geminiWire: WireFormat<GeminiRequest> = {
  name: 'gemini',
  parts({ model, contents, config }) {
    const { systemInstruction, tools, toolConfig, cachedContent } = config ?? {}
    return {
      tools: listOf(tools),
      system: systemInstruction === undefined ? null : { parts: instructionParts(systemInstruction) },
      messages: listOf(contents),
      firstMessage: 0,
      settings: { model, beforeSystem: { cachedContent }, beforeMessages: { toolConfig } },
    }
  },
  readTool: (tool, tokens) => readTool(tool, tokens),
  // A cache holds the system prompt as a whole: where its static part ends makes no difference.
  readSystem: (system, tokens) => readContent({ ...system, role: 'system' }, tokens),
  readMessage: (message, tokens) => readContent(message, tokens),
  apply: (request) => request,
  strip: (request) => request,
}

function readTool(tool: object, tokens: TokenCounter): ReadBlock {
  const content = wireText(tool)
  return {
    kind: isFields(tool) ? 'tool' : 'other',
    role: 'system',
    content,
    tokens: tokens.countText(content),
    carries: false,
  }
}

function readContent(content: GeminiContent, tokens: TokenCounter): ReadBlock[] {
  const parts = partsOf(content)
  const isWhole = parts.every(({ functionCall }) => !functionCall)
  return parts.map((part, at) => ({
    ...readGeminiPart(part, content.role, tokens),
    carries: isWhole && at === parts.length - 1,
  }))
}

function instructionParts(instruction: GeminiInstruction): readonly GeminiPart[] {
  if (typeof instruction === 'object' && 'parts' in instruction) return instruction.parts ?? []
  const parts = Array.isArray(instruction) ? instruction : [instruction]
  return parts.map((part) => (typeof part === 'string' ? { text: part } : part))
}
