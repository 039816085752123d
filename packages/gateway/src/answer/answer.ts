import { errorText, looseOf, toolCallsOf } from '@palimpsest/core'
import { createParser } from 'eventsource-parser'
import { StreamedError, type WireFormat } from '../formats/wire-format.ts'
import { BrokenEvent, GatewayFault, PassedOn, refusedFault, toGatewayFault } from '../http/gateway-fault.ts'
import { responseHeaders } from '../http/upstream.ts'
import { parseJson } from '../parse-json.ts'
import type { RunningCall } from '../pool.ts'
import type { GatewayTurn } from './turn.ts'

interface StreamInput {
  readonly turn: GatewayTurn
  readonly format: Pick<WireFormat, 'isError' | 'writeFault' | 'errorEvent' | 'eventName'>
  readonly call: Pick<RunningCall, 'signal' | 'abandon'>
  readonly end: () => Promise<void>
  readonly log: (line: string) => void
}

/**
 * Streams an answer: several streams of the upstream become one for the client. It ends as the format defines, or with
 * an error. Resolves when it starts.
 *
 * @throws errors before the start.
 */
export function answerStream({ turn, format, call, end, log }: StreamInput): Promise<Response> {
  const { body, out } = createEventWriter(call.abandon)
  const answer = turn.request.readStream(turn.own)
  const begun = Promise.withResolvers<Response>()
  let isBegun = false
  let isTaken = false
  const say = (event: string) => out.data(event, format.eventName(event))
  const begin = (first: Response) => {
    if (!isEventStream(first)) throw new PassedOn(first)
    isBegun = true
    begun.resolve(new Response(body, { status: first.status, headers: responseHeaders(first.headers) }))
  }
  const take = (event: StreamEvent) => {
    if (event.type === 'comment') return out.comment(event.comment)
    try {
      if (event.type === 'broken') throw event.error
      for (const visible of answer.take(event.data)) say(visible)
    } catch (error) {
      if (!(error instanceof BrokenEvent) || (error.mayLose && !answer.isFinished)) throw error
      log(`warning: ${error.message}`)
      out.comment(` warning: ${error.message}`)
    }
  }
  const relay = async (body: Response['body']): Promise<void> => {
    for await (const events of readEvents(body))
      for (const event of events) {
        take(event)
        if (answer.isOver) return
      }
    if (answer.isFinished) return
    const message = 'the upstream ended its stream in the middle of the answer; try again'
    throw new GatewayFault(502, 'upstream_disconnected', message)
  }
  const run = async () => {
    const whole = await turn.run(async (response) => {
      if (isBegun) answer.beginRound()
      else begin(response)
      await relay(response.body)
      const { message, usage } = answer
      return { message, usage }
    })
    // The turn is stored before the client knows, because its next request may come at once.
    isTaken = true
    await turn.finish(whole)
    for (const event of answer.end()) say(event)
    out.end()
  }
  const breakOff = async (error: unknown) => {
    if (!isBegun) return begun.reject(error)
    if (!isTaken) await turn.interrupt(answer.message)
    const event = await eventOf(error, format)
    say(answer.fail?.(event) ?? event)
    out.end()
    if (!call.signal.aborted) log(`error: an answer broke off: ${errorText(error)}`)
  }
  void run()
    .catch(breakOff)
    .catch((error) => log(`error: an answer broke off: ${errorText(error)}`))
    .finally(async () => isBegun && end())
  return begun.promise
}

async function eventOf(error: unknown, format: StreamInput['format']): Promise<string> {
  if (error instanceof StreamedError) return error.event
  const body =
    error instanceof PassedOn
      ? await errorBody(error.response, format)
      : format.writeFault(toGatewayFault(error))
  return format.errorEvent?.(body) ?? body
}

async function errorBody(refusal: Response, format: StreamInput['format']): Promise<string> {
  const body = looseOf(parseJson(await refusal.text()))
  return format.isError(body) ? JSON.stringify(body) : format.writeFault(refusedFault(refusal.status))
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
}

export type StreamEvent =
  | { readonly type: 'data'; readonly data: string }
  | { readonly type: 'comment'; readonly comment: string }
  | { readonly type: 'broken'; readonly error: BrokenEvent }

/** Larger events are not an answer of a model. */
const MAX_EVENT = 64 * 1024 * 1024
const REST_LIMIT = 1_000

/**
 * Yields the events of each packet, including keep-alive comments and broken events. Errors of the stream are thrown. A
 * reader that stops early leaves the rest to be read and dropped.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<readonly StreamEvent[]> {
  const events: StreamEvent[] = []
  let isOverlong = false
  const parser = createParser({
    onEvent: ({ data }) => {
      events.push({ type: 'data', data })
    },
    onComment: (comment) => {
      events.push({ type: 'comment', comment })
    },
    onError: ({ type, line = '' }) => {
      const broken = (reason: string, mayLose: boolean) =>
        events.push({ type: 'broken', error: new BrokenEvent(reason, mayLose) })
      if (type === 'max-buffer-size-exceeded') {
        isOverlong = true
        broken(`an event is longer than ${MAX_EVENT} characters`, true)
      } else if (type === 'unknown-field') broken('a line has no known field', line.includes('{'))
    },
    maxBufferSize: MAX_EVENT,
  })
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      parser.feed(decoder.decode(read.value, { stream: true }))
      if (events.length > 0) yield events.splice(0)
      if (isOverlong) return
    }
    // Some servers omit the empty line after the last event.
    parser.feed(`${decoder.decode()}\n\n`)
    if (events.length > 0) yield events.splice(0)
  } finally {
    if (isOverlong) reader?.cancel().catch(() => {})
    else if (reader !== undefined) drop(reader).catch(() => {})
  }
}

async function drop(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), REST_LIMIT)
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Answers in one piece.
 *
 * @throws PassedOn for a refusal of the upstream, and for an invalid answer.
 */
export async function answerWhole(turn: GatewayTurn): Promise<Response> {
  const run = await turn.run(async (response) => {
    const { status, headers } = response
    const text = await response.text()
    const answer = turn.request.readAnswer(text)
    if (answer === undefined) throw new PassedOn(new Response(text, { status, headers }))
    return { ...answer, text, status, headers: responseHeaders(headers) }
  })
  await turn.finish(run)
  const visible = turn.visible(run)
  const { message, text, write, isEcho = false, ...init } = run.answers.at(-1) ?? run.answers[0]
  // If nothing was hidden from the client, it gets the upstream's own bytes.
  const isWhole = run.answers.length === 1 && toolCallsOf(message).length === toolCallsOf(visible).length
  const isPlain = isWhole && !isEcho
  return new Response(isPlain ? text : write(visible), init)
}

/**
 * A stream of events and its writer. Events for a disconnected reader are dropped, and events of one packet are sent
 * together. Writing keeps the upstream's pace, whatever the reader's.
 */
export function createEventWriter(onCancel: () => void) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
    cancel() {
      controller = undefined
      onCancel()
    },
  })
  let waiting = ''
  const flush = () => {
    if (waiting !== '') controller?.enqueue(encoder.encode(waiting))
    waiting = ''
  }
  const write = (text: string) => {
    if (waiting === '') process.nextTick(flush)
    waiting += text
  }
  const end = () => {
    flush()
    controller?.close()
    controller = undefined
  }
  return {
    body,
    out: {
      data: (text: string, name?: string) =>
        write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`),
      comment: (text: string) => write(`:${text}\n\n`),
      end,
    },
  }
}
