import {
  type AssistantMessage,
  isObject,
  type Loose,
  looseOf,
  type Message,
  type Prepared,
  type ToolSchema,
} from '@palimpsest/core'
import { BrokenEvent, type GatewayFault } from '../http/gateway-fault.ts'
import { isNestedDeep, parseJson } from '../parse-json.ts'

/**
 * The wire format of a chat API: the shape of its requests, answers, events and errors. Inside,
 * everything is messages of core.
 */
export interface WireFormat {
  /** Tells hosts which API a conversation is held with. */
  readonly name: string
  /** The path of requests for an answer, below the base URL. */
  readonly path: string
  /**
   * Reads a request.
   *
   * @param headers of the client's request.
   */
  readRequest(body: Loose, headers: Headers): ChatRequest
  /** Whether a body is an error of the API. */
  isError(body: Loose): boolean
  /** A fault of the gateway, as a body. */
  writeFault(fault: GatewayFault): string
  /** The body of an error as an event of a stream. Default: as it is. */
  errorEvent?(body: string): string
  /** The name of an event of a stream, given its data. Undefined where events have none. */
  eventName(data: string): string | undefined
}

/** The origins of messages that are to be written. */
export interface ShownPrompt extends Pick<Prepared, 'origins'> {
  /** The list that origins speak of: the client's messages, the same objects, with what the client never saw. */
  readonly told: readonly Message[]
  /** Whether the model has to answer now, without a call of the engine's tools. */
  readonly isLast: boolean
}

/** A request for an answer, read as far as the gateway has to know it. */
export interface ChatRequest {
  readonly model: string
  /** Tokens of the window that the request asks for. Undefined when it does not say. */
  readonly window?: number | undefined
  /** The client's own name of the conversation, outside of the gateway's header. Undefined when it gives none. */
  readonly conversation: string | undefined
  readonly messages: readonly Message[]
  /** Why the context of this request cannot be managed; undefined when it can. */
  readonly unmanaged: string | undefined
  readonly isStream: boolean
  readonly tools: readonly ToolSchema[]
  /** Names of all tools of the client, of whatever kind. */
  readonly toolNames: ReadonlySet<string>
  /**
   * Whether the client compacts with this request, by itself or by the provider, or has the provider do it above a threshold. It is
   * forwarded whole then, if it fits. Undefined in all others.
   */
  readonly compacts: 'now' | 'above-threshold' | undefined
  /** Whether tools of the engine may be offered beside the client's. */
  readonly mayOffer: boolean
  /** Whether there is one answer, and the next list goes on from it. */
  readonly isSingle: boolean
  /** Whether the client sets cache breakpoints itself. */
  readonly isMarked: boolean
  /** Whether breakpoints have a place in messages of this API. */
  readonly takesMarks: boolean
  /** Tokens that the client wants for the answer; 0 when it does not say. */
  readonly answerTokens: number
  /** The body for the upstream, with other messages and with tools of the engine behind the client's. */
  write(messages: readonly Message[], offered: readonly ToolSchema[], shown: ShownPrompt): Loose
  /** Headers that a body needs, beside or in place of the client's. Default: none. */
  headersOf?(written: Loose): Readonly<Record<string, string>>
  /**
   * Reads a refusal of a body that was written. True when it is about something that only the gateway asked for: that
   * is not written any more for this model.
   */
  isRefusedAddition(sent: Loose, refusal: string, status: number): boolean
  /** Reads an answer in one piece. Undefined when it is not one. */
  readAnswer(text: string): WholeAnswer | undefined
  /** Reads an answer that comes as a stream. `own`: names of the engine's tools; it may grow. */
  readStream(own: ReadonlySet<string>): StreamedAnswer
}

/** An answer of the upstream in one piece. */
export interface WholeAnswer {
  /** Calls of the engine's tools included. */
  readonly message: AssistantMessage
  readonly usage: Loose | undefined
  /** Whether it repeats what the upstream was asked, tools of the engine included. Default false. */
  readonly isEcho?: boolean
  /** The answer for the client, with the usage of the last request that it took: that is how full the context is. */
  write(visible: AssistantMessage): string
}

/**
 * An answer of several streams, one a round, which are one to the client. Events are the data of server-sent events.
 */
export interface StreamedAnswer {
  beginRound(): void
  /**
   * The events for the client: without the engine's own. The end of the answer is held back.
   *
   * @throws StreamedError for an error that the upstream reports.
   */
  take(event: string): readonly string[]
  /** The round's answer so far, calls of the engine's tools included. */
  readonly message: AssistantMessage
  readonly usage: Loose | undefined
  /** Whether the upstream said why it stopped. */
  readonly isFinished: boolean
  /** Whether the upstream said that no event follows. */
  readonly isOver: boolean
  /** The end of the whole answer, with the usage of the last round. */
  end(): readonly string[]
  /** The event of an error as the last of the stream. Default: as it is. */
  fail?(event: string): string
}

const MAX_TEXT = 10_000

/** A refusal of the upstream, as the error of an SDK: with what tells kinds of errors apart. */
export function readRefusal(text: string, status: number): object {
  const body = looseOf(parseJson(text))
  const error = looseOf(body.error)
  const message = [error.message, body.message, body.error, body.detail].find(
    (value) => typeof value === 'string',
  )
  return { status, code: error.code ?? body.code, message: message ?? text.slice(0, MAX_TEXT) }
}

/** Thrown with the event that says what went wrong in the middle of an upstream's stream. */
export class StreamedError extends Error {
  readonly event: string

  constructor(event: string, refusal?: object) {
    super('the upstream reported an error in its stream', { cause: refusal })
    this.event = event
  }
}

/** Between texts of two rounds, which the model wrote as two messages. */
export const ROUND_BREAK = '\n\n'

/** The data of the event that ends streams of chat completions; proxies send it in other formats too. */
export const DONE = '[DONE]'

/**
 * Reads the data of an event. Undefined for one that says nothing.
 *
 * @throws BrokenEvent
 */
export function parseEvent(data: string): Loose | undefined {
  if (data.trim() === '' || data === DONE) return undefined
  const event = parseJson(data)
  if (event === undefined) throw new BrokenEvent('an event is not JSON')
  if (!isObject(event)) throw new BrokenEvent('an event is not a JSON object', false)
  if (isNestedDeep(event)) throw new BrokenEvent('an event is nested too deep')
  return event
}

/** The type of an event, given its data: its name in formats whose events have one. Most begin with it. */
export function eventType(data: string): string | undefined {
  const first = /^\{"type":"([\w.]+)"/.exec(data)?.[1]
  if (first !== undefined) return first
  const { type } = looseOf(parseJson(data))
  return typeof type === 'string' ? type : undefined
}

export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
