import { compressor } from '@palimpsest/compressor'
import type { ContextSession, EngineDefinition, Store } from '@palimpsest/core'
import { decisions } from '@palimpsest/decisions'
import { lcm } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import type { SessionReader, ShownSession } from '../../../../packages/inspector/src/view/view-recorder.ts'
import { watchedSession as watched } from '../../../../packages/inspector/test/view/watched-session.ts'
import { createSessionReader } from '../../src/engines/session-reader.ts'

export { shownRequests, standingAt, talk } from '../../../../packages/inspector/test/view/watched-session.ts'

/** Engines with the options that a user would give them. */
export const ENGINES: Readonly<
  Record<string, { readonly name: string; readonly options: Record<string, unknown> }>
> = {
  compressor: { name: 'compressor', options: {} },
  lcm: { name: 'lcm', options: {} },
  'decisions over lcm': { name: 'decisions', options: { compaction: { engine: lcm, options: {} } } },
  'decisions as described': { name: 'decisions', options: { profile: 'seed' } },
}

const DEFINITIONS: Readonly<Record<string, EngineDefinition<never>>> = { compressor, lcm, decisions }

interface Watched {
  readonly session: ContextSession
  readonly recorder: ShownSession
  readonly store: Store
  /** A new reader of its store, or of another one. */
  reader(store?: Store): SessionReader
  close(): Promise<void>
}

/** A session whose recorder reads its store. */
export async function watchedSession(kind: string, contextLength: number): Promise<Watched> {
  const { name, options } = ENGINES[kind] ?? { name: kind, options: {} }
  const engine = DEFINITIONS[name] as unknown as EngineDefinition
  const store = createSqliteStore({ path: ':memory:' })
  const reader = (from: Store = store) =>
    createSessionReader({ engine: name, options, store: from, principal: 'local', sessionId: 's' })
  return {
    ...watched(contextLength, { engine, options, store, reader: reader() }),
    store,
    reader,
    close: () => store.close(),
  }
}
