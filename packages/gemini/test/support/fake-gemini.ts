import {
  type Reply as AnyReply,
  fakeServer,
  json,
  type StreamOptions,
  streamText,
} from '../../../provider-utils/test/support/fake-server.ts'
import { brokenRule, type WireContent } from './request-rules.ts'

/** One request as it left the SDK. */
export interface RecordedRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  /** The exact bytes of the body, as text. */
  readonly text: string
  readonly body: {
    contents: WireContent[]
    systemInstruction?: WireContent
    tools?: { functionDeclarations: Record<string, unknown>[] }[]
    generationConfig?: Record<string, unknown>
  }
}

export type Reply = AnyReply<RecordedRequest>

/**
 * The Gemini API behind a `fetch`. Replies are used one after the other, the last one again and again. A request
 * that breaks a rule of the API gets its 400 instead.
 */
export function fakeGemini(...replies: Reply[]): { fetch: typeof fetch; requests: RecordedRequest[] } {
  return fakeServer(replies.map(unlessBroken), (input, init) => {
    const text = String(init?.body)
    return {
      url: new URL(input),
      method: init?.method ?? 'GET',
      headers: new Headers(init?.headers),
      text,
      body: JSON.parse(text) as RecordedRequest['body'],
    }
  })
}

function unlessBroken(reply: Reply): Reply {
  return (request, signal) => {
    const broken = brokenRule(request.text, /models\/([^:]+)/.exec(request.url.pathname)?.[1] ?? '')
    return broken === undefined
      ? reply(request, signal)
      : failure(400, 'INVALID_ARGUMENT', broken)(request, undefined)
  }
}

/** A response body of the API. */
export function responseBody(parts: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> {
  const { finishReason = 'STOP', finishMessage, ...rest } = more
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        finishReason,
        ...(finishMessage ? { finishMessage } : {}),
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: 'gemini-test',
    responseId: 'response-1',
    ...rest,
  }
}

/** Replies with one whole answer. */
export function answer(parts: unknown[], more: Record<string, unknown> = {}): Reply {
  return json(responseBody(parts, more))
}

/** Replies with an error as the API words it. */
export function failure(status: number, name: string, message: string, details: unknown[] = []): Reply {
  return json({ error: { code: status, message, status: name, details } }, status)
}

/** A chunk of a streamed answer; only the last has a finish reason. */
export function chunk(
  parts: unknown[],
  last = false,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const usageMetadata = {
    promptTokenCount: 10,
    candidatesTokenCount: last ? 5 : 1,
    totalTokenCount: last ? 15 : 11,
  }
  return {
    candidates: [{ content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}), index: 0 }],
    usageMetadata,
    responseId: 'response-1',
    ...more,
  }
}

/** Server-sent events as the API writes them. */
export function sseText(chunks: readonly unknown[]): string {
  return chunks.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('')
}

/** Replies with a stream of events. */
export function stream(chunks: readonly unknown[], options: StreamOptions = {}): Reply {
  return streamText(sseText(chunks), options)
}
