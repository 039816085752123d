import { isSummary, type Message, messageText } from '@palimpsest/core'
import { noteTurns } from './synthetic-turns.ts'

/** A note that was shown next to a query, and stays there. */
interface Recall {
  readonly turn: number
  /** The query's text, by which its place is recognised. */
  readonly query: string
  readonly text: string
}

/**
 * Notes next to the queries of this epoch. Each stays at the query that it was made for: what was sent once is sent again in
 * the same place, so that a provider's cache keeps holding.
 */
export interface RecallLog {
  /** True when there is a note, or the decision for none, for this turn's query. */
  has(turn: number, query: string): boolean
  add(recall: Recall): void
  /** Puts the notes before their queries. */
  place(messages: readonly Message[]): Placed
  clear(): void
}

export interface Placed {
  readonly messages: readonly Message[]
  /** False when the query of a note is not there any more. */
  readonly isWhole: boolean
}

export function createRecallLog(): RecallLog {
  const recalls = new Map<number, Recall>()
  return {
    has: (turn, query) => recalls.get(turn)?.query === query,
    add(recall) {
      // A turn that is said anew takes those behind it along.
      for (const turn of recalls.keys()) if (turn >= recall.turn) recalls.delete(turn)
      recalls.set(recall.turn, recall)
    },
    place(messages) {
      const open = [...recalls.values()]
      const places = new Map<number, string>()
      // From the end: a compaction takes queries away at the beginning.
      for (let index = messages.length - 1; index >= 0; index--) {
        const latest = open.at(-1)
        if (latest === undefined) break
        if (!isQuery(messages[index], latest.query)) continue
        places.set(index, latest.text)
        open.pop()
      }
      const placed = messages.flatMap((message, index) => {
        const text = places.get(index) ?? ''
        return text === '' ? [message] : [...noteTurns(text, messages[index - 1]), message]
      })
      return { messages: placed, isWhole: open.every(({ text }) => text === '') }
    },
    clear() {
      recalls.clear()
    },
  }
}

/** The texts are compared first: most differ at once, and a summary need not be looked for. */
function isQuery(message: Message | undefined, query: string): boolean {
  return message?.role === 'user' && messageText(message) === query && !isSummary(message)
}
