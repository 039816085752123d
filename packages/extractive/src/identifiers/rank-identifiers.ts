import type { MessageDigest } from '../message-digest.ts'
import type { Identifier, IdentifierKind, Mention } from './identifier.ts'

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
export function rankIdentifiers(
  digests: readonly MessageDigest[],
  previous: readonly Identifier[],
): RankedIdentifier[] {
  const sums = new Map<string, { text: string; kind: IdentifierKind; score: number }>()
  const mention = (text: string, kind: IdentifierKind, amount: number): void => {
    const entry = sums.get(text)
    if (entry === undefined) sums.set(text, { text, kind, score: amount })
    else {
      entry.score += amount
      if (entry.kind === 'quoted') entry.kind = kind
    }
  }
  for (const [rank, { text, kind }] of ranksWithinKinds(previous))
    mention(text, kind, MENTIONS_BEFORE * (digests.length + RECENT + rank) ** -DECAY)
  for (const [index, { identifiers }] of digests.entries()) {
    const need = (digests.length - index + RECENT) ** -DECAY
    for (const { text, kind, precision } of identifiers) mention(text, kind, need * precision)
  }
  const ranked = [...sums.values()]
  for (const entry of ranked) entry.score /= estimatedTokens(entry.text)
  return ranked.sort((a, b) => b.score - a.score)
}

/** Identifiers as a digest keeps them. `output`: the text came from a tool. */
export function toMentions(identifiers: readonly Identifier[], output: boolean): Mention[] {
  const series = new Map<string, number>()
  for (const identifier of identifiers)
    if (isNumbered(identifier))
      series.set(stem(identifier.text), (series.get(stem(identifier.text)) ?? 0) + 1)
  return identifiers.map((identifier) => {
    const { text, kind } = identifier
    const members = isNumbered(identifier) ? (series.get(stem(text)) ?? 1) : 1
    return { text, kind, precision: precisionOf(text, kind, output) * Math.min(1, LONG_SERIES / members) }
  })
}

/** Members from which on a numbered series (E-000311, E-000312, …) counts as a table, whose rows nobody names. */
const LONG_SERIES = 5

function isNumbered({ text, kind }: Identifier): boolean {
  return (kind === 'symbol' || kind === 'reference') && /\d\d/.test(text)
}

function stem(text: string): string {
  return text.replace(/[\da-f]{2,}/gi, '0')
}

/** Tokens that an identifier takes in a list, roughly: names are cut into pieces of about three characters. */
export function estimatedTokens(text: string): number {
  return 1 + text.length / 3
}

/** How likely it is that the wording is a name at all. Output is full of numbers and quoted words that are not. */
function precisionOf(text: string, kind: IdentifierKind, output: boolean): number {
  if (kind === 'number') return (/^\d+$/.test(text) ? 0.3 : 0.7) * (output ? 0.3 : 1)
  if (kind === 'quoted') return output ? 0.3 : 0.8
  // A relative import names a file that is named better elsewhere; "/word" may be a pattern or a command.
  if (kind === 'path') return /^\.{1,2}\/|^\/[\w-]+$/.test(text) ? 0.5 : 1
  return kind === 'symbol' && text.includes('-') && /^[a-z]+(?:-[a-z]+)+$/i.test(text)
    ? output
      ? 0.3
      : 0.6
    : 1
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
