import { checkMessage, type Message } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { analyzeMessage } from '../analyze-message.ts'
import type { Identifier } from './identifier.ts'
import { needAfter, type RankedIdentifier, RECENT } from './need.ts'
import { scoreOfRank } from './score-of-rank.ts'

/** Mentions whose place is kept exactly; of older ones only what they weigh together and where they begin and end. */
const KEPT = 6
/** Identifiers that are kept at most; beyond it the less needed half is forgotten. */
const MOST = 20_000

/** What a conversation has mentioned, with when and how often, from its first message on. */
export interface IdentifierMemory {
  /** How many identifiers it knows. */
  readonly size: number
  /** How many messages the conversation has, as far as it was told. */
  readonly messages: number
  /**
   * Takes in messages of which the first is number `from` of the conversation; later ones that it knew are forgotten.
   * Secrets are hidden before anything is remembered, and malformed messages are passed over.
   */
  add(messages: readonly Message[], from: number): void
  /** The most needed of what the memory knows, so many of them, the most needed first. */
  top(count: number): RankedIdentifier[]
  /** What one of them is worth per token of room; undefined when the memory does not know it. */
  worthOf(text: string): number | undefined
  clear(): void
}

interface Entry {
  readonly identifier: Identifier
  /** The number of a message and what the mention weighs, in turn, oldest first: one list takes less than two. */
  mentions: number[]
  /** What all older mentions weigh together; 0 when there are none. */
  olderWeight: number
  /** The first and the last of them. */
  olderFirst: number
  olderLast: number
}

/**
 * A memory for the life of one session. A list that is made from the list before loses with each compaction how often
 * something was needed; this does not. The sum over mentions is exact for the newest ones and integrated over the rest
 * (Petrov 2006, "Computationally efficient approximation of the base-level learning equation in ACT-R").
 */
export function createIdentifierMemory(): IdentifierMemory {
  const entries = new Map<string, Entry>()
  let next = 0

  const cut = (from: number): void => {
    for (const [text, entry] of entries) {
      const { mentions } = entry
      while (mentions.length > 0 && (mentions.at(-2) ?? 0) >= from) mentions.length -= 2
      entry.olderWeight *= shareBefore(from, entry)
      entry.olderLast = Math.min(entry.olderLast, from - 1)
      if (mentions.length === 0 && entry.olderWeight === 0) entries.delete(text)
    }
  }
  const needs = (known: readonly Entry[]): Float64Array => {
    const scores = new Float64Array(known.length)
    for (let at = 0; at < known.length; at++) scores[at] = needOf(known[at] as Entry, next)
    return scores
  }
  /** Half of them go at once, so that it is not done again for each new one. */
  const shrink = (): void => {
    const known = [...entries.values()]
    const scores = needs(known)
    const least = scoreOfRank(scores, MOST / 2)
    let excess = known.length - MOST / 2
    for (const [at, { identifier }] of known.entries()) {
      if (excess === 0) return
      if ((scores[at] ?? 0) > least) continue
      entries.delete(identifier.text)
      excess--
    }
  }

  return {
    get size() {
      return entries.size
    },
    get messages() {
      return next
    },
    add(messages, from) {
      if (from < next) cut(from)
      for (const [index, message] of messages.entries()) {
        next = from + index + 1
        if (checkMessage(message).length > 0) continue
        const { identifiers, weights } = analyzeMessage(redactMessage(message)).mentions
        for (let at = 0; at < identifiers.length; at++) {
          const { text, kind } = identifiers[at] as Identifier
          const weight = weights[at] ?? 0
          const entry = entries.get(text)
          if (entry !== undefined) mention(entry, from + index, weight)
          else
            entries.set(text, {
              identifier: { text, kind },
              mentions: [from + index, weight],
              olderWeight: 0,
              olderFirst: 0,
              olderLast: 0,
            })
        }
        if (entries.size > MOST) shrink()
      }
    },
    top(count) {
      const known = [...entries.values()]
      const scores = needs(known)
      const least = scoreOfRank(scores, count)
      const ranked: RankedIdentifier[] = []
      for (const [at, { identifier }] of known.entries()) {
        const score = scores[at] ?? 0
        if (score >= least) ranked.push({ ...identifier, score })
      }
      return ranked.sort((a, b) => b.score - a.score).slice(0, count)
    },
    worthOf(text) {
      const entry = entries.get(text)
      return entry && needOf(entry, next)
    },
    clear() {
      entries.clear()
      next = 0
    },
  }
}

function mention(entry: Entry, time: number, weight: number): void {
  const { mentions } = entry
  mentions.push(time, weight)
  if (mentions.length <= 2 * KEPT) return
  const [first = 0, oldest = 0] = mentions.splice(0, 2)
  if (entry.olderWeight === 0) entry.olderFirst = first
  entry.olderLast = first
  entry.olderWeight += oldest
}

/** How much of the older mentions, taken as evenly spread, came before a message. */
function shareBefore(from: number, { olderFirst, olderLast }: Entry): number {
  if (from > olderLast) return 1
  return Math.max(0, from - olderFirst) / (olderLast - olderFirst + 1)
}

/** The need for an identifier at a message. */
function needOf({ mentions, olderWeight, olderFirst, olderLast }: Entry, now: number): number {
  let sum = 0
  for (let at = 0; at < mentions.length; at += 2)
    sum += needAfter(now - (mentions[at] as number)) * (mentions[at + 1] as number)
  if (olderWeight === 0) return sum
  // The mean of x^-0.5 between the two ages.
  const [far, near] = [now - olderFirst + RECENT, now - olderLast + RECENT]
  const mean =
    far === near ? needAfter(now - olderFirst) : (2 * (Math.sqrt(far) - Math.sqrt(near))) / (far - near)
  return sum + mean * olderWeight
}
