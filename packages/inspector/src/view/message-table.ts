import { copyValue, freezeMessage, type Message, type Sliced, type TokenCounter } from '@palimpsest/core'
import type { ViewMessage } from './session-view.ts'
import { messageKind, toViewMessage } from './view-message.ts'

interface Place {
  readonly kind?: ViewMessage['kind']
  readonly seq: number | null
  readonly at: number | undefined
  readonly size?: number | undefined
}

export type MessageTable = ReturnType<typeof createMessageTable>

export function createMessageTable(tokens: TokenCounter) {
  const rows: ViewMessage[] = []
  const sources: Message[] = []
  const written = new Map<string, number[]>()
  let transcript: readonly Message[] = []
  const places: number[] = []
  let total = 0
  let pending: number | undefined

  const sizeOf = (row: number | undefined): number => rows[row ?? -1]?.tokens ?? 0

  const put = (row: number, message: Message, place: Place): number => {
    const { kind = messageKind(message), seq, at, size = tokens.countMessage(message) } = place
    rows[row] = { ...toViewMessage(message), kind, tokens: size, seq, ...(at !== undefined && { at }) }
    sources[row] = message
    return row
  }

  const place = (message: Message, seq: number, at: number | undefined, size: number | undefined): void => {
    const isAnswer = message.role === 'assistant' && rows[pending ?? -1]?.seq === seq
    const row = isAnswer && pending !== undefined ? pending : rows.length
    put(row, message, { seq, at: isAnswer ? rows[row]?.at : at, size })
    total += sizeOf(row) - sizeOf(places[seq])
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
    source: (row: number): Message => sources[row] as Message,
    /**
     * Takes over the transcript as it is now. Of several rows with one place, the last one is there now.
     *
     * @param sizeAt tokens of a message by its place, where they are known. Default: they are counted.
     */
    *follow(
      next: readonly Message[],
      at: number | undefined,
      sizeAt?: (seq: number) => number | undefined,
    ): Sliced<void> {
      transcript = next
      // The messages of a continued history have no known time.
      const old = places.length === 0 ? next.findLastIndex(({ role }) => role === 'assistant') : -1
      for (const row of places.splice(next.length)) total -= sizeOf(row)
      for (const [seq, message] of next.entries()) {
        // Another one was taken over meanwhile.
        if (transcript !== next) return
        if (sources[places[seq] ?? -1] === message) continue
        place(message, seq, seq > old ? at : undefined, sizeAt?.(seq))
        yield
      }
      pending = undefined
    },
    answered(message: Message, at: number | undefined): void {
      pending = put(rows.length, message, { seq: transcript.length, at })
    },
    show(
      message: Message,
      kind: ViewMessage['kind'],
      seq: number | null,
      at: number | undefined,
      taken: ReadonlySet<number>,
    ): number {
      const key = JSON.stringify([kind, seq, toViewMessage(message)])
      const known = written.get(key) ?? []
      const free = known.find((row) => !taken.has(row))
      if (free !== undefined) return free
      const row = put(rows.length, freezeMessage(copyValue(message)), { kind, seq, at })
      written.set(key, [...known, row])
      return row
    },
  }
}
