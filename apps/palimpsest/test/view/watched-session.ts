import { compressor } from '@palimpsest/compressor'
import type { ContextSession, EngineDefinition } from '@palimpsest/core'
import { decisions } from '@palimpsest/decisions'
import { lcm } from '@palimpsest/lcm'
import type { ViewRecorder } from '../../../../packages/inspector/src/view/view-recorder.ts'
import { watchedSession as watched } from '../../../../packages/inspector/test/view/watched-session.ts'
import { createSessionReader } from '../../src/engines/readers/session-reader.ts'
import { shareStores } from '../../src/serve/share-stores.ts'

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
  readonly recorder: ViewRecorder
  readonly options: Record<string, unknown>
  close(): Promise<void>
}

/** A session whose recorder reads the stores of its engine. */
export async function watchedSession(kind: string, contextLength: number): Promise<Watched> {
  const { name, options } = ENGINES[kind] ?? { name: kind, options: {} }
  const engine = DEFINITIONS[name] as unknown as EngineDefinition
  const stores = await shareStores(name, options)
  const reader = createSessionReader(name, stores.options, 's')
  return {
    ...watched(contextLength, { engine, options: stores.options, reader }),
    options: stores.options,
    close: stores.close,
  }
}
