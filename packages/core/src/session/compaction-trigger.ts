import { needsHygiene } from '../budget/hygiene.ts'
import type { PromptEstimate } from '../budget/prompt-estimate.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Message } from '../spec/v1/message.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { CompactionTrigger } from './session-events.ts'

interface TriggerInput {
  readonly engine: ContextEngine
  readonly guard: EngineGuard
  readonly projection: readonly Message[]
  readonly estimate: PromptEstimate
  readonly contextLength: number
}

/** Why a compaction is due before a request: hygiene first, then the engine's threshold, then its cheap check. */
export function compactionTrigger({
  engine,
  guard,
  projection,
  estimate,
  contextLength,
}: TriggerInput): CompactionTrigger | undefined {
  const promptTokens = estimate.tokens
  if (needsHygiene({ contextLength, messageCount: projection.length, promptTokens })) return 'hygiene'
  // Compared with true: an engine that answers with a promise by mistake has not said yes.
  const isOver = guard.call('shouldCompress', false, () => engine.shouldCompress({ promptTokens }))
  if (isOver === true) return 'threshold'
  const preflight = () => engine.shouldCompressPreflight(projection)
  return guard.call('shouldCompressPreflight', false, preflight) === true ? 'preflight' : undefined
}
