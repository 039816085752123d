import type { Loose, Usage } from '@palimpsest/core'

/** A tool call as far as it has come. */
export interface PartialCall {
  /** Where the server says it stands among the calls, if it says so. */
  readonly index?: number
  id: string
  name: string
  /** JSON text as the model wrote it; a stream brings it in pieces. */
  args: string
  /** What else stood beside it, such as Google's thought signature; it goes back with the call. */
  extra: Loose
}

/** One answer of the model, whole: what a response says, or all chunks of a stream together. */
export interface Answer {
  content: string
  refusal: string
  /** Reasoning, in the field in which it came; what servers demand back with a tool call. */
  reasoning: Loose
  readonly calls: PartialCall[]
  finishReason?: string
  responseId?: string
  usage?: Usage
}

/** An answer of which nothing has come yet. */
export function emptyAnswer(): Answer {
  return { content: '', refusal: '', reasoning: {}, calls: [] }
}
