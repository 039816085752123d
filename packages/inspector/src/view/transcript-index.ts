import { equalValues, isBridge, isInstruction, isSummary, type Message } from '@palimpsest/core'
import type { MessageTable } from './message-table.ts'

/** The transcript by place, with each message's row. Of several rows with one place, the last one stands there now. */
export type TranscriptIndex = ReturnType<typeof createTranscriptIndex>

export function createTranscriptIndex(table: MessageTable) {
  let messages: readonly Message[] = []
  let instructions = 0
  const rows: number[] = []
  let tokens = 0
  let pending: { readonly row: number; readonly place: number } | undefined

  const sizeOf = (row: number | undefined): number => (row === undefined ? 0 : (table.rows[row]?.tokens ?? 0))

  const cut = (length: number): void => {
    for (const row of rows.splice(length)) tokens -= sizeOf(row)
  }

  const place = (message: Message, seq: number, at: number | null): void => {
    const isAnswer = pending?.place === seq && table.reads(pending.row, message)
    const row =
      isAnswer && pending !== undefined ? pending.row : table.say(message, messageKind(message), seq, at)
    if (isAnswer) table.settle(row, message)
    tokens += sizeOf(row) - sizeOf(rows[seq])
    rows[seq] = row
  }

  return {
    get messages() {
      return messages
    },
    get instructions() {
      return instructions
    },
    get tokens() {
      return tokens
    },
    rowAt: (seq: number): number => rows[seq] ?? -1,
    /**
     * Takes over the transcript as it is now. A session replaces all messages behind an edit: where the last one is the same,
     * none before it has changed but the system prompts.
     */
    follow(transcript: readonly Message[], at: number | null): void {
      const before = messages
      messages = transcript
      instructions = 0
      while (isInstruction(transcript[instructions])) instructions++
      if (transcript.length < rows.length) cut(transcript.length)
      const last = before.length - 1
      const isSame = last >= 0 && before[last] === transcript[last] && rows.length > last
      // A history that a host goes on from was said before, at times that are not known.
      const old = rows.length === 0 ? transcript.findLastIndex(({ role }) => role === 'assistant') : -1
      for (let seq = 0; seq < transcript.length; seq++) {
        if (seq === instructions && isSame) seq = Math.max(seq, before.length)
        const message = transcript[seq]
        const row = rows[seq]
        if (message === undefined || (before[seq] === message && row !== undefined)) continue
        // A session gives messages new objects when it lets go of what it found out about them.
        if (row !== undefined && equalValues(before[seq], message)) table.settle(row, message)
        else place(message, seq, seq > old ? at : null)
      }
      pending = undefined
    },
    answered(message: Message, at: number | null): number {
      const seq = messages.length
      pending = { row: table.say(message, messageKind(message), seq, at), place: seq }
      return pending.row
    },
  }
}

/** A host may go on from a request that holds summaries of an engine. */
export function messageKind(message: Message) {
  if (isInstruction(message)) return 'system'
  return isSummary(message) || isBridge(message) ? 'summary' : 'message'
}
