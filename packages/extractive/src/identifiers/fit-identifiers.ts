import type { TokenCounter } from '@palimpsest/core'
import type { Identifier } from './identifier.ts'
import { identifierLines } from './identifier-lines.ts'
import { estimatedTokens } from './rank-identifiers.ts'

/** Trials to fill the room: each counts the tokens of the whole list once. */
const MAX_TRIALS = 5
/** A list that fills this much of the room is full. */
const FULL = 0.95

/**
 * The first identifiers of a ranked list whose lines fit into a number of tokens. `print` makes the text that
 * is counted. The result never exceeds `room`; it may be empty.
 */
export function fitIdentifiers(
  ranked: readonly Identifier[],
  room: number,
  tokens: TokenCounter,
  print: (lines: readonly string[]) => string,
  labelPrefix = '',
): readonly Identifier[] {
  if (room <= 0 || ranked.length === 0) return []
  let best: readonly Identifier[] = []
  let allowance = room
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const chosen = takeWithin(ranked, allowance)
    if (chosen.length === 0) break
    const cost = tokens.countText(print(identifierLines(chosen, labelPrefix)))
    if (cost <= room && chosen.length > best.length) best = chosen
    if (cost <= room && (chosen.length === ranked.length || cost >= FULL * room)) break
    // A small list is mostly labels: halve it rather than scale it.
    allowance *= cost <= room ? Math.min(3, (0.98 * room) / cost) : Math.max(0.3, Math.min(0.9, (0.95 * room) / cost))
  }
  return best
}

function takeWithin(ranked: readonly Identifier[], allowance: number): readonly Identifier[] {
  let sum = 0
  let count = 0
  for (const { text } of ranked) {
    sum += estimatedTokens(text)
    if (sum > allowance) break
    count++
  }
  return ranked.slice(0, count)
}
