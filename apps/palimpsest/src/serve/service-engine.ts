import {
  type CachePlanner,
  type Clock,
  type CompletionModel,
  type ContextSession,
  errorText,
  type Message,
  type StoredProjection,
  type TokenCounter,
} from '@palimpsest/core'
import type { DecisionStore } from '@palimpsest/decisions'
import type { SessionReader } from '@palimpsest/inspector'
import { createCalibration } from '@palimpsest/tokens'
import { chooseEngine, type EngineFlags, engineTitle } from '../engines/choose-engine.ts'
import { type Configuration, withoutOption } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { LCM } from '../engines/lcm-options.ts'
import { openSession } from '../engines/open-session.ts'
import { createSessionReader } from '../engines/readers/session-reader.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { type DecisionsView, readDecisions } from './decisions-view.ts'
import { engineStore, hidingReplaced, withInnerThreshold } from './engine-store.ts'
import { type SharedStores, shareStores } from './share-stores.ts'
import type { CheckedStore } from './watch-stores.ts'

export interface ServiceEngineFlags {
  readonly engine?: string
  readonly profile?: string
  readonly threshold?: number
  /** The service's store: engines keep theirs beside it. */
  readonly place?: StorePlace
}

/** The models of one conversation, metered. */
export interface EngineModels {
  readonly extraction?: CompletionModel
  readonly compaction?: CompletionModel
}

/** The engine of a service: one instance a conversation, on stores that all of them share. */
export interface ServiceEngine {
  readonly name: string
  /** For people: with the engine that compacts inside of it, as in `decisions over lcm`. */
  readonly title: string
  /** Why it is not the engine that was asked for, and the like. */
  readonly warnings: readonly string[]
  open(sessionId: string, models: EngineModels, options?: OpenOptions): Promise<ContextSession>
  /** Reads from its stores what it knows of a session. */
  reader(sessionId: string): SessionReader
  /** Of its options; null for an engine without profiles. */
  readonly profile: string | null
  /** Reads its store of decisions; null for an engine without one. */
  decisionsOf(sessionId: string): Promise<DecisionsView | null>
  /** Whether one of its stores has a session, whoever wrote it. */
  knows(sessionId: string): Promise<boolean>
  /**
   * Holds the list of a conversation against what its stores have of it.
   *
   * @throws PalimpsestError `STORE_MISMATCH` when a message that both have is not the same.
   */
  assertSame(sessionId: string, messages: readonly Message[]): Promise<void>
  /** The sessions in its stores, and what was said in one of them as far as they keep that. */
  stored: Pick<SharedStores, 'list' | 'messagesOf'>
  /** None for an engine without stores of ours. */
  readonly stores: readonly CheckedStore[]
  /** Reads from its stores. Rejects with the error of one that cannot be used. */
  check(): Promise<void>
  close(): Promise<void>
}

interface OpenOptions {
  /** False keeps every message whatever the configuration says. Default true. */
  readonly compacts?: boolean
  /** The model's window, in tokens. Default: that of the service. */
  readonly contextLength?: number
  /** Tokens of it that are reserved for the answer. Default 0. */
  readonly maxOutputTokens?: number
  /** Places cache breakpoints. Default: none. */
  readonly cache?: CachePlanner
  /** Where the conversation takes place, for the engine. Default `serve`. */
  readonly platform?: string
  /** Keeps from the model what an edit of the history replaced, where the engine is one of ours. Default false. */
  readonly hidesReplaced?: boolean
  /** The name of the model that answers, for the engine. Default: not known. */
  readonly modelName?: string | undefined
  /** What an earlier session of the conversation kept of its last compaction. Default: nothing. */
  readonly restored?: StoredProjection | undefined
}

