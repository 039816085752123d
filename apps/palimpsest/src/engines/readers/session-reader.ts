import type { DecisionStore } from '@palimpsest/decisions'
import type { SessionReader } from '@palimpsest/inspector'
import type { LcmStore } from '@palimpsest/lcm'
import { DECISIONS } from '../decisions-options.ts'
import { LCM, principalOf } from '../lcm-options.ts'
import { createDecisionReader } from './decision-reader.ts'
import { createSummaryReader } from './summary-reader.ts'

/**
 * Reads what the stores of a built-in engine know of one session. Every other engine is known by what its session shows.
 *
 * @param options those of the engine, with stores that are open, as `shareStores` makes them.
 */
export function createSessionReader(
  engine: string,
  options: Readonly<Record<string, unknown>>,
  sessionId: string,
): SessionReader {
  const compaction = engine === DECISIONS ? compactionIn(options) : { engine, options }
  return {
    summaryNodes: summariesOf(compaction, sessionId) ?? (async () => NO_NODES),
    decisions: (engine === DECISIONS ? decisionsOf(options, sessionId) : undefined) ?? (async () => null),
  }
}

type Options = Readonly<Record<string, unknown>>

interface ChosenCompaction {
  readonly engine: string
  readonly options: Options
}

const NO_NODES: readonly never[] = []

function compactionIn({ compaction }: Options): ChosenCompaction {
  if (!isObject(compaction) || !isObject(compaction.engine)) return { engine: '', options: {} }
  const { engine, options } = compaction
  return { engine: String(engine.name), options: isObject(options) ? options : {} }
}

function summariesOf({ engine, options }: ChosenCompaction, sessionId: string) {
  const { store } = options
  if (engine !== LCM || !isLcmStore(store)) return undefined
  return createSummaryReader(store, { principal: principalOf(options), key: sessionId })
}

function decisionsOf(options: Options, sessionId: string) {
  const { store, project } = options
  if (!isDecisionStore(store)) return undefined
  const owner = {
    principal: principalOf(options),
    project: typeof project === 'string' ? project : undefined,
  }
  return createDecisionReader(store, sessionId, owner)
}

function isLcmStore(store: unknown): store is LcmStore {
  return isObject(store) && typeof store.find === 'function' && typeof store.dump === 'function'
}

function isDecisionStore(store: unknown): store is DecisionStore {
  return isObject(store) && typeof store.events === 'function' && typeof store.list === 'function'
}

function isObject(value: unknown): value is Options {
  return typeof value === 'object' && value !== null
}
