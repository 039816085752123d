import { isSummary, type TokenCounter } from '@palimpsest/core'
import type { BlockKind, ReadBlock } from '../../layout/request-layout.ts'
import { mediaTokens } from '../media-tokens.ts'
import { wireText } from '../wire-text.ts'
import type { GeminiPart } from './gemini-request.ts'

/** Reads a part; whether it carries depends on the others beside it. */
export function readGeminiPart(
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
