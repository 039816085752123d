import { normalizeUsage } from '../budget/normalize-usage.ts'
import { thresholdTokens } from '../budget/threshold.ts'
import { InvalidEngineError, InvalidMessagesError, PalimpsestError } from '../errors/errors.ts'
import { isObject, looseOf } from '../messages/json-value.ts'
import { closestName } from '../options/parse-options.ts'
import type {
  CompressCall,
  CompressResult,
  ContextEngine,
  EngineCapability,
  EngineDefinition,
  EngineDefinitionInput,
  EngineHost,
  EngineParts,
  EngineStatus,
  ToolSchema,
  Usage,
} from '../spec/v1/index.ts'
import { delegateMembers, memberNames } from './delegate-members.ts'
import { createWithOwnLog } from './own-log.ts'

const ENGINE_NAME = /^(?=.{1,214}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

export function isEngineName(name: unknown): name is string {
  return typeof name === 'string' && ENGINE_NAME.test(name)
}

/** Recognises definitions across installed copies of this package. */
export const engineBrand = Symbol.for('palimpsest.context-engine')

/** Recognises engines completed by `fillEngine` of any copy. A copy or a subclass of such an engine lacks it. */
export const wholeEngineBrand = Symbol.for('palimpsest.whole-context-engine')

/** All capabilities of this version of the contract. */
export const ENGINE_CAPABILITIES: readonly EngineCapability[] = Object.freeze([
  'tools',
  'selection',
  'pruning',
  'summarizer',
  'persistence',
  'lossless',
])

/**
 * Declares an engine; the result is a package's default export. `create` must return `shouldCompress` and `compress`;
 * other members get defaults.
 *
 * @throws InvalidEngineError for a name that is not kebab-case, an `apiVersion` other than 1, a missing `create`, or a
 * misspelt member.
 */
export function defineContextEngine<Options = Record<string, unknown>>(
  input: EngineDefinitionInput<Options>,
): EngineDefinition<Options> {
  const { name, apiVersion, description } = input
  refuseMisspelt(
    Object.keys(input),
    DEFINITION_MEMBERS,
    (found) => `the definition of "${name}" has "${found}"`,
  )
  if (!isEngineName(name)) {
    throw new InvalidEngineError(
      `the engine name ${JSON.stringify(name)} must be kebab-case, such as "my-engine"`,
    )
  }
  if (apiVersion !== 1) {
    throw new InvalidEngineError(
      `the engine "${name}" has apiVersion ${String(apiVersion)}; this core supports apiVersion 1: install versions that match`,
    )
  }
  if (typeof input.create !== 'function') {
    throw new InvalidEngineError(`the engine "${name}" needs create(options, host)`)
  }
  const hasLog = (host: EngineHost) => input.store === undefined || host.log !== undefined
  const definition: EngineDefinition<Options> = {
    name,
    apiVersion,
    description,
    ...(input.store && { store: input.store }),
    create(options, host) {
      const create = () =>
        hasLog(host) ? input.create(options, host) : createWithOwnLog(input, options, host)
      return fillEngine(name, create(), host)
    },
  }
  return Object.defineProperty(definition, engineBrand, { value: apiVersion })
}

const DEFINITION_MEMBERS = ['name', 'apiVersion', 'description', 'store', 'create']

/** A member that is misspelt would never be used. */
function refuseMisspelt(
  found: readonly string[],
  known: readonly string[],
  where: (name: string) => string,
): void {
  const missing = known.filter((member) => !found.includes(member))
  for (const name of found) {
    const meant = known.includes(name) ? undefined : closestName(name, missing)
    if (meant !== undefined)
      throw new InvalidEngineError(
        `${where(name)}, which is no member of an engine; did you mean "${meant}"?`,
      )
  }
}

/** True for a value that `defineContextEngine` of any installed copy of this package returned. */
export function isEngineDefinition(value: unknown): value is EngineDefinition {
  return typeof value === 'object' && value !== null && engineBrand in value
}

/**
 * Completes an engine from its author's parts. The defaults are those of the Python ABC (`docs/hermes-contract.md`):
 * the latest usage is kept, compactions are counted, an unknown tool is a JSON error, and the other members do nothing.
 * `dispose` runs once, and `compress` and `ingest` reject after it. An aborted `compress`, or one without a list, never
 * reaches the author's code.
 *
 * @throws InvalidEngineError if a required part is missing, or the name of a part is misspelt.
 */
export function fillEngine(name: string, parts: EngineParts, host: EngineHost): ContextEngine {
  assertMembers(name, parts)
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

const MEMBERS: Readonly<Record<keyof EngineParts, true>> = {
  capabilities: true,
  compress: true,
  compressionCount: true,
  contextLength: true,
  details: true,
  dispose: true,
  handleToolCall: true,
  hasContentToCompress: true,
  ingest: true,
  lastCompletionTokens: true,
  lastPromptTokens: true,
  lastTotalTokens: true,
  onCompactionBoundary: true,
  onSessionEnd: true,
  onSessionReset: true,
  onSessionStart: true,
  onTurnComplete: true,
  pruneToolResults: true,
  selectContext: true,
  shouldCompress: true,
  shouldCompressPreflight: true,
  status: true,
  thresholdTokens: true,
  toolSchemas: true,
  updateFromResponse: true,
  updateModel: true,
}

function assertMembers(name: string, parts: EngineParts): void {
  const found = isObject(parts) ? [...memberNames(parts)] : []
  refuseMisspelt(
    found,
    Object.keys(MEMBERS),
    (other) => `create() of the engine "${name}" returns "${other}"`,
  )
  for (const member of ['shouldCompress', 'compress'] as const) {
    if (typeof parts?.[member] === 'function') continue
    const promised = typeof (parts as { then?: unknown } | undefined)?.then === 'function'
    throw new InvalidEngineError(
      `create() of the engine "${name}" must return ${promised ? 'shouldCompress and compress, not a promise of them' : `the function ${member}`}`,
    )
  }
}

interface Counters {
  prompt: number
  completion: number
  total: number
  compressions: number
  contextLength: number
}

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

function guardedMembers(name: string, parts: EngineParts, counters: Counters, engine: () => ContextEngine) {
  let disposed: Promise<void> | undefined
  const assertUsable = (): void => {
    if (disposed === undefined) return
    throw new PalimpsestError('DISPOSED', `the engine "${name}" was used after dispose(); create a new one`)
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

function capabilitiesOf(parts: EngineParts): readonly EngineCapability[] {
  if (Object.hasOwn(parts, wholeEngineBrand) && parts.capabilities !== undefined) return parts.capabilities
  const shown: EngineCapability[] = []
  if (parts.toolSchemas !== undefined) shown.push('tools')
  if (parts.selectContext !== undefined) shown.push('selection')
  if (parts.pruneToolResults !== undefined) shown.push('pruning')
  return Object.freeze([...new Set([...shown, ...(parts.capabilities ?? [])])])
}

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

/** Adds the wire frame to a flat tool schema. A tool without a name gets the empty name, and callers leave it out. */
export function wireTool(schema: unknown): ToolSchema {
  const given = looseOf(schema)
  const { type, ...flat } = given
  const isFramed = isObject(given.function)
  const tool = isFramed ? looseOf(given.function) : flat
  if (typeof tool.name !== 'string') return { type: 'function', function: { ...tool, name: '' } }
  // The same object is returned each time, because callers compare lists of tools.
  if (isFramed && type === 'function') return schema as ToolSchema
  return { ...(isFramed && flat), type: 'function', function: { ...tool, name: tool.name } }
}
