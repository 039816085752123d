import { createParser } from 'eventsource-parser'
import { BrokenEvent } from '../http/gateway-fault.ts'
import type { UpstreamBody } from '../http/upstream.ts'

/** One thing that a stream of server-sent events said. */
export type StreamEvent =
  | { readonly type: 'data'; readonly data: string }
  | { readonly type: 'comment'; readonly comment: string }
  | { readonly type: 'broken'; readonly error: BrokenEvent }

/** Characters of one event: more is no answer of a model. */
const MAX_EVENT = 64 * 1024 * 1024
/** Milliseconds for the rest of a stream, before the connection is given up. */
const REST_LIMIT = 1_000

/**
 * Reads server-sent events, keep-alive comments and what is broken too: those of a packet together. What the stream fails
 * with is thrown. A reader that stops before the end leaves the rest to be read and dropped, so that the connection can be
 * used again.
 */
export async function* readEvents(body: UpstreamBody): AsyncGenerator<readonly StreamEvent[]> {
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
  const reader = body[Symbol.asyncIterator]()
  try {
    for (let read = await reader.next(); !read.done; read = await reader.next()) {
      parser.feed(decoder.decode(read.value, { stream: true }))
      if (events.length > 0) yield events.splice(0)
      // The parser takes no more.
      if (isOverlong) return
    }
    // The empty line behind the last event is missing at some servers.
    parser.feed(`${decoder.decode()}\n\n`)
    if (events.length > 0) yield events.splice(0)
  } finally {
    if (isOverlong) body.cancel()
    else drop(reader, body.cancel).catch(() => {})
  }
}

async function drop(reader: AsyncIterator<Uint8Array>, cancel: () => void): Promise<void> {
  const timer = setTimeout(cancel, REST_LIMIT)
  try {
    while (!(await reader.next()).done);
  } finally {
    clearTimeout(timer)
  }
}
