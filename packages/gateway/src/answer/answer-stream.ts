import { type StreamedAnswer, StreamedError, type WireFormat } from '../formats/wire-format.ts'
import { BrokenEvent, GatewayFault, PassedOn, toGatewayFault } from '../http/gateway-fault.ts'
import type { UpstreamAnswer, UpstreamBody } from '../http/upstream.ts'
import type { EventWriter } from './event-writer.ts'
import { readEvents, type StreamEvent } from './read-events.ts'
import type { GatewayTurn } from './turn.ts'

interface StreamInput {
  readonly turn: GatewayTurn
  readonly format: Pick<WireFormat, 'refusalEvent' | 'writeFault' | 'faultEvent' | 'eventName'>
  readonly out: EventWriter
  /** Called with the upstream's first stream, before anything is written. */
  readonly begin: (first: UpstreamAnswer) => void
  readonly log: (line: string) => void
}

/**
 * An answer as it comes: several streams of the upstream are one to the client. It ends as the format says, or with an
 * error.
 *
 * @throws what went wrong: before the stream has begun for the client to be told, later when it was told.
 */
export async function answerStream({ turn, format, out, begin, log }: StreamInput): Promise<void> {
  const answer = turn.request.readStream(turn.own)
  const say = (event: string) => out.data(event, format.eventName(event))
  const warn = ({ message }: Error) => {
    log(`warning: ${message}`)
    out.comment(` warning: ${message}`)
  }
  let isBegun = false
  /** The whole answer was taken over. */
  let isTaken = false
  try {
    const run = await turn.run(async (response) => {
      if (isBegun) answer.beginRound()
      else {
        if (!isEventStream(response)) throw new PassedOn(response.toResponse())
        isBegun = true
        begin(response)
      }
      await relay(response.body, answer, { say, warn, comment: out.comment })
      const { message, usage } = answer
      return { message, usage }
    })
    // Before the client hears of it: its next request may come at once.
    isTaken = true
    await turn.finish(run)
    for (const event of answer.end()) say(event)
    out.end()
  } catch (error) {
    if (!isBegun) throw error
    if (!isTaken) await turn.interrupt(answer.message)
    const event = await eventOf(error, format)
    say(answer.fail?.(event) ?? event)
    out.end()
    throw error
  }
}

async function eventOf(error: unknown, format: StreamInput['format']): Promise<string> {
  if (error instanceof StreamedError) return error.event
  if (error instanceof PassedOn)
    return format.refusalEvent(await error.response.text(), error.response.status)
  const fault = toGatewayFault(error)
  return format.faultEvent?.(fault) ?? format.writeFault(fault)
}

function isEventStream({ ok, headers }: UpstreamAnswer): boolean {
  return ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
}

/** @throws StreamedError, GatewayFault */
async function relay(
  body: UpstreamBody,
  answer: StreamedAnswer,
  out: {
    readonly say: (event: string) => void
    readonly warn: (error: Error) => void
    readonly comment: (text: string) => void
  },
): Promise<void> {
  const take = (event: StreamEvent) => {
    if (event.type === 'comment') return out.comment(event.comment)
    try {
      if (event.type === 'broken') throw event.error
      for (const visible of answer.take(event.data)) out.say(visible)
    } catch (error) {
      // Behind the reason to stop, nothing of the answer is left to come.
      if (!(error instanceof BrokenEvent) || (error.mayLose && !answer.isFinished)) throw error
      out.warn(error)
    }
  }
  for await (const events of readEvents(body))
    for (const event of events) {
      take(event)
      if (answer.isOver) return
    }
  if (!answer.isFinished)
    throw new GatewayFault(
      502,
      'upstream_disconnected',
      'the upstream ended its stream in the middle of the answer; try again',
    )
}
