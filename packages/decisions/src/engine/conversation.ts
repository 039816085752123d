import {
  type ConversationLog,
  checkMessage,
  isBridge,
  isSpoken,
  isSummary,
  type LogEntry,
  type Message,
  messageText,
  ownWords,
  redactMessage,
  type SeqRange,
} from '@palimpsest/core'
import type { SourceMessage } from '../log/source.ts'

export interface Query {
  readonly seq: number | undefined
  readonly text: string
}

const words = new WeakMap<Message, string>()

export class Conversation {
  readonly #log: ConversationLog
  #turns: number[] = []
  #edits = 0

  constructor(log: ConversationLog) {
    this.#log = log
  }

  get last(): number {
    return this.#log.entries[this.#length - 1]?.seq ?? -1
  }

  turnsFrom(seq: number): number {
    const turns = this.#countTurns()
    return (turns[this.#length - 1] ?? 0) - (turns[this.#indexOf(seq) - 1] ?? 0)
  }

  get query(): Query {
    const entry = this.#log.entries.findLast(({ message }) => isSpoken(message))
    return { seq: entry?.seq, text: entry === undefined ? '' : messageText(entry.message) }
  }

  has(seq: number): boolean {
    return this.#log.entries[this.#indexOf(seq)]?.seq === seq
  }

  said({ first, last }: SeqRange): SourceMessage[] {
    return this.#between(this.#indexOf(first), this.#indexOf(last + 1))
  }

  before(seq: number, count: number): SourceMessage[] {
    const index = this.#indexOf(seq)
    return this.#between(Math.max(0, index - count), index)
  }

  *newest(role?: SourceMessage['role']): Generator<SourceMessage, undefined> {
    const turns = this.#countTurns()
    for (let index = this.#length - 1; index >= 0; index--) {
      const entry = this.#log.entries[index]
      if (entry === undefined || (role !== undefined && entry.message.role !== role)) continue
      const found = sourceOf(entry, turns[index] ?? 0)
      if (found !== undefined) yield found
    }
    return undefined
  }

  get #length(): number {
    return this.#log.entries.length - this.#log.unsaved
  }

  #between(from: number, to: number): SourceMessage[] {
    const turns = this.#countTurns()
    return this.#log.entries
      .slice(from, Math.min(to, this.#length))
      .flatMap((entry, offset) => sourceOf(entry, turns[from + offset] ?? 0) ?? [])
  }

  #indexOf(seq: number): number {
    const { entries } = this.#log
    let [low, high] = [0, this.#length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((entries[middle]?.seq ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  #countTurns(): readonly number[] {
    const { entries, edits } = this.#log
    if (edits !== this.#edits) this.#turns = []
    this.#edits = edits
    for (let index = this.#turns.length; index < entries.length; index++) {
      const before = this.#turns[index - 1] ?? 0
      const message = entries[index]?.message
      this.#turns.push(message !== undefined && isTurn(message) ? before + 1 : before)
    }
    return this.#turns
  }
}

function isTurn(message: Message): boolean {
  return message.role === 'user' && !(isSound(message) && (isSummary(message) || isBridge(message)))
}

function isSound(message: Message): boolean {
  return checkMessage(message).length === 0
}

function sourceOf({ seq, message }: LogEntry, turn: number): SourceMessage | undefined {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return undefined
  const text = wordsOf(message)
  return text === '' ? undefined : { seq, turn, role, text }
}

export function wordsOf(message: Message): string {
  const known = words.get(message)
  if (known !== undefined) return known
  const text = isSound(message) ? saidIn(message) : ''
  const found = text.trim() === '' ? '' : text
  words.set(message, found)
  return found
}

function saidIn(message: Message): string {
  if (message.role === 'user')
    return isSpoken(message) ? ownWords(messageText(redactMessage(message))).trim() : ''
  return message.role === 'assistant' && !isBridge(message) ? messageText(redactMessage(message)) : ''
}
