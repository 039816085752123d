import type { Loose, Usage } from '@palimpsest/core'
import type { StreamedCall } from '@palimpsest/provider-utils'

/** One answer of the model, whole: what a response says, or all chunks of a stream together. */
export interface Answer {
  content: string
  refusal: string
  /** Reasoning, in the field in which it came; what servers demand back with a tool call. */
  reasoning: Loose
  readonly calls: StreamedCall[]
  finishReason?: string
  responseId?: string
  usage?: Usage
}

/** An answer of which nothing has come yet. */
export function emptyAnswer(): Answer {
  return { content: '', refusal: '', reasoning: {}, calls: [] }
}
