export type EventWriter = ReturnType<typeof createEventWriter>['out']

/**
 * A stream of events with its writer. Events for a reader that is gone are dropped. Events that come at once, such as those of one packet, go out at once. It is written as
 * fast as the upstream sends, however slowly the client reads: an answer is small, and the conversation is free for the next
 * request as soon as it is whole.
 *
 * @param onCancel called when the client goes away.
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
    // Behind all promises that are settled.
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
      /** `name`: that of the event, in formats whose events have one. */
      data: (text: string, name?: string) =>
        write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`),
      /** Keeps connections open. */
      comment: (text: string) => write(`:${text}\n\n`),
      end,
    },
  }
}
