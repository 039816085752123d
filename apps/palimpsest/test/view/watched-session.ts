import { compressor } from '@palimpsest/compressor'
import {
  type CachePlanner,
  type ContextSession,
  createContextSession,
  type EngineDefinition,
  type Message,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import { decisions } from '@palimpsest/decisions'
import { lcm } from '@palimpsest/lcm'
import { shareStores } from '../../src/serve/share-stores.ts'
import { createViewRecorder } from '../../src/view/create-view-recorder.ts'
import { inspectEngine } from '../../src/view/inspect-engine.ts'
import type { ViewMessage, ViewRequest } from '../../src/view/session-view.ts'
import type { ViewRecorder, ViewRecorderInput } from '../../src/view/view-recorder.ts'

/** Engines with the options that a user would give them. */
export const ENGINES: Readonly<
  Record<string, { readonly name: string; readonly options: Record<string, unknown> }>
> = {
  compressor: { name: 'compressor', options: { profile: 'classic' } },
  lcm: { name: 'lcm', options: {} },
  'decisions over lcm': { name: 'decisions', options: { compaction: { engine: lcm, options: {} } } },
  'decisions as described': { name: 'decisions', options: { profile: 'seed' } },
}

const DEFINITIONS: Readonly<Record<string, EngineDefinition<never>>> = { compressor, lcm, decisions }

export interface Watched {
  readonly session: ContextSession
  readonly recorder: ViewRecorder
  readonly options: Record<string, unknown>
  close(): Promise<void>
}

/** A session whose recorder reads the stores of its engine. */
export async function watchedSession(
  kind: string,
  contextLength: number,
  more: Partial<ViewRecorderInput> & { readonly cache?: CachePlanner } = {},
): Promise<Watched> {
  const { name, options } = ENGINES[kind] ?? { name: kind, options: {} }
  const engine = DEFINITIONS[name] as unknown as EngineDefinition
  const stores = await shareStores(name, options)
  const { cache, ...rest } = more
  let now = 1_700_000_000_000
  const clock = { now: () => (now += 1_000) }
  const plain = createContextSession({
    ...{ engine, options: stores.options, contextLength, tokens, clock, sessionId: 's' },
    ...(cache && { cache }),
  })
  const recorder = createViewRecorder({
    ...{ session: plain, source: 'chat', profile: null, model: null, summaries: 'offline', tokens, clock },
    inspector: inspectEngine(name, stores.options, 's'),
    ...rest,
  })
  return { session: recorder.session, recorder, options: stores.options, close: stores.close }
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
