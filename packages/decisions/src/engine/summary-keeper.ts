import { isInstruction, type Message } from '@palimpsest/core'
import type { KnownSummary } from '../compaction/create-window-compaction.ts'
import type { StoredSummary } from '../store/decision-store.ts'
import type { DecisionRecorder } from './decision-recorder.ts'
import type { OpenedSession } from './open-session.ts'
import { messageHash } from './source-of.ts'

export type SummaryKeeper = ReturnType<typeof createSummaryKeeper>

/** Keeps the last summary in the store, so that a session that begins again need not write it again. */
export function createSummaryKeeper(recorder: DecisionRecorder, opened: OpenedSession) {
  let stored: StoredSummary | null | undefined
  let noted: StoredSummary | undefined
  /** Messages that a record was just made of, which need not be hashed once more. */
  let recorded = { messages: [] as readonly Message[], from: 0, transcript: recorder.current?.messages }

  return {
    async load(): Promise<void> {
      if (stored === undefined) stored = await (await opened.open()).summary()
    },
    /** The transcript has these messages from an index on. They are kept in mind until the next call: with none, they are let go. */
    recorded(messages: readonly Message[], from = 0): void {
      recorded = { messages, from, transcript: recorder.current?.messages }
    },
    /** The summary that stands for the beginning of this list, if the list is the whole transcript. */
    known(messages: readonly Message[]): KnownSummary | undefined {
      const transcript = recorder.current?.messages
      if (!stored || transcript === undefined || messages.length !== transcript.length) return undefined
      // After an edit it may stand for all that is left: a projection ends with the message that the list ends with.
      if (stored.messages >= messages.length) return undefined
      if (transcript.prefixHash(stored.messages) !== stored.prefixHash) return undefined
      // A projection of the same length that shows something else is not the transcript.
      const isWhole = messages.every(
        (message, index) =>
          isInstruction(message) ||
          (recorded.transcript === transcript && message === recorded.messages[index - recorded.from]) ||
          messageHash(message) === transcript.hashAt(index),
      )
      return isWhole ? { messages: stored.messages, text: stored.text } : undefined
    },
    /** Notes a summary of all messages of the transcript but the last ones. */
    keep({ text, tail }: { readonly text: string; readonly tail: readonly Message[] }): void {
      const transcript = recorder.current?.messages
      if (transcript === undefined) return
      const count = transcript.length - tail.length
      const isEnd = tail.every((message, index) => messageHash(message) === transcript.hashAt(count + index))
      const hash = transcript.prefixHash(count)
      if (isEnd && count > 0 && hash !== undefined) noted = { messages: count, prefixHash: hash, text }
    },
    /** Writes what was noted. */
    async write(): Promise<void> {
      if (noted === undefined) return
      const summary = noted
      noted = undefined
      await recorder.commit({ summary })
      stored = summary
    },
    forget(): void {
      stored = undefined
      noted = undefined
      this.recorded([])
    },
  }
}
