import type { CompletionModel } from '@palimpsest/core'
import { summarizerRoom } from '@palimpsest/core/summarizer'

/** Tokens of a prompt's instructions, about. */
const FRAME_TOKENS = 500
/** Labels and numbers of serialised messages take about this share beside their text. */
const LABELS_SHARE = 0.15

/** The room of a summariser's window for one summary, in tokens. */
export interface NodeRoom {
  /** Length to ask for at most. */
  readonly target: number
  /** For messages or summaries. */
  readonly block: number
  /** For the summary before. */
  readonly before: number
  readonly leastWindow: number
  /** A summariser that is too small is not asked: then nothing is bounded by it, as by one whose window is unknown. */
  readonly isTooSmall: boolean
}

/** Shares out a summariser's window for a summary of `target` tokens. `quoted` is what else the prompt holds, in tokens. */
export function nodeRoom(model: CompletionModel | undefined, target: number, quoted = 0): NodeRoom {
  const window = model?.contextLength ?? Number.POSITIVE_INFINITY
  const room = summarizerRoom({ window, frameTokens: FRAME_TOKENS + quoted, maxTokens: target })
  const { leastWindow } = room
  const isTooSmall = window < leastWindow
  const none = Number.POSITIVE_INFINITY
  if (isTooSmall || window === none) return { target, block: none, before: none, leastWindow, isTooSmall }
  const block = Math.floor(room.conversation * (1 - LABELS_SHARE))
  return { target: room.answer, block, before: room.record, leastWindow, isTooSmall }
}
