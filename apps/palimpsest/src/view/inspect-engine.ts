import type { DecisionStore } from '@palimpsest/decisions'
import type { LcmStore } from '@palimpsest/lcm'
import { DECISIONS } from '../engines/decisions-options.ts'
import { LCM, principalOf } from '../engines/lcm-options.ts'
import { decisionViews } from './decision-views.ts'
import { lcmSummaryNodes } from './lcm-summary-nodes.ts'
import type { EngineInspector } from './view-recorder.ts'

/**
 * Reads what the stores of a built-in engine know of one session. Every other engine is known by what its session shows.
 *
 * @param options those of the engine, with stores that are open, as `shareStores` makes them.
 */
export function inspectEngine(
  engine: string,
  options: Readonly<Record<string, unknown>>,
  sessionId: string,
): EngineInspector {
  const compaction = engine === DECISIONS ? compactionIn(options) : { engine, options }
  return {
    async summaryNodes() {
      const { store } = compaction.options
      if (compaction.engine !== LCM || !isLcmStore(store)) return []
      return lcmSummaryNodes(store, { principal: principalOf(compaction.options), key: sessionId })
    },
    async decisions() {
      const { store, project } = options
      if (engine !== DECISIONS || !isDecisionStore(store)) return null
      const scope = {
        principal: principalOf(options),
        project: typeof project === 'string' ? project : undefined,
      }
      return decisionViews(store, sessionId, scope)
    },
  }
}

type Options = Readonly<Record<string, unknown>>

function compactionIn({ compaction }: Options): { readonly engine: string; readonly options: Options } {
  if (!isObject(compaction) || !isObject(compaction.engine)) return { engine: '', options: {} }
  const { engine, options } = compaction
  return { engine: String(engine.name), options: isObject(options) ? options : {} }
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
