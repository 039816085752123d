import { isObject, type Loose, looseOf } from '@palimpsest/core/provider'
import type { ChatRequest } from '../http/chat-request.ts'
import { GatewayFault, toGatewayFault } from '../http/gateway-fault.ts'
import { parseJson } from '../parse-json.ts'
import type { EventWriter } from './event-writer.ts'
import { readEvents } from './read-events.ts'
import { createStreamRound, type RoundStart, type StreamRound } from './stream-round.ts'
import { sumUsage } from './sum-usage.ts'
import type { Turn } from './turn.ts'

interface StreamInput {
  readonly turn: Turn
  /** The upstream's first answer, a stream. */
  readonly first: Response
  readonly request: Pick<ChatRequest, 'wantsUsage' | 'isSingle'>
  readonly out: EventWriter
  /** Aborts when nobody reads any more, or the service ends. */
  readonly signal: AbortSignal
}

/** Thrown with what an upstream said in the middle of its stream. */
class StreamedError extends Error {
  readonly body: Loose

  constructor(body: Loose) {
    super('the upstream reported an error in its stream')
    this.body = body
  }
}

/**
 * An answer as it comes: several streams of the upstream are one to the client. It ends with `[DONE]`, or with an error
 * and without.
 *
 * @throws what went wrong, when the client was told.
 */
export async function answerStream({ turn, first, request, out, signal }: StreamInput): Promise<void> {
  const { isSingle, wantsUsage } = request
  const usages: Loose[] = []
  let response = first
  let seen: RoundStart | undefined
  let round: StreamRound | undefined
  /** The whole answer was taken over. */
  let isTaken = false
  try {
    for (;;) {
      if (!response.ok || response.body === null) throw new StreamedError(await errorOf(response))
      round = createStreamRound({ own: turn.own, isSingle, wantsUsage, before: seen })
      await relay(response.body, round, out)
      const { message, usage } = round
      if (usage !== undefined) usages.push(usage)
      if (!(await turn.take(message, usage))) break
      seen = round.seen
      round = undefined
      response = await turn.send()
    }
    // Before the client hears of it: its next request may come at once.
    isTaken = true
    await turn.finish()
    for (const chunk of round.end(sumUsage(usages))) out.data(chunk)
    out.done()
  } catch (error) {
    if (!isTaken) await turn.interrupt(signal.aborted ? undefined : round?.message)
    out.data(error instanceof StreamedError ? error.body : toGatewayFault(error).toBody())
    out.end()
    throw error
  }
}

/** @throws StreamedError, GatewayFault */
async function relay(body: ReadableStream<Uint8Array>, round: StreamRound, out: EventWriter): Promise<void> {
  for await (const event of readEvents(body)) {
    if (event.type === 'comment') out.comment(event.comment)
    else if (event.data === '[DONE]') return
    else {
      const chunk = parseJson(event.data)
      if (!isObject(chunk)) continue
      if (chunk.error !== undefined && chunk.error !== null) throw new StreamedError(chunk)
      for (const visible of round.take(chunk)) out.data(visible)
    }
  }
  if (!round.isFinished)
    throw new GatewayFault(
      502,
      'upstream_disconnected',
      'the upstream ended its stream in the middle of the answer; try again',
    )
}

/** What an upstream refused a later round with, for the stream. */
async function errorOf(response: Response): Promise<Loose> {
  const text = await response.text()
  const body = looseOf(parseJson(text))
  if (body.error !== undefined) return body
  const message = `the upstream answered with status ${response.status}`
  return new GatewayFault(502, 'upstream_error', message).toBody()
}
