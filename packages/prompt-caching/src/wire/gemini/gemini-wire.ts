import { isObject, isSummary, type TokenCounter } from '@palimpsest/core'
import type { BlockKind, ReadBlock } from '../../layout/request-layout.ts'
import type { CacheWire } from '../cache-wire.ts'
import { listOf } from '../lists.ts'
import { mediaTokens, wireText } from '../wire-text.ts'
import {
  type GeminiContent,
  type GeminiInstruction,
  type GeminiPart,
  type GeminiRequest,
  partsOf,
} from './gemini-request.ts'

/**
 * Requests of `@google/genai`, for layouts and the simulator. Gemini knows no markers: `apply` and `strip` return the
 * request itself, implicit caching needs nothing, and `splitForCache` renders an anchor for explicit caching. A block
 * carries when an explicit cache can end with it: the last one of a content that calls no function.
 */
export const geminiWire: CacheWire<GeminiRequest> = {
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
    kind: isObject(tool) ? 'tool' : 'other',
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

/** Reads a part; whether it carries depends on the others beside it. */
function readGeminiPart(
  part: GeminiPart,
  role: string | undefined,
  tokens: TokenCounter,
): Omit<ReadBlock, 'carries'> {
  const kind = kindOf(part, role)
  const speaker = kind === 'tool-result' ? 'tool' : role === 'model' ? 'assistant' : 'user'
  const { text } = part
  return {
    kind,
    role: role === 'system' ? 'system' : speaker,
    content: wireText([role ?? 'user', part]),
    tokens: partTokens(kind, part, tokens),
    ...(speaker === 'user' &&
      text !== undefined &&
      isSummary({ role: 'user', content: text }) && { isSummary: true }),
  }
}

function kindOf(part: GeminiPart, role: string | undefined): BlockKind {
  if (part.thought === true) return 'thinking'
  if (part.functionCall) return 'tool-use'
  if (part.functionResponse) return 'tool-result'
  const media = part.inlineData ?? part.fileData
  if (media !== undefined) return media.mimeType?.startsWith('image/') === true ? 'image' : 'document'
  if (part.text === undefined) return 'other'
  return role === 'system' ? 'system' : 'text'
}

function partTokens(kind: BlockKind, part: GeminiPart, tokens: TokenCounter): number {
  if (part.text !== undefined) return tokens.countText(part.text)
  if (kind === 'image' || kind === 'document') {
    const { data = '', mimeType } = part.inlineData ?? part.fileData ?? {}
    return mediaTokens(kind, data, mimeType, tokens)
  }
  return tokens.countText(wireText(part.functionCall ?? part.functionResponse ?? part))
}
