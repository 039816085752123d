import {
  copyValue,
  equalValues,
  freezeMessage,
  type Message,
  messageText,
  type TokenCounter,
} from '@palimpsest/core'
import type { ViewMessage } from './session-view.ts'
import { messageKind, toViewMessage } from './view-message.ts'

/** Every message that was said or shown, once, and the transcript by place. */
export type MessageTable = ReturnType<typeof createMessageTable>

export function createMessageTable(tokens: TokenCounter) {
  const rows: ViewMessage[] = []
  /** The message of each row. */
  const sources: Message[] = []
  /** Rows of what an engine shows, by text. */
  const shown = new Map<string, number[]>()
  let transcript: readonly Message[] = []
  /** The row of each place of the transcript. */
  const places: number[] = []
  /** Tokens of the transcript. */
  let total = 0
  /** An answer that was observed, and is not in the transcript yet. */
  let pending: { readonly row: number; readonly place: number } | undefined

  const sizeOf = (row: number | undefined): number => (row === undefined ? 0 : (rows[row]?.tokens ?? 0))

  const add = (
    message: Message,
    kind: ViewMessage['kind'],
    seq: number | null,
    at: number | null,
  ): number => {
    const count = tokens.countMessage(message)
    rows.push({ ...toViewMessage(message), kind, tokens: count, seq, ...(at !== null && { at }) })
    sources.push(message)
    return rows.length - 1
  }

  /** True when the row reads the same as a message and is as large: what differs is nothing that a page shows. */
  const reads = (row: number, message: Message): boolean => {
    const known = rows[row]
    if (known === undefined) return false
    if (equalValues(sources[row], message)) return true
    const { kind: _, tokens: size, seq: __, at: ___, ...said } = known
    return size === tokens.countMessage(message) && equalValues(said, toViewMessage(message))
  }

  const place = (message: Message, seq: number, at: number | null): void => {
    const known = places[seq]
    // A session gives messages new objects when it lets go of what it found out about them.
    const isKnown = known !== undefined && equalValues(sources[known], message)
    const isAnswer = pending?.place === seq && reads(pending.row, message)
    const row = isKnown
      ? known
      : isAnswer && pending !== undefined
        ? pending.row
        : add(message, messageKind(message), seq, at)
    sources[row] = message
    total += sizeOf(row) - sizeOf(known)
    places[seq] = row
  }

  return {
    rows: rows as readonly ViewMessage[],
    get transcript() {
      return transcript
    },
    get transcriptTokens() {
      return total
    },
    rowAt: (seq: number): number => places[seq] ?? -1,
    source(row: number): Message {
      const message = sources[row]
      if (message === undefined) throw new RangeError(`there is no message ${row} in the view`)
      return message
    },
    /** Takes over the transcript as it is now. Of several rows with one place, the last one is there now. */
    follow(next: readonly Message[], at: number | null): void {
      const before = transcript
      transcript = next
      // A history that a host goes on from was said before, at times that are not known.
      const old = places.length === 0 ? next.findLastIndex(({ role }) => role === 'assistant') : -1
      for (const row of places.splice(next.length)) total -= sizeOf(row)
      for (const [seq, message] of next.entries())
        if (before[seq] !== message || places[seq] === undefined) place(message, seq, seq > old ? at : null)
      pending = undefined
    },
    /** Adds the answer to the last request. Returns its row. */
    answered(message: Message, at: number | null): number {
      const seq = transcript.length
      pending = { row: add(message, messageKind(message), seq, at), place: seq }
      return pending.row
    },
    /** The row of what an engine shows: a known one unless it is `taken`. `seq`: the message that it is a version of, or null. */
    show(
      message: Message,
      kind: ViewMessage['kind'],
      seq: number | null,
      at: number | null,
      taken: ReadonlySet<number>,
    ): number {
      const text = messageText(message)
      const known = shown.get(text) ?? []
      const free = known.find(
        (row) =>
          rows[row]?.seq === seq &&
          rows[row].kind === kind &&
          !taken.has(row) &&
          equalValues(sources[row], message),
      )
      if (free !== undefined) return free
      const row = add(freezeMessage(copyValue(message)), kind, seq, at)
      known.push(row)
      shown.set(text, known)
      return row
    },
  }
}