interface ServiceEngineInput {
  readonly configuration: Configuration
  readonly flags: ServiceEngineFlags
  /** The model's window, in tokens. */
  readonly window: number
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** Loads the engine that the flag or the configuration names, else the compressor. */
export async function createServiceEngine(input: ServiceEngineInput): Promise<ServiceEngine> {
  const found = await findEngine(input)
  const { name, isOwn, chosen, notes } = found
  const stores = isOwn ? await shareStores(name, chosen.options) : { ...NO_STORES, options: chosen.options }
  const decisionStore = isOwn && name === DECISIONS ? (stores.options.store as DecisionStore) : undefined
  const open = createOpen(input, found, stores.options)

  const service: ServiceEngine = {
    name,
    title: engineTitle(chosen),
    warnings: [...chosen.warnings.map(({ message }) => message), ...notes],
    profile: typeof chosen.options.profile === 'string' ? chosen.options.profile : null,
    open,
    reader: (sessionId) => createSessionReader(name, stores.options, sessionId),
    decisionsOf: async (sessionId) =>
      decisionStore === undefined ? null : readDecisions(decisionStore, sessionId, stores.options),
    knows: stores.knows,
    assertSame: stores.assertSame,
    stored: stores,
    stores: stores.stores,
    async check() {
      await Promise.all(stores.stores.map((store) => store.check()))
    },
    close: stores.close,
  }
  try {
    // An option or a store that the engine refuses is named now, not at the first call.
    await (await open('palimpsest-serve-check', {})).end()
    await service.check().catch((cause) => {
      throw new UsageError(`the store of the engine ${name} cannot be used: ${errorText(cause)}`, { cause })
    })
    return service
  } catch (error) {
    await service.close()
    throw error
  }
}

const NO_STORES = {
  stores: [],
  knows: async () => false,
  assertSame: async () => {},
  list: async () => [],
  messagesOf: async () => [],
  close: async () => {},
}

type ChosenEngine = Awaited<ReturnType<typeof chooseEngine>>

interface FoundEngine {
  readonly name: string
  /** Whether it is one of ours. */
  readonly isOwn: boolean
  readonly chosen: ChosenEngine
  readonly flags: EngineFlags
  /** About the place of its store. */
  readonly notes: readonly string[]
}

/** Chooses the engine, and the place of its store beside that of the service. */
async function findEngine({ configuration, flags }: ServiceEngineInput): Promise<FoundEngine> {
  const { engine, threshold, profile } = flags
  const engineFlags: EngineFlags = {
    ...(engine !== undefined && { engine }),
    ...(threshold !== undefined && { threshold }),
    ...(profile !== undefined && { profile }),
  }
  const first = await chooseEngine(configuration, engineFlags)
  const { name } = first.definition
  const isOwn = first.source === 'built-in'
  if (!isOwn || (name !== LCM && name !== DECISIONS))
    return { name, isOwn, chosen: first, flags: engineFlags, notes: [] }
  const { place, notes } = engineStore(name, configuration, flags.place)
  // The engine inside compacts: the flag would do nothing otherwise.
  const given =
    name === DECISIONS && threshold !== undefined
      ? withInnerThreshold(configuration, threshold)
      : configuration
  const chosen = await chooseEngine(withoutOption(given, name, 'store'), {
    ...engineFlags,
    ...(place !== undefined && { place }),
  })
  return { name, isOwn, chosen, flags: engineFlags, notes }
}

function createOpen(
  { configuration, window: contextLength, tokens, clock }: ServiceEngineInput,
  { name, isOwn, chosen, flags }: FoundEngine,
  shared: ChosenEngine['options'],
): ServiceEngine['open'] {
  const { compression, prompt_caching: caching } = configuration.config
  return async (sessionId, models, settings = {}) => {
    const { compacts = true, hidesReplaced = false, modelName, ...given } = settings
    const { extraction, compaction: model } = models
    const options = {
      ...(isOwn && hidesReplaced ? hidingReplaced(name, shared) : shared),
      ...(name === DECISIONS && extraction && { extraction_model: extraction }),
    }
    const parts = {
      contextLength,
      // Texts are counted once for all sessions; how a provider counts is learned of each, for each has its own model.
      tokens: { ...tokens, calibration: createCalibration() },
      clock,
      sessionId,
      enabled: compacts && compression.enabled,
      compactAt: caching.compact_at,
      platform: 'serve',
      ...given,
      ...(model !== undefined && { model }),
      ...(modelName !== undefined && { modelName }),
    }
    const { session } = await openSession(configuration, flags, { ...chosen, options }, parts)
    return session
  }
}
