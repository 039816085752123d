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

/** A chat API's wire format: its requests, answers, events and errors. Inside, everything is messages of core. */
export interface WireFormat {
  readonly name: string
  readonly path: string
  readRequest(body: Loose, headers: Headers): ChatRequest
  isError(body: Loose): boolean
  writeFault(fault: GatewayFault): string
  errorEvent?(body: string): string
  eventName(data: string): string | undefined
}

export interface ShownPrompt extends Pick<Prepared, 'origins'> {
  /** The list to which origins refer: the client's messages, the same objects, and hidden messages. */
  readonly told: readonly Message[]
  /** True if the model has to answer now, without a call of the engine's tools. */
  readonly isLast: boolean
}

export interface ChatRequest {
  readonly model: string
  /** The window that the request asks for, in tokens. Undefined if it does not. */
  readonly window?: number | undefined
  readonly conversation: string | undefined
  readonly messages: readonly Message[]
  readonly unmanaged: string | undefined
  readonly isStream: boolean
  readonly tools: readonly ToolSchema[]
  readonly toolNames: ReadonlySet<string>
  /**
   * Set if the client compacts with this request, or has the provider compact above a threshold. It is then forwarded
   * whole, if it fits.
   */
  readonly compacts: 'now' | 'above-threshold' | undefined
  /** True if the engine's tools may be offered. */
  readonly mayOffer: boolean
  /** True for a single answer that the next list continues. */
  readonly isSingle: boolean
  readonly isMarked: boolean
  /** True if messages of this API can carry breakpoints. */
  readonly takesMarks: boolean
  readonly answerTokens: number
  /** The upstream's body, with other messages and the engine's tools after the client's. */
  write(messages: readonly Message[], offered: readonly ToolSchema[], shown: ShownPrompt): Loose
  headersOf?(written: Loose): Readonly<Record<string, string>>
  /**
   * Reads a refusal. True if it concerns only the gateway's additions, which are then no longer made for this model.
   */
  isRefusedAddition(sent: Loose, refusal: string, status: number): boolean
  readAnswer(text: string): WholeAnswer | undefined
  /** `own`: names of the engine's tools, which may grow. */
  readStream(own: ReadonlySet<string>): StreamedAnswer
}

export interface WholeAnswer {
  readonly message: AssistantMessage
  readonly usage: Loose | undefined
  /** True if it repeats the request, including the engine's tools. Default false. */
  readonly isEcho?: boolean
  /** Writes the answer with the usage of the last request, which shows how full the context is. */
  write(visible: AssistantMessage): string
}

/** Several streams, one per round, as one for the client. Events are the data of server-sent events. */
export interface StreamedAnswer {
  beginRound(): void
  /**
   * Returns the client's events. The end of the answer is held back.
   *
   * @throws StreamedError for the upstream's error.
   */
  take(event: string): readonly string[]
  readonly message: AssistantMessage
  readonly usage: Loose | undefined
  readonly isFinished: boolean
  readonly isOver: boolean
  end(): readonly string[]
  fail?(event: string): string
}

const MAX_TEXT = 10_000

/** A refusal in the form of an SDK's error, with its kind. */
export function readRefusal(text: string, status: number): object {
  const body = looseOf(parseJson(text))
  const error = looseOf(body.error)
  const message = [error.message, body.message, body.error, body.detail].find(
    (value) => typeof value === 'string',
  )
  return { status, code: error.code ?? body.code, message: message ?? text.slice(0, MAX_TEXT) }
}

/** Has the event that reports an error within an upstream's stream. */
export class StreamedError extends Error {
  readonly event: string

  constructor(event: string, refusal?: object) {
    super('the upstream reported an error in its stream', { cause: refusal })
    this.event = event
  }
}

/** Separates texts of two rounds, which the model wrote as two messages. */
export const ROUND_BREAK = '\n\n'

/** The data of the last event of chat completions; proxies send it in other formats too. */
export const DONE = '[DONE]'

export function parseEvent(data: string): Loose | undefined {
  if (data.trim() === '' || data === DONE) return undefined
  const event = parseJson(data)
  if (event === undefined) throw new BrokenEvent('an event is not JSON')
  if (!isObject(event)) throw new BrokenEvent('an event is not a JSON object', false)
  if (isNestedDeep(event)) throw new BrokenEvent('an event is nested too deep')
  return event
}

/** The event's name in formats with names. Most data start with it. */
export function eventType(data: string): string | undefined {
  const first = /^\{"type":"([\w.]+)"/.exec(data)?.[1]
  if (first !== undefined) return first
  const { type } = looseOf(parseJson(data))
  return typeof type === 'string' ? type : undefined
}

export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
