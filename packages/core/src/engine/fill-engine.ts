import { normalizeUsage } from '../budget/normalize-usage.ts'
import { thresholdTokens } from '../budget/threshold.ts'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import type { CompressCall } from '../spec/compress-call.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { EngineParts } from '../spec/engine-definition.ts'
import type { EngineHost } from '../spec/engine-host.ts'
import type { EngineStatus } from '../spec/engine-status.ts'

/**
 * A whole engine from the parts that its author wrote. The defaults are those of the Python ABC that this
 * contract grew from (`docs/hermes-contract.md`): the latest usage is kept, compactions are counted, an unknown tool is an
 * error in JSON, everything else does nothing. Getters of the parts stay getters.
 *
 * @throws InvalidEngineError when a required part is missing.
 */
export function fillEngine(name: string, parts: EngineParts, host: EngineHost): ContextEngineV1 {
  if (typeof parts?.shouldCompress !== 'function' || typeof parts.compress !== 'function') {
    throw new InvalidEngineError(`create() of the engine "${name}" must return shouldCompress and compress`)
  }
  const counters = { prompt: 0, completion: 0, total: 0, compressions: 0, contextLength: host.contextLength }

  const defaults = {
    specificationVersion: 'v1' as const,
    name,
    get lastPromptTokens() {
      return counters.prompt
    },
    get lastCompletionTokens() {
      return counters.completion
    },
    get lastTotalTokens() {
      return counters.total
    },
    get thresholdTokens() {
      return thresholdTokens({ contextLength: counters.contextLength, maxOutputTokens: host.maxOutputTokens })
    },
    get contextLength() {
      return counters.contextLength
    },
    get compressionCount() {
      return counters.compressions
    },
    updateFromResponse(usage: object) {
      const { promptTokens, completionTokens, totalTokens } = normalizeUsage(usage)
      counters.prompt = promptTokens
      counters.completion = completionTokens
      counters.total = totalTokens
    },
    async ingest() {},
    shouldCompressPreflight: () => false,
    pruneToolResults: async (messages) => messages,
    selectContext: async () => null,
    async onTurnComplete() {},
    hasContentToCompress: () => true,
    async onSessionStart() {},
    async onSessionEnd() {},
    async onSessionReset() {},
    async onCompactionBoundary() {},
    updateModel(update) {
      counters.contextLength = update.contextLength
    },
    toolSchemas: () => [],
    handleToolCall: async (tool: string) => JSON.stringify({ error: `unknown tool: ${tool}` }),
    status: (): EngineStatus => statusOf(engine),
    async dispose() {},
  } satisfies Omit<ContextEngineV1, 'shouldCompress' | 'compress'>

  const counted = {
    async compress(call: CompressCall): Promise<CompressResult> {
      const result = await parts.compress(call)
      if (result.outcome === 'compacted') counters.compressions++
      return result
    },
    async onSessionReset(): Promise<void> {
      Object.assign(counters, { prompt: 0, completion: 0, total: 0, compressions: 0 })
      await parts.onSessionReset?.()
    },
  }

  const engine = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(defaults),
      ...Object.getOwnPropertyDescriptors(parts),
      ...Object.getOwnPropertyDescriptors(counted),
      name: { value: name, enumerable: true },
      specificationVersion: { value: 'v1', enumerable: true },
    },
  ) as ContextEngineV1
  return engine
}

/** The status that every engine can give from the state that hosts read. Safe for a window of 0. */
export function statusOf(engine: ContextEngineV1): EngineStatus {
  const { name, lastPromptTokens, thresholdTokens, contextLength, compressionCount } = engine
  const percent = contextLength > 0 ? (Math.max(0, lastPromptTokens) / contextLength) * 100 : 0
  return {
    name,
    lastPromptTokens: Math.max(0, lastPromptTokens),
    thresholdTokens,
    contextLength,
    usagePercent: Math.round(Math.min(100, percent) * 10) / 10,
    compressionCount,
  }
}
