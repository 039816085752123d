import type { ModelRequest, StreamEvent } from '@openai/agents'
import { isObject, looseOf } from '@palimpsest/core'

/** Raw events without output, of the Responses API and of the AI SDK's models. */
const SILENT: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.incomplete',
  'response.failed',
  'response.error',
  'error',
  'stream-start',
  'response-metadata',
])

/**
 * Streams an answer. Events before the first output are held back: if the stream fails there, `recover` may supply
 * another request, and the host sees only one answer.
 */
export async function* recoverableStream(
  request: ModelRequest,
  ask: (request: ModelRequest) => AsyncIterable<StreamEvent>,
  recover: (error: unknown) => Promise<ModelRequest>,
): AsyncIterable<StreamEvent> {
  for (let sent = request; ; ) {
    const held: StreamEvent[] = []
    let hasOutput = false
    try {
      for await (const event of ask(sent)) {
        hasOutput ||= isOutput(event)
        held.push(event)
        if (hasOutput) yield* held.splice(0)
      }
      return yield* held
    } catch (error) {
      if (hasOutput) throw error
      try {
        sent = await recover(explained(error, held.at(-1)))
      } catch (failure) {
        yield* held
        throw failure
      }
    }
  }
}

function isOutput(event: StreamEvent): boolean {
  if (event.type !== 'model') return event.type !== 'response_started'
  const { type, choices } = looseOf(event.event)
  return Array.isArray(choices) ? choices.some(hasDelta) : !SILENT.has(type)
}

/** The first chunk of Chat Completions only names the role. */
function hasDelta(choice: unknown): boolean {
  const { role, ...delta } = looseOf(looseOf(choice).delta)
  return Object.values(delta).some((value) => value !== '' && value !== null)
}

function explained(error: unknown, last: StreamEvent | undefined): unknown {
  const raw = looseOf(last?.type === 'model' && last.event)
  const said =
    looseOf(raw.response).error ?? (raw.type === 'error' || raw.type === 'response.error' ? raw : null)
  if (error instanceof Error && isObject(said)) error.cause ??= said
  return error
}
