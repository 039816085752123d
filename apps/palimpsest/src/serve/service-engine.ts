import type { Clock, CompletionModel, ContextSession, TokenCounter } from '@palimpsest/core'
import type { DecisionStore } from '@palimpsest/decisions'
import { chooseEngine, type EngineFlags } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { LCM } from '../engines/lcm-options.ts'
import { openSession } from '../engines/open-session.ts'
import { type DecisionsView, readDecisions } from './decisions-view.ts'
import { shareStores } from './engine-stores.ts'

/** What the command line says about the engine. */
export interface ServiceEngineFlags {
  readonly engine?: string
  readonly profile?: string
  readonly threshold?: number
  /** The service's store: engines keep theirs beside it. */
  readonly store?: string
}

/** The models of one conversation, metered. */
export interface EngineModels {
  readonly extraction?: CompletionModel
  readonly dedup?: CompletionModel
  readonly compaction?: CompletionModel
}

/** The engine of a service: one instance a conversation, on stores that all of them share. */
export interface ServiceEngine {
  readonly name: string
  /** Why it is not the engine that was asked for, and the like. */
  readonly warnings: readonly string[]
  open(sessionId: string, models: EngineModels): Promise<ContextSession>
  /** What its store of decisions says of a session; null for an engine without one. */
  decisionsOf(sessionId: string): Promise<DecisionsView | null>
  close(): Promise<void>
}

/** The engine of the service when neither a flag nor the configuration names one. */
const SERVE_ENGINE = DECISIONS

interface ServiceEngineInput {
  readonly configuration: Configuration
  readonly flags: ServiceEngineFlags
  /** The model's window, in tokens. */
  readonly window: number
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/**
 * Loads the engine that the flag or the configuration names, else the decisions engine over lcm.
 *
 * @throws UsageError, UnknownEngineError, EngineUnavailableError.
 */
export async function createServiceEngine(input: ServiceEngineInput): Promise<ServiceEngine> {
  const { configuration, flags, window: contextLength, tokens, clock } = input
  const { config, isNamed } = configuration
  const engine = flags.engine ?? (isNamed ? undefined : SERVE_ENGINE)
  const { threshold, profile, store } = flags
  const engineFlags: EngineFlags = {
    ...(engine !== undefined && { engine }),
    ...(threshold !== undefined && { threshold }),
    ...(profile !== undefined && { profile }),
  }
  const first = await chooseEngine(configuration, engineFlags)
  const { name } = first.definition
  const isOwn = first.source === 'built-in'
  const keeps = isOwn && store !== undefined && (name === LCM || name === DECISIONS)
  const chosen = keeps
    ? await chooseEngine(configuration, { ...engineFlags, store: `${store}.${name}` })
    : first
  const stores = isOwn
    ? await shareStores(name, chosen.options)
    : { options: chosen.options, close: async () => {} }

  const open = async (sessionId: string, models: EngineModels): Promise<ContextSession> => {
    const { extraction, dedup, compaction: model } = models
    const options = {
      ...stores.options,
      ...(name === DECISIONS && extraction && { extraction_model: extraction }),
      ...(name === DECISIONS && dedup && { dedup_model: dedup }),
    }
    const parts = { contextLength, tokens, clock, sessionId, enabled: config.compression.enabled }
    const { session } = await openSession(
      configuration,
      engineFlags,
      { ...chosen, options },
      {
        ...parts,
        ...(model !== undefined && { model }),
      },
    )
    return session
  }

  const service: ServiceEngine = {
    name,
    warnings: chosen.warnings.map(({ message }) => message),
    open,
    decisionsOf: async (sessionId) =>
      isOwn && name === DECISIONS
        ? readDecisions(stores.options.store as DecisionStore, sessionId, stores.options)
        : null,
    close: stores.close,
  }
  try {
    // An option that the engine refuses is said now, and not at the first call.
    await (await open('palimpsest-serve-check', {})).end()
    return service
  } catch (error) {
    await service.close()
    throw error
  }
}
