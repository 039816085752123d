import type { CompletionModel } from '@palimpsest/core'

/** What the instructions of a prompt take, in tokens, about. */
const FRAME_TOKENS = 500
/** Labels and numbers of serialised messages take about this share beside their text. */
const LABELS_SHARE = 0.15
/** The record before and the answer may be this much longer than asked. */
const LENGTH_SLACK = 1.25
/** A summariser that can read less than this at a time is of no use. */
const LEAST_BLOCK = 256

/**
 * What a summariser may read at a time, in tokens: its window without the instructions, the record before, and an
 * answer of `target` tokens. `quoted` is what else the prompt holds. Infinite for a window that is unknown; 0 for one
 * that is too small.
 */
export function readableBlock(model: CompletionModel | undefined, target: number, quoted = 0): number {
  if (model?.contextLength === undefined) return Number.POSITIVE_INFINITY
  const room = Math.floor((model.contextLength - besideBlock(target, quoted)) * (1 - LABELS_SHARE))
  return room >= LEAST_BLOCK ? room : 0
}

/** The smallest window of a summariser that is of use for summaries of `target` tokens, in tokens. */
export function leastWindow(target: number, quoted = 0): number {
  return Math.ceil(besideBlock(target, quoted) + LEAST_BLOCK / (1 - LABELS_SHARE))
}

function besideBlock(target: number, quoted: number): number {
  return FRAME_TOKENS + quoted + 2 * LENGTH_SLACK * target
}
