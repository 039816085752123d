import type { MessageDigest } from '../message-digest.ts'
import type { Identifier } from './identifier.ts'

/** An identifier with what it is worth per token of room. */
export interface RankedIdentifier extends Identifier {
  readonly score: number
}

/**
 * How fast a mention loses its power to predict the next one: need falls with the square root of the time
 * since a mention, and mentions add up (Anderson & Schooler 1991, "Reflections of the environment in memory").
 */
const DECAY = 0.5
/** Messages added to every age: within the last few, which came last says little. */
const RECENT = 5
/** Mentions that an identifier of an earlier list stands for: it was chosen among many. */
const MENTIONS_BEFORE = 2

/**
 * Identifiers by the odds that a later turn needs them, per token of room; the most valuable first. `previous`
 * are those of an earlier list, most valuable first in each kind.
 */
export function rankIdentifiers(digests: readonly MessageDigest[], previous: readonly Identifier[]): RankedIdentifier[] {
  const sums = new Map<string, { identifier: Identifier; sum: number }>()
  const mention = (identifier: Identifier, amount: number): void => {
    const entry = sums.get(identifier.text)
    if (entry === undefined) sums.set(identifier.text, { identifier, sum: amount })
    else entry.sum += amount
  }
  for (const [rank, identifier] of ranksWithinKinds(previous))
    mention(identifier, MENTIONS_BEFORE * (digests.length + RECENT + rank) ** -DECAY)
  for (const [index, { role, identifiers }] of digests.entries()) {
    const need = (digests.length - index + RECENT) ** -DECAY
    for (const identifier of identifiers) mention(identifier, need * precision(identifier, role === 'tool'))
  }
  const ranked = [...sums.values()].map(({ identifier, sum }): RankedIdentifier => {
    return { ...identifier, score: sum / estimatedTokens(identifier.text) }
  })
  return ranked.sort((a, b) => b.score - a.score)
}

/** Tokens that an identifier takes in a list, roughly: names are cut into pieces of about three characters. */
export function estimatedTokens(text: string): number {
  return 1 + text.length / 3
}

/** How likely it is that the wording is a name at all. Output is full of numbers and quoted words that are not. */
function precision({ text, kind }: Identifier, output: boolean): number {
  if (kind === 'number') return (/^\d+$/.test(text) ? 0.3 : 0.7) * (output ? 0.3 : 1)
  if (kind === 'quoted') return output ? 0.3 : 0.8
  return kind === 'symbol' && text.includes('-') && /^[a-z]+(?:-[a-z]+)+$/i.test(text) ? (output ? 0.3 : 0.6) : 1
}

/** Pairs each identifier with a rank: the first of every kind come before the second of any. */
function ranksWithinKinds(identifiers: readonly Identifier[]): [number, Identifier][] {
  const positions = new Map<string, number>()
  const pairs = identifiers.map((identifier): [number, Identifier] => {
    const position = positions.get(identifier.kind) ?? 0
    positions.set(identifier.kind, position + 1)
    return [position, identifier]
  })
  const kinds = Math.max(1, positions.size)
  return pairs.map(([position, identifier]) => [position * kinds, identifier])
}
