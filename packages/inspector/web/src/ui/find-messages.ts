import type { ViewMessage } from '../../../src/view/session-view.ts'

export interface PlacedMessage {
  readonly index: number
  readonly message: ViewMessage
}

export function transcriptOf(messages: readonly ViewMessage[]): readonly PlacedMessage[] {
  return messages
    .map((message, index) => ({ index, message }))
    .filter(({ message }) => message.seq !== null && message.kind !== 'shortened')
    .sort((a, b) => (a.message.seq ?? 0) - (b.message.seq ?? 0) || a.index - b.index)
}

/** Of several messages with one place, the last one stands there now. */
export function indexOfSeq(messages: readonly ViewMessage[], seq: number): number | undefined {
  const index = messages.findLastIndex((message) => message.seq === seq && message.kind !== 'shortened')
  return index === -1 ? undefined : index
}
