import { staticCut } from '../static-text.ts'
import { type AiSdkSystemMessage, fieldsOf } from './ai-sdk-request.ts'

export interface CutInstructions {
  readonly pieces: readonly AiSdkSystemMessage[]
  /** Index of the piece that ends where the static part ends; undefined when no message had to be divided. */
  readonly cut?: number
}

/** Divides the message in which the static part of the system prompt ends; its options stay with the second half. */
export function cutInstructions(
  messages: readonly AiSdkSystemMessage[],
  staticSystem: number | undefined,
): CutInstructions {
  let left = staticSystem ?? 0
  for (const [index, message] of messages.entries()) {
    const text = fieldsOf(message).content
    const content = typeof text === 'string' ? text : ''
    const at = staticCut(content, left)
    if (at !== undefined) {
      const head = { role: 'system', content: content.slice(0, at) } as const
      const pieces = messages.toSpliced(index, 1, head, { ...message, content: content.slice(at) })
      return { pieces, cut: index }
    }
    left -= content.length
    if (left <= 0) break
  }
  return { pieces: messages }
}
