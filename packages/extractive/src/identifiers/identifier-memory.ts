import { checkMessage, createPause, isSummary, type Message } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { analyzeMessage } from '../analyze-message.ts'
import { worthReading } from '../worth-reading.ts'
import type { Identifier } from './identifier.ts'

/** Messages added to every age: within the last few, which came last says little. */
const RECENT = 5
/** Identifiers that are kept at most; beyond it the less needed half is forgotten. */
const MOST = 20_000
/** Weight of a mention in a tool's output, beside one by the user or the assistant. */
const OUTPUT_WEIGHT = 0.25
/** Members from which on a numbered series (E-000311, E-000312, …) counts as a table, whose rows are not named. */
const LONG_SERIES = 5

/** The identifiers of a conversation, with the places and numbers of their mentions. */
export interface IdentifierMemory {
  /** Number of identifiers that it knows. */
  readonly size: number
  /** Number of messages of the conversation, as far as it was told. */
  readonly messages: number
  /**
   * Takes in messages of which the first is number `from` of the conversation; later ones that it knew are forgotten.
   * Secrets are hidden before anything is remembered, and malformed messages are passed over.
   */
  add(messages: readonly Message[], from: number): void
  /** The same in slices, so that a long history holds up nothing else. Of a very long one, what is `worthReading`. */
  addInSlices(messages: readonly Message[], from: number): Promise<void>
  /** The most needed of what the memory knows, so many of them, the most needed first. */
  top(count: number): { readonly text: string; readonly score: number }[]
  /** Need of an identifier, per token of room; undefined when the memory does not know it. */
  worthOf(text: string): number | undefined
  /** The turn of the user that a message belongs to, from 1; undefined for a message that was not added. */
  turnOf(message: Message): number | undefined
  clear(): void
}

interface Entry {
  /** Weight of all mentions together. */
  weight: number
  readonly first: number
  /** The number of the message that mentioned it last. */
  last: number
}

/** A memory for the life of one session: names by how often they were used and how long ago. */
export function createIdentifierMemory(): IdentifierMemory {
  const entries = new Map<string, Entry>()
  let turns = new WeakMap<Message, number>()
  /** The numbers of the user's messages. */
  let asked: number[] = []
  let next = 0
  /** The assistant's last message, which a user's next one may answer. */
  let answered: Message | undefined

  const cut = (from: number): void => {
    answered = undefined
    asked = asked.filter((at) => at < from)
    for (const [text, entry] of entries) {
      if (entry.first >= from) entries.delete(text)
      if (entry.last < from) continue
      // Mentions are taken as evenly spread.
      entry.weight *= (from - entry.first) / (entry.last - entry.first + 1)
      entry.last = from - 1
    }
  }
  const mention = (text: string, weight: number): void => {
    const known = entries.get(text)
    if (known === undefined) entries.set(ownText(text), { weight, first: next - 1, last: next - 1 })
    else {
      known.weight += weight
      known.last = next - 1
    }
  }

  return {
    get size() {
      return entries.size
    },
    get messages() {
      return next
    },
    async addInSlices(messages, from) {
      this.add([], from)
      const pause = createPause()
      const read = new Set(worthReading(messages))
      for (const [index, message] of messages.entries()) {
        if (read.has(message)) this.add([message], from + index)
        else next = from + index + 1
        await pause()
      }
    },
    add(messages, from) {
      if (from < next) cut(from)
      for (const [index, message] of messages.entries()) {
        next = from + index + 1
        if (checkMessage(message).length > 0) continue
        const redacted = redactMessage(message)
        if (message.role === 'user' && !isSummary(message)) asked.push(next - 1)
        for (const one of [message, redacted]) turns.set(one, asked.length)
        const { identifiers, isOutput } = analyzeMessage(redacted, answered)
        if (message.role === 'assistant') answered = redacted
        const sizes = seriesSizes(identifiers)
        for (const [at, { text }] of identifiers.entries())
          mention(text, Math.min(1, LONG_SERIES / (sizes[at] ?? 1)) * (isOutput ? OUTPUT_WEIGHT : 1))
        if (entries.size <= MOST) continue
        // Half of them go at once, so that it is not done again for each new one.
        const { scores, least } = scored(entries, next, MOST / 2)
        let equals = MOST / 2 - scores.reduce((count, score) => (score > least ? count + 1 : count), 0)
        let at = 0
        for (const text of entries.keys()) {
          const score = scores[at++] ?? 0
          if (score < least || (score === least && equals-- <= 0)) entries.delete(text)
        }
      }
    },
    top: (count) => mostNeeded(entries, next, count),
    worthOf(text) {
      const entry = entries.get(text)
      return entry && worth(text, entry, next)
    },
    turnOf: (message) => turns.get(message),
    clear() {
      entries.clear()
      turns = new WeakMap()
      asked = []
      next = 0
      answered = undefined
    },
  }
}

function worth(text: string, { weight, last }: Entry, now: number): number {
  return weight * need(text, now - last)
}

/** The scores of all entries in their order, and the least one among the `count` highest. */
function scored(entries: ReadonlyMap<string, Entry>, now: number, count: number) {
  const scores = new Float64Array(entries.size)
  let at = 0
  for (const [text, entry] of entries) scores[at++] = worth(text, entry, now)
  // Sorting bare numbers costs little beside sorting what they belong to.
  return { scores, least: scores.toSorted()[Math.max(0, scores.length - count)] ?? 0 }
}

/** So many of the entries, the most needed first. */
function mostNeeded(entries: ReadonlyMap<string, Entry>, now: number, count: number) {
  const { scores, least } = scored(entries, now, count)
  const needed: { text: string; score: number }[] = []
  let at = 0
  for (const text of entries.keys()) {
    const score = scores[at++] ?? 0
    if (score >= least) needed.push({ text, score })
  }
  return needed.sort((a, b) => b.score - a.score).slice(0, count)
}

/** The memory that a caller passes, or one of the messages alone when it knows nothing. */
export function memoryOf(input: {
  readonly messages: readonly Message[]
  readonly memory?: IdentifierMemory | undefined
}): IdentifierMemory {
  if (input.memory !== undefined && input.memory.size > 0) return input.memory
  const memory = createIdentifierMemory()
  memory.add(input.messages, 0)
  return memory
}

/**
 * The need that one mention predicts some messages later, per token of room: need falls with the square root of the time
 * since (Anderson & Schooler 1991, "Reflections of the environment in memory").
 */
export function need(text: string, age: number): number {
  // Names are cut into tokens of about three characters.
  return 1 / Math.sqrt(age + RECENT) / (1 + text.length / 3)
}

/** For each name, how many of a text differ from it in their numbers only, itself included. */
function seriesSizes(identifiers: readonly Identifier[]): number[] {
  const stems = identifiers.map(({ text, kind }) =>
    (kind === 'symbol' || kind === 'reference') && /\d\d/.test(text)
      ? text.replace(/[\da-f]{2,}/gi, '0')
      : '',
  )
  const sizes = new Map<string, number>()
  for (const stem of stems) if (stem !== '') sizes.set(stem, (sizes.get(stem) ?? 0) + 1)
  return stems.map((stem) => sizes.get(stem) ?? 1)
}

/** A slice keeps the whole text alive that it was cut from. */
function ownText(text: string): string {
  return ` ${text}`.slice(1)
}
