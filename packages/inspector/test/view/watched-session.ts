import { compressor } from '@palimpsest/compressor'
import {
  type CachePlanner,
  type CompletionModel,
  type ContextSession,
  createContextSession,
  type EngineDefinition,
  type Message,
  type Store,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import type { ViewMessage, ViewRequest } from '../../src/view/session-view.ts'
import type { ShownSession, ViewRecorderInput } from '../../src/view/view-recorder.ts'
import { createViewRecorder } from '../../src/view/view-recorder.ts'

export interface WatchedOptions extends Partial<ViewRecorderInput> {
  readonly cache?: CachePlanner
  /** Writes the summaries. Default: none does. */
  readonly summarizer?: CompletionModel
  /** Default: the compressor. */
  readonly engine?: EngineDefinition
  readonly options?: Record<string, unknown>
  /** Default: the engine's own, if it has one. */
  readonly store?: Store
}

/** A session that is recorded, and its recorder. */
export function watchedSession(
  contextLength: number,
  given: WatchedOptions = {},
): { readonly session: ContextSession; readonly recorder: ShownSession } {
  const { cache, summarizer, engine = compressor, options = {}, store, ...rest } = given
  let now = 1_700_000_000_000
  const clock = { now: () => (now += 1_000) }
  const session = createContextSession({
    engine: engine as EngineDefinition,
    options,
    contextLength,
    tokens,
    clock,
    sessionId: 's',
    store,
    ...(cache && { cache }),
    ...(summarizer && { model: summarizer }),
  })
  return createViewRecorder({
    session,
    source: 'chat',
    summaries: 'offline',
    tokens,
    clock,
    ...rest,
  })
}

/** What each request of a view showed, as indexes of its messages. */
export function shownRequests(requests: readonly ViewRequest[]): (readonly number[])[] {
  let shown: readonly number[] = []
  return requests.map(({ kept, added }) => {
    shown = [...shown.slice(0, kept), ...added]
    return shown
  })
}

/** The message that stands at a place of the transcript now. */
export function standingAt(messages: readonly ViewMessage[], place: number): ViewMessage | undefined {
  return messages.findLast(({ seq, kind }) => seq === place && kind !== 'shortened')
}

/** A talk in which `topic` says what each turn is about. */
export function talk(turns: number, topic: (turn: number) => string): Message[] {
  const messages: Message[] = [{ role: 'system', content: 'Be brief.' }]
  for (let turn = 0; turn < turns; turn++) {
    const id = `call_${turn}`
    messages.push(
      { role: 'user', content: topic(turn) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"n":${turn}}` } }],
      },
      { role: 'tool', tool_call_id: id, content: `line ${turn}: ${'some output, '.repeat(30)}` },
      { role: 'assistant', content: `Done with ${turn}. ${'It went well. '.repeat(8)}` },
    )
  }
  return messages
}
