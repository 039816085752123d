import { countMessages, isSummary, type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { escapeBlocks } from '../render/line-text.ts'
import { noteTurns } from './synthetic-turns.ts'

/** A note that was shown next to a query, and stays there. */
interface Recall {
  readonly turn: number
  /** The query's text, by which its place is recognised. */
  readonly query: string
  readonly text: string
}

/** Notes of one epoch together may take as many times the room for one. */
const NOTES_PER_EPOCH = 5

/**
 * Notes next to the queries of this epoch. Each stays at the query that it was made for: what was sent once is sent again in
 * the same place, so that a provider's cache keeps holding.
 */
export class RecallLog {
  /** Size of the notes, and of the turns that they stand in, in tokens. */
  tokens = 0
  turnTokens = 0
  readonly #counter: TokenCounter
  readonly #recallTokens: number
  readonly #recalls = new Map<number, Recall>()
  /** The notes of a memory on the last query that it was asked about. */
  #outside = { query: '', text: '' }

  /** `recallTokens`: the room of one note, in tokens. */
  constructor(counter: TokenCounter, recallTokens: number) {
    this.#counter = counter
    this.#recallTokens = recallTokens
  }

  /** Room of the next note, in tokens; not above 0 when there is none. */
  get room(): number {
    return Math.min(this.#recallTokens, this.#recallTokens * NOTES_PER_EPOCH - this.tokens)
  }

  /** True when there is a note, or the decision for none, for this turn's query. */
  has(turn: number, query: string): boolean {
    return this.#recalls.get(turn)?.query === query
  }

  /** Adds a note, with what a memory from outside has on the query behind it, in at most `room` tokens. */
  add(recall: Recall, recalled: string | undefined, room: number): void {
    const { turn, query } = recall
    if (recalled) this.#outside = { query, text: recalled }
    const text = [recall.text, this.fromMemory(query, room)].filter((part) => part !== '').join('\n')
    // A turn that is said anew takes those behind it along.
    for (const later of this.#recalls.keys()) if (later >= turn) this.#recalls.delete(later)
    this.#recalls.set(turn, { turn, query, text })
    this.tokens += text === '' ? 0 : this.#counter.countText(text)
    this.turnTokens += this.sizeOf(text)
  }

  /** The notes of a memory on a query, as many as fit; empty when it was not asked about this one last. */
  fromMemory(query: string, room: number): string {
    return this.#outside.query === query ? memoryBlock(this.#outside.text, room, this.#counter) : ''
  }

  /** Size of a note in its turns, in tokens. */
  sizeOf(text: string): number {
    return text === '' ? 0 : countMessages(this.#counter, noteTurns(text, undefined))
  }

  /** Puts the notes before their queries. `isWhole`: the query of each note is still there. */
  place(messages: readonly Message[]): { readonly messages: readonly Message[]; readonly isWhole: boolean } {
    const open = [...this.#recalls.values()]
    const places = new Map<number, string>()
    // From the end: a compaction takes queries away at the beginning.
    for (let index = messages.length - 1; index >= 0; index--) {
      const latest = open.at(-1)
      if (latest === undefined) break
      if (!isQuery(messages[index], latest.query)) continue
      places.set(index, latest.text)
      open.pop()
    }
    const placed: Message[] = []
    messages.forEach((message, index) => {
      const text = places.get(index) ?? ''
      if (text !== '') placed.push(...noteTurns(text, messages[index - 1]))
      placed.push(message)
    })
    return { messages: placed, isWhole: open.every(({ text }) => text === '') }
  }

  clear(): void {
    this.#recalls.clear()
    this.tokens = 0
    this.turnTokens = 0
  }
}

/** The notes of a memory from outside, as many as fit; empty when not even the first note does. */
function memoryBlock(text: string, maxTokens: number, tokens: TokenCounter): string {
  const [head = '', ...notes] = escapeBlocks(text).split('\n')
  for (let count = notes.length; count > 0; count--) {
    const lines = ['<external_memory>', head, ...notes.slice(0, count), '</external_memory>']
    const block = lines.join('\n')
    if (tokens.countText(block) <= maxTokens) return block
  }
  return ''
}

/** The texts are compared first: most differ at once, and a summary need not be looked for. */
function isQuery(message: Message | undefined, query: string): boolean {
  return message?.role === 'user' && messageText(message) === query && !isSummary(message)
}
