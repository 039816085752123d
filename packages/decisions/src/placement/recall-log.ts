import { isSummary, type Message, messageText } from '@palimpsest/core'
import { noteTurns } from './synthetic-turns.ts'

/** A note that was shown next to a query, and stays there. */
export interface Recall {
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
  /** Puts the notes before their queries. `turn` is the number of the last query; only the `newest` notes, if given. */
  place(messages: readonly Message[], turn: number, newest?: number): readonly Message[]
  readonly size: number
  clear(): void
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
    place(messages, lastTurn, newest = recalls.size) {
      const shown = new Map([...recalls].slice(Math.max(0, recalls.size - newest)))
      // Counted from the end, because a compaction takes queries away at the beginning.
      let turn = lastTurn - messages.filter(isQuery).length
      return messages.flatMap((message, index) => {
        if (!isQuery(message)) return [message]
        const recall = shown.get(++turn)
        const isThere = recall !== undefined && recall.text !== '' && recall.query === messageText(message)
        return isThere ? [...noteTurns(recall.text, messages[index - 1]), message] : [message]
      })
    },
    get size() {
      return recalls.size
    },
    clear() {
      recalls.clear()
    },
  }
}

function isQuery(message: Message): boolean {
  return message.role === 'user' && !isSummary(message)
}
