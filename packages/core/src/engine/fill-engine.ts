import { normalizeUsage } from '../budget/normalize-usage.ts'
import { thresholdTokens } from '../budget/threshold.ts'
import { DisposedError } from '../errors/disposed-error.ts'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import { InvalidMessagesError } from '../errors/invalid-messages-error.ts'
import type { EngineCapability } from '../spec/v1/capability.ts'
import type { CompressCall } from '../spec/v1/compress-call.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { EngineParts } from '../spec/v1/engine-definition.ts'
import type { EngineHost } from '../spec/v1/engine-host.ts'
import type { EngineStatus } from '../spec/v1/engine-status.ts'
import type { Usage } from '../spec/v1/usage.ts'
import { delegateMembers } from './delegate-members.ts'
import { wholeEngineBrand } from './engine-brand.ts'
import { wireTool } from './wire-tool.ts'

/**
 * A whole engine from its author's parts. Defaults are those of the Python ABC (`docs/hermes-contract.md`): the
 * latest usage is kept, compactions are counted, an unknown tool is an error in JSON, the rest does nothing.
 * `dispose` runs once; `compress` and `ingest` reject afterwards. A `compress` that was aborted before, or has no
 * list, never reaches the author.
 *
 * @throws InvalidEngineError when a required part is missing.
 */
export function fillEngine(name: string, parts: EngineParts, host: EngineHost): ContextEngine {
  if (typeof parts?.shouldCompress !== 'function' || typeof parts.compress !== 'function') {
    const promised = typeof (parts as { then?: unknown } | undefined)?.then === 'function'
    throw new InvalidEngineError(
      `create() of the engine "${name}" must return shouldCompress and compress${promised ? ', not a promise of them' : ''}`,
    )
  }
  const counters = { prompt: 0, completion: 0, total: 0, compressions: 0, contextLength: host.contextLength }
  const engine = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(defaultMembers(counters, host, parts, () => engine)),
      ...delegateMembers(parts),
      ...Object.getOwnPropertyDescriptors(guardedMembers(name, parts, counters, () => engine)),
      [wholeEngineBrand]: { value: true },
    },
  ) as ContextEngine
  return engine
}

interface Counters {
  prompt: number
  completion: number
  total: number
  compressions: number
  contextLength: number
}

/** The members that an author may leave out. */
function defaultMembers(
  counters: Counters,
  { maxOutputTokens }: EngineHost,
  parts: EngineParts,
  engine: () => ContextEngine,
) {
  return {
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
      return thresholdTokens({ contextLength: counters.contextLength, maxOutputTokens })
    },
    get contextLength() {
      return counters.contextLength
    },
    get compressionCount() {
      return counters.compressions
    },
    shouldCompressPreflight: () => false,
    pruneToolResults: async (messages) => messages,
    selectContext: async () => null,
    async onTurnComplete() {},
    hasContentToCompress: () => true,
    async onSessionStart() {},
    async onSessionEnd() {},
    async onCompactionBoundary() {},
    handleToolCall: async (tool: string) => JSON.stringify({ error: `unknown tool: ${tool}` }),
    status: (): EngineStatus => ({
      ...statusOf(engine()),
      ...(parts.details && { details: parts.details() }),
    }),
  } satisfies Partial<ContextEngine>
}

/** The members whose work is done whether or not the author wrote a part for it. */
function guardedMembers(name: string, parts: EngineParts, counters: Counters, engine: () => ContextEngine) {
  let disposed: Promise<void> | undefined
  const assertUsable = (): void => {
    if (disposed !== undefined) throw new DisposedError(name)
  }
  return {
    name,
    apiVersion: 1 as const,
    capabilities: capabilitiesOf(parts),
    updateFromResponse(usage: Usage): void {
      const { promptTokens, completionTokens, totalTokens } = normalizeUsage(usage)
      Object.assign(counters, { prompt: promptTokens, completion: completionTokens, total: totalTokens })
      parts.updateFromResponse?.(usage)
    },
    updateModel(update): void {
      counters.contextLength = update.contextLength
      parts.updateModel?.(update)
    },
    shouldCompress: (input: { readonly promptTokens?: number } = {}): boolean =>
      parts.shouldCompress({ promptTokens: input.promptTokens ?? engine().lastPromptTokens }),
    async compress(call: CompressCall): Promise<CompressResult> {
      assertUsable()
      if (!Array.isArray(call?.messages)) throw new InvalidMessagesError('messages must be a list')
      call.signal?.throwIfAborted()
      const result = await parts.compress(call)
      // The caller drops the outcome of an aborted call.
      if (result?.outcome === 'compacted' && call.signal?.aborted !== true) counters.compressions++
      return result
    },
    async ingest(input) {
      assertUsable()
      return (await parts.ingest?.(input)) ?? []
    },
    toolSchemas: () => [...(parts.toolSchemas?.() ?? [])].map(wireTool),
    async onSessionReset(): Promise<void> {
      Object.assign(counters, { prompt: 0, completion: 0, total: 0, compressions: 0 })
      await parts.onSessionReset?.()
    },
    dispose(): Promise<void> {
      disposed ??= (async () => parts.dispose?.())()
      return disposed
    },
  } satisfies Partial<ContextEngine>
}

/** Capabilities that the parts show, and those that their author declares. A whole engine has every member: what it declares holds. */
function capabilitiesOf(parts: EngineParts): readonly EngineCapability[] {
  if (Object.hasOwn(parts, wholeEngineBrand) && parts.capabilities !== undefined) return parts.capabilities
  const shown: EngineCapability[] = []
  if (parts.toolSchemas !== undefined) shown.push('tools')
  if (parts.selectContext !== undefined) shown.push('selection')
  if (parts.pruneToolResults !== undefined) shown.push('pruning')
  return Object.freeze([...new Set([...shown, ...(parts.capabilities ?? [])])])
}

/** The status that every engine can give from the state that hosts read. Safe for a window of 0. */
function statusOf(engine: ContextEngine): EngineStatus {
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
