import type { Message } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import type { Identifier } from './identifier.ts'
import { needAfter, type RankedIdentifier, RECENT } from './need.ts'

/** Mentions whose place is kept exactly; of older ones only their number, their weight and where they begin. */
const KEPT = 6
/** Identifiers that are kept at most; beyond it the less needed half is forgotten. */
const MOST = 20_000

/** What a conversation has mentioned, with when and how often, from its first message on. */
export interface IdentifierMemory {
  /** How many identifiers it knows. */
  readonly size: number
  /** Takes in messages of which the first is number `from` of the conversation; later ones that it knew are forgotten. */
  add(messages: readonly Message[], from: number): void
  /** What the memory knows, the most needed first. */
  all(): RankedIdentifier[]
  /** What one of them is worth per token of room; undefined when the memory does not know it. */
  worthOf(text: string): number | undefined
  clear(): void
}

interface Entry {
  readonly identifier: Identifier
  /** Numbers of the messages, oldest first, and what each mention weighs. */
  times: number[]
  weights: number[]
  older: { readonly first: number; readonly weight: number } | undefined
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
      const kept = entry.times.filter((time) => time < from).length
      entry.times.length = kept
      entry.weights.length = kept
      if (entry.older !== undefined && entry.older.first >= from) entry.older = undefined
      if (kept === 0 && entry.older === undefined) entries.delete(text)
    }
  }
  const shrink = (): void => {
    const ranked = [...entries].sort(([, a], [, b]) => needOf(b, next) - needOf(a, next))
    for (const [text] of ranked.slice(MOST / 2)) entries.delete(text)
  }

  return {
    get size() {
      return entries.size
    },
    add(messages, from) {
      if (from < next) cut(from)
      for (const [index, message] of messages.entries()) {
        const { identifiers, weights } = analyzeMessage(message).mentions
        for (const [at, { text, kind }] of identifiers.entries()) {
          let entry = entries.get(text)
          if (entry === undefined) {
            entry = { identifier: { text, kind }, times: [], weights: [], older: undefined }
            entries.set(text, entry)
          }
          mention(entry, from + index, weights[at] ?? 0)
        }
        if (entries.size > MOST) shrink()
      }
      next = from + messages.length
    },
    all: () =>
      [...entries.values()]
        .map((entry) => ({ ...entry.identifier, score: needOf(entry, next) }))
        .sort((a, b) => b.score - a.score),
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
  entry.times.push(time)
  entry.weights.push(weight)
  if (entry.times.length <= KEPT) return
  const [first, oldest] = [entry.times.shift() ?? 0, entry.weights.shift() ?? 0]
  const { older } = entry
  entry.older = {
    first: older?.first ?? first,
    weight: (older?.weight ?? 0) + oldest,
  }
}

/** The need for an identifier at a message. */
function needOf({ times, weights, older }: Entry, now: number): number {
  let sum = 0
  for (const [index, time] of times.entries()) sum += needAfter(now - time) * (weights[index] ?? 0)
  if (older === undefined) return sum
  // The mean of x^-0.5 between the two ages.
  const [far, near] = [now - older.first + RECENT, now - (times[0] ?? now) + RECENT]
  const mean =
    far === near ? needAfter(now - older.first) : (2 * (Math.sqrt(far) - Math.sqrt(near))) / (far - near)
  return sum + mean * older.weight
}
