import type { Identifier, IdentifierKind } from './identifier.ts'
import { type Wording, wordingOf } from './wording.ts'

/** The identifiers of one message as a digest keeps them: entry by entry in three lists, for fast sums. */
export interface Mentions {
  readonly identifiers: readonly (Identifier & { readonly wording: Wording })[]
  /** The numbers of their wordings. */
  readonly ids: Uint32Array
  /** What one mention adds to the worth of its wording per token of room. */
  readonly weights: Float32Array
}

/** Members from which on a numbered series (E-000311, E-000312, …) counts as a table, whose rows nobody names. */
const LONG_SERIES = 5

/** Who brought a text: a user in their own words, the assistant (or a user's paste), or a tool's output. */
export type MentionSource = 'user' | 'assistant' | 'output'

/** The identifiers of a text as a digest keeps them. */
export function toMentions(identifiers: readonly Identifier[], source: MentionSource): Mentions {
  const series = new Map<string, number>()
  for (const identifier of identifiers)
    if (isNumbered(identifier))
      series.set(stem(identifier.text), (series.get(stem(identifier.text)) ?? 0) + 1)
  const named = identifiers.map(({ text, kind }) => {
    const wording = wordingOf(text)
    return { text: wording.text, kind, wording }
  })
  const weight = (identifier: Identifier): number => {
    const { text, kind } = identifier
    const members = isNumbered(identifier) ? (series.get(stem(text)) ?? 1) : 1
    return (worthOf(text, kind, source) * Math.min(1, LONG_SERIES / members)) / estimatedTokens(text)
  }
  return {
    identifiers: named,
    ids: Uint32Array.from(named, ({ wording }) => wording.id),
    weights: Float32Array.from(named, weight),
  }
}

/** Tokens that an identifier takes in a list, roughly: names are cut into pieces of about three characters. */
export function estimatedTokens(text: string): number {
  return 1 + text.length / 3
}

function isNumbered({ text, kind }: Identifier): boolean {
  return (kind === 'symbol' || kind === 'reference') && /\d\d/.test(text)
}

function stem(text: string): string {
  return text.replace(/[\da-f]{2,}/gi, '0')
}

/**
 * How much more often a name comes back that a user said, and how much less often one that only stood in a tool's output,
 * than one that the assistant wrote: in recorded sessions twice as often, and three to five times less often. Paths are
 * listed in order to be opened.
 */
const USER = 2
const OUTPUT = { name: 0.25, path: 0.5, address: 0.1 }

/** What a mention says of the next one. Output is full of numbers and quoted words that are no names at all. */
function worthOf(text: string, kind: IdentifierKind, source: MentionSource): number {
  return precisionOf(text, kind, source === 'output') * sourceWorth(kind, source)
}

function sourceWorth(kind: IdentifierKind, source: MentionSource): number {
  if (source !== 'output') return source === 'user' ? USER : 1
  return OUTPUT[kind === 'path' ? 'path' : kind === 'url' ? 'address' : 'name']
}

/** How likely it is that the wording is a name at all. */
function precisionOf(text: string, kind: IdentifierKind, output: boolean): number {
  if (kind === 'number') return output || /^\d+$/.test(text) ? 0.3 : 0.7
  if (kind === 'quoted' || kind === 'url') return 0.6
  // A relative import names a file that is named better elsewhere; "/word" may be a pattern or a command.
  if (kind === 'path') return /^\.{1,2}\/|^\/[\w-]+$/.test(text) ? 0.5 : 1
  // A hyphenated word is more often a word than a name.
  return kind === 'symbol' && /^[a-z]+(?:-[a-z]+)+$/i.test(text) ? 0.6 : 1
}
