import { redactSecrets, type TokenCounter } from '@palimpsest/core'

/** Messages by their number in the conversation: the first one is 1. Both ends belong to it. */
export interface MessageRange {
  readonly from: number
  readonly to: number
}

/** One line of the index: which messages were left out, in order, and the words that tell most about them. */
export interface IndexEntry {
  readonly ranges: readonly MessageRange[]
  readonly words: readonly string[]
}

/** Words of an entry that stands for several earlier ones. */
const COARSE_ENTRY_WORDS = 12

const HEADING = `## Messages that were left out
Oldest first: the numbers of the messages, and the words that tell most about them. The tool topic_recall has their text.
`
const LINE = /^- ([\d, -]+):(.*)$/

/** The text of the summary message. */
export function renderIndex(entries: readonly IndexEntry[]): string {
  return HEADING + entries.map(renderEntry).join('\n')
}

function renderEntry({ ranges, words }: IndexEntry): string {
  const numbers = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
  return `- ${numbers}: ${redactSecrets(words.join(', '))}`
}

/** Reads back what `renderIndex` wrote; undefined for another text. */
export function parseIndex(text: string): IndexEntry[] | undefined {
  if (!text.startsWith(HEADING)) return undefined
  return text.split('\n').flatMap((line) => {
    const [, numbers = '', words = ''] = LINE.exec(line) ?? []
    const ranges = numbers.split(', ').map((range) => {
      const [from = 0, to = from] = range.split('-').map(Number)
      return { from, to }
    })
    const isValid = ranges.every(({ from, to }) => from > 0 && from <= to && Number.isSafeInteger(to))
    return isValid ? [{ ranges, words: words.match(/[^,\s]+/g) ?? [] }] : []
  })
}

/**
 * The index in so many tokens, if it can be: small entries become one with their neighbours first, and older ones
 * before newer ones. No number is ever lost.
 */
export function foldEntries(
  entries: readonly IndexEntry[],
  maxTokens: number,
  tokens: TokenCounter,
): readonly IndexEntry[] {
  const cost = (entry: IndexEntry): number => tokens.countText(renderEntry(entry)) + 1
  let size = entries.reduce((sum, entry) => sum + cost(entry), 0)
  let folded = entries
  for (let most = 2; size > maxTokens && folded.length > 1; most *= 2) {
    const next: IndexEntry[] = []
    for (const entry of folded) {
      const last = next.at(-1)
      const isSmall = last !== undefined && countNumbers(last) + countNumbers(entry) <= most
      if (size <= maxTokens || !isSmall) {
        next.push(entry)
        continue
      }
      const joined = joinEntries(last, entry)
      size += cost(joined) - cost(last) - cost(entry)
      next[next.length - 1] = joined
    }
    folded = next
  }
  return folded
}

function countNumbers({ ranges }: IndexEntry): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
}

function joinEntries(a: IndexEntry, b: IndexEntry): IndexEntry {
  const inTurn = a.words.flatMap((word, at) => [word, ...b.words.slice(at, at + 1)])
  const words = new Set([...inTurn, ...b.words.slice(a.words.length)])
  return { ranges: joinRanges([...a.ranges, ...b.ranges]), words: [...words].slice(0, COARSE_ENTRY_WORDS) }
}

/** The same numbers in as few ranges as possible, in order. */
export function joinRanges(ranges: readonly MessageRange[]): MessageRange[] {
  const joined: MessageRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last === undefined || range.from > last.to + 1) joined.push(range)
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
  }
  return joined
}
