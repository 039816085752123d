import type { TokenCounter } from '@palimpsest/core'
import { countedText } from '../text/counted-text.ts'
import type { Identifier } from './identifier.ts'

/** Tokens that the label of a kind's line takes, at most. */
const LABEL_TOKENS = 4
/** Identifiers that did not fit, one after the other, after which no further are tried. */
const MAX_MISSES = 20

/**
 * The identifiers of a ranked list that fit into `room` tokens by the sum of their own counts, in rank order.
 * The lines that hold them can cost a little more or less than the sum: callers count what they print.
 */
export function fitIdentifiers(
  ranked: readonly Identifier[],
  room: number,
  tokens: TokenCounter,
): Identifier[] {
  const chosen: Identifier[] = []
  const kinds = new Set<string>()
  let left = room
  let misses = 0
  for (const identifier of ranked) {
    if (left < 2 || misses > MAX_MISSES) break
    const label = kinds.has(identifier.kind) ? 0 : LABEL_TOKENS
    const cost = countedText(tokens, ` ${identifier.text}`) + label
    if (cost > left) misses++
    else {
      left -= cost
      kinds.add(identifier.kind)
      chosen.push(identifier)
    }
  }
  return chosen
}
