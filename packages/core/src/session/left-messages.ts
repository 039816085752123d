import { leadingInstructions } from '../messages/merge-instructions.ts'
import type { Message } from '../spec/v1/message.ts'
import type { Origin } from '../spec/v1/origin.ts'

/** A message of the transcript. */
export interface MessagePlace {
  readonly index: number
  /** The message's own, where it has one. */
  readonly id?: string
}

/** Messages that the first list shows, and the second does not or only in another form. In order. */
export function leftMessages(
  before: readonly Origin[],
  after: readonly Origin[],
  transcript: readonly Message[],
): MessagePlace[] {
  const whole = new Map(
    after.flatMap((origin) => (origin.from === 'transcript' ? [[origin.index, origin.whole] as const] : [])),
  )
  // The system prompt never leaves: it may have got a note.
  const lead = leadingInstructions(transcript)
  return before.flatMap((origin) => {
    if (origin.from !== 'transcript' || origin.index < lead) return []
    const { index } = origin
    const isShown = whole.has(index) && (whole.get(index) === true || !origin.whole)
    if (isShown) return []
    const id = transcript[index]?.id
    return [{ index, ...(typeof id === 'string' && { id }) }]
  })
}
