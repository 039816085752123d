import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import { noteTurns } from './synthetic-turns.ts'

const NOTES_PER_EPOCH = 5

export interface RecallLogInput {
  readonly tokens: TokenCounter
  readonly recallTokens: number
  seqOf(message: Message | undefined): number | undefined
}

export class RecallLog {
  tokens = 0
  turnTokens = 0
  readonly #input: RecallLogInput
  readonly #notes = new Map<number, string>()

  constructor(input: RecallLogInput) {
    this.#input = input
  }

  get room(): number {
    const { recallTokens } = this.#input
    return Math.min(recallTokens, recallTokens * NOTES_PER_EPOCH - this.tokens)
  }

  has(seq: number | undefined): boolean {
    return seq !== undefined && this.#notes.has(seq)
  }

  add(seq: number, text: string): void {
    this.#notes.set(seq, text)
    this.tokens += text === '' ? 0 : this.#input.tokens.countText(text)
    this.turnTokens += this.sizeOf(text)
  }

  sizeOf(text: string): number {
    return text === '' ? 0 : countMessages(this.#input.tokens, noteTurns(text, undefined))
  }

  /** `isWhole`: the query of each note is still in the messages. */
  place(messages: readonly Message[]): { readonly messages: readonly Message[]; readonly isWhole: boolean } {
    const missing = new Set([...this.#notes].flatMap(([seq, note]) => (note === '' ? [] : [seq])))
    const placed = messages.flatMap((message, index) => {
      const seq = this.#input.seqOf(message)
      const note = seq === undefined ? undefined : this.#notes.get(seq)
      if (seq === undefined || !note) return [message]
      missing.delete(seq)
      return [...noteTurns(note, messages[index - 1]), message]
    })
    return { messages: placed, isWhole: missing.size === 0 }
  }

  clear(): void {
    this.#notes.clear()
    this.tokens = 0
    this.turnTokens = 0
  }
}
