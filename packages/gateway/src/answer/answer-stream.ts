import type { Loose } from '@palimpsest/core'
import { type StreamedAnswer, StreamedError, type WireFormat } from '../formats/wire-format.ts'
import { GatewayFault, toGatewayFault } from '../http/gateway-fault.ts'
import type { EventWriter } from './event-writer.ts'
import { readEvents } from './read-events.ts'
import type { Turn } from './turn.ts'

interface StreamInput {
  readonly turn: Turn
  /** The upstream's first answer, a stream. */
  readonly first: Response
  readonly format: Pick<WireFormat, 'refusalEvent' | 'writeFault'>
  readonly out: EventWriter
  /** Aborts when nobody reads any more, or the service ends. */
  readonly signal: AbortSignal
}

/**
 * An answer as it comes: several streams of the upstream are one to the client. It ends as the format says, or with an
 * error.
 *
 * @throws what went wrong, when the client was told.
 */
export async function answerStream({ turn, first, format, out, signal }: StreamInput): Promise<void> {
  const usages: Loose[] = []
  const answer = turn.request.readStream(turn.own)
  let response = first
  /** Something of this round may have come. */
  let isReading = false
  /** The whole answer was taken over. */
  let isTaken = false
  try {
    for (;;) {
      if (!response.ok || response.body === null)
        throw new StreamedError(format.refusalEvent(await response.text(), response.status))
      isReading = true
      await relay(response.body, answer, out)
      const { message, usage } = answer
      if (usage !== undefined) usages.push(usage)
      if (!(await turn.take(message, usage))) break
      isReading = false
      answer.beginRound()
      response = await turn.send()
    }
    // Before the client hears of it: its next request may come at once.
    isTaken = true
    await turn.finish()
    for (const event of answer.end(usages)) out.data(event)
    out.end()
  } catch (error) {
    if (!isTaken) await turn.interrupt(isReading && !signal.aborted ? answer.message : undefined)
    out.data(error instanceof StreamedError ? error.event : format.writeFault(toGatewayFault(error)))
    out.end()
    throw error
  }
}

/** @throws StreamedError, GatewayFault */
async function relay(
  body: ReadableStream<Uint8Array>,
  answer: StreamedAnswer,
  out: EventWriter,
): Promise<void> {
  for await (const event of readEvents(body)) {
    if (event.type === 'comment') {
      out.comment(event.comment)
      continue
    }
    for (const visible of answer.take(event.data)) out.data(visible)
    if (answer.isOver) return
  }
  if (!answer.isFinished)
    throw new GatewayFault(
      502,
      'upstream_disconnected',
      'the upstream ended its stream in the middle of the answer; try again',
    )
}
