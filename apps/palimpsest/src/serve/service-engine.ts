import {
  type CachePlanner,
  type Clock,
  type CompactionTiming,
  type CompletionModel,
  type ContextSession,
  errorText,
  isObject,
  type Store,
  type TokenCounter,
} from '@palimpsest/core'
import { createCalibration } from '@palimpsest/tokens'
import { type ChosenEngine, chooseEngine, type EngineFlags, engineTitle } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS, LCM } from '../engines/decisions-options.ts'
import { openSession } from '../engines/open-session.ts'
import { createSessionReader } from '../engines/session-reader.ts'
import { UsageError } from '../usage-error.ts'
import { readDecisions } from './decisions-view.ts'

export interface EngineModels {
  readonly extraction?: CompletionModel
  readonly compaction?: CompletionModel
}

export type ServiceEngine = Awaited<ReturnType<typeof createServiceEngine>>

type OpenEngine = (sessionId: string, models: EngineModels, options?: OpenOptions) => Promise<ContextSession>

interface OpenOptions {
  readonly isTrial?: boolean
  readonly compacts?: boolean
  readonly contextLength?: number
  readonly maxOutputTokens?: number
  readonly cache?: CachePlanner
  readonly compactAt?: CompactionTiming
  readonly platform?: string
  readonly hidesReplaced?: boolean
  readonly modelName?: string | undefined
}

interface ServiceEngineInput {
  readonly configuration: Configuration
  readonly flags: EngineFlags
  readonly store: Store
  readonly window: number
  readonly tokens: TokenCounter
  readonly clock: Clock
}

export async function createServiceEngine(input: ServiceEngineInput) {
  const { configuration, flags, store } = input
  const { principal } = configuration.config.store
  const named = await chooseEngine(configuration, flags)
  // An engine that cannot be created is replaced now, not at the first call.
  const trial = await createOpen(input, named)('check', {}, { isTrial: true })
  await trial.session.end()
  const { chosen } = trial
  const { definition, source, options, warnings } = chosen
  const { name } = definition
  const isOwn = source === 'built-in'
  const parts = (sessionId: string) => ({ store, principal, sessionId })
  const openChosen = createOpen(input, chosen)
  const open: OpenEngine = async (...call) => (await openChosen(...call)).session

  await store.find({ principal, key: '#check' }).catch((cause) => {
    throw new UsageError(`the store ${store.location} cannot be used: ${errorText(cause)}`, { cause })
  })
  const readsDecisions = isOwn && name === DECISIONS
  return {
    name,
    readsDecisions,
    title: engineTitle(chosen),
    warnings: warnings.map(({ message }) => message),
    open,
    reader: (sessionId: string) =>
      createSessionReader({ engine: isOwn ? name : '', options, ...parts(sessionId) }),
    decisionsOf: async (sessionId: string) =>
      readsDecisions ? readDecisions({ ...parts(sessionId), project: options.project }) : null,
  }
}

function createOpen(
  { configuration, flags, store, window: contextLength, tokens, clock }: ServiceEngineInput,
  chosen: ChosenEngine,
) {
  const {
    compression,
    store: { principal },
  } = configuration.config
  const { name } = chosen.definition
  const isOwn = chosen.source === 'built-in'
  return async (sessionId: string, models: EngineModels, settings: OpenOptions = {}) => {
    const { compacts = true, hidesReplaced = false, isTrial = false, modelName, ...given } = settings
    const { extraction, compaction: model } = models
    const options = {
      ...(isOwn && hidesReplaced ? hidingReplaced(name, chosen.options) : chosen.options),
      ...(name === DECISIONS && extraction && { extraction_model: extraction }),
    }
    const parts = {
      contextLength,
      // Sessions share the counts of texts, but each learns its own model's factor.
      tokens: { ...tokens, calibration: createCalibration() },
      clock,
      sessionId,
      enabled: compacts && compression.enabled,
      compactAt: compression.compact_at,
      platform: 'serve',
      ...given,
      ...(!isTrial && { store, principal }),
      ...(model !== undefined && { model }),
      ...(modelName !== undefined && { modelName }),
    }
    return openSession(configuration, flags, { ...chosen, options }, parts)
  }
}

function hidingReplaced(name: string, options: Record<string, unknown>): Record<string, unknown> {
  const { compaction } = options
  if (name === LCM) return { ...options, hide_replaced: true }
  if (!isObject(compaction) || !isObject(compaction.engine)) return options
  const own = isObject(compaction.options) ? compaction.options : {}
  const inner = hidingReplaced(String(compaction.engine.name), own)
  return { ...options, compaction: { ...compaction, options: inner } }
}
