import {
  copyValue,
  equalValues,
  freezeMessage,
  type Message,
  messageText,
  type TokenCounter,
} from '@palimpsest/core'
import type { ViewMessage } from './session-view.ts'
import { toViewMessage } from './view-message.ts'

/** The messages of a view. Rows are appended and never changed. */
export interface MessageTable {
  readonly rows: readonly ViewMessage[]
  /** The frozen message of a row. */
  source(row: number): Message
  /** Adds what was said at a place of the transcript. */
  say(message: Message, kind: ViewMessage['kind'], seq: number, at: number | null): number
  /** True when the row reads the same as a message and is as large: what differs is nothing that a page shows. */
  reads(row: number, message: Message): boolean
  /** The row's message came in its final form. */
  settle(row: number, message: Message): void
  /**
   * The row of what an engine shows: one that is known, unless it is `taken`, because no request shows a row twice.
   *
   * @param seq place of the message in the transcript that it is a version of; null when it is nobody's.
   */
  show(
    message: Message,
    kind: ViewMessage['kind'],
    seq: number | null,
    at: number | null,
    taken: ReadonlySet<number>,
  ): number
}

export function createMessageTable(tokens: TokenCounter): MessageTable {
  const rows: ViewMessage[] = []
  const sources: Message[] = []
  /** Rows of what engines wrote, by their text. */
  const shown = new Map<string, number[]>()

  const add = (
    message: Message,
    kind: ViewMessage['kind'],
    seq: number | null,
    at: number | null,
  ): number => {
    const said = toViewMessage(message)
    const count = tokens.countMessage(message)
    rows.push({ ...said, kind, tokens: count, seq, ...(at !== null && { at }) })
    sources.push(message)
    return rows.length - 1
  }

  return {
    rows,
    source(row) {
      const message = sources[row]
      if (message === undefined) throw new RangeError(`there is no message ${row} in the view`)
      return message
    },
    say: add,
    reads(row, message) {
      const known = rows[row]
      if (known === undefined) return false
      if (equalValues(sources[row], message)) return true
      const { kind: _, tokens: size, seq: __, at: ___, ...said } = known
      return size === tokens.countMessage(message) && equalValues(said, toViewMessage(message))
    },
    settle(row, message) {
      sources[row] = message
    },
    show(message, kind, seq, at, taken) {
      const text = messageText(message)
      const known = shown.get(text) ?? []
      const free = known.find((row) => {
        if (rows[row]?.seq !== seq || rows[row].kind !== kind || taken.has(row)) return false
        return equalValues(sources[row], message)
      })
      if (free !== undefined) return free
      const row = add(freezeMessage(copyValue(message)), kind, seq, at)
      known.push(row)
      shown.set(text, known)
      return row
    },
  }
}
