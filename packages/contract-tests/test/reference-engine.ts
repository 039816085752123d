import {
  type CompressCall,
  compactedResult,
  createSerialQueue,
  defineContextEngine,
  type EngineHost,
  type EngineParts,
  InvalidOptionError,
  keptResult,
  readMessages,
  redactSecrets,
  thresholdTokens,
} from '@palimpsest/core'
import { assembleProjection } from './reference/assemble-projection.ts'
import { type MessageLog, openMessageLog } from './reference/message-log.ts'
import { planCompaction, SHARES } from './reference/plan-compaction.ts'
import { pruneToolResults } from './reference/prune-tool-results.ts'
import { runTool, TOOL_SCHEMAS } from './reference/tools.ts'
import { writeSummary } from './reference/write-summary.ts'

const redacted = new Map<string, string>()

/** Hides secrets. The suites say the same again and again, so each text is looked at once. */
function redact(text: string): string {
  const known = redacted.get(text) ?? redactSecrets(text)
  redacted.set(text, known)
  return known
}

/** The steps of the engine. A broken engine is this one with a step that does something else. */
export const REFERENCE_STEPS = {
  readMessages,
  planCompaction,
  writeSummary,
  assembleProjection,
  compactedResult,
  openMessageLog,
  runTool,
  redact,
}
export type ReferenceSteps = typeof REFERENCE_STEPS

export interface ReferenceOptions {
  /** Where the messages are kept. Without a folder none are, and there are no tools. */
  readonly folder?: string
}

/**
 * The smallest engine that can do everything the contract knows: keeps the beginning and the end, replaces what
 * lies between by a summary, and stores every message in a file that its tools read.
 */
export function createReferenceParts(
  options: ReferenceOptions,
  host: EngineHost,
  steps: ReferenceSteps = REFERENCE_STEPS,
): EngineParts {
  for (const key of Object.keys(options))
    if (key !== 'folder') throw new InvalidOptionError(key, `unknown option "${key}"; there is only "folder"`)
  const { tokens, model } = host
  let contextLength = host.contextLength

  const threshold = () => thresholdTokens({ contextLength, maxOutputTokens: host.maxOutputTokens })

  const compress = async (call: CompressCall) => {
    const { messages: before, focusTopic, memoryContext, signal } = call
    const room = Math.min(threshold(), call.targetTokens ?? Number.POSITIVE_INFINITY)
    const plan = steps.planCompaction(steps.readMessages(before), room, tokens)
    if (plan.middle.length === 0) return keptResult('unchanged', 'nothing-to-compact', before, tokens)
    const maxTokens = Math.floor(Math.min(room, model?.contextLength ?? room) * SHARES.summary)
    const { middle, previous } = plan
    const asked = { middle, previous, focusTopic, memoryContext, maxTokens, signal }
    const { text, warnings } = await steps.writeSummary({ ...asked, tokens, model, redact: steps.redact })
    const after = steps.assembleProjection(plan, text)
    return steps.compactedResult({ before, after, tokens, reason: 'summarised', warnings })
  }

  const { folder } = options
  return {
    capabilities: ['summarizer'],
    shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= threshold(),
    // Compactions share nothing, so they need not wait for each other; the queue is there for its signal.
    compress: (call) => createSerialQueue()(() => compress(call), call.signal),
    hasContentToCompress: (messages) =>
      planCompaction(readMessages(messages), threshold(), tokens).middle.length > 0,
    pruneToolResults: async (messages) => pruneToolResults(messages),
    async selectContext({ messages }) {
      const selected = pruneToolResults(messages)
      return selected === messages ? null : { messages: selected }
    },
    updateModel(update) {
      contextLength = update.contextLength
    },
    ...(folder !== undefined && keepMessages(steps.openMessageLog(folder, host.sessionId), steps)),
  }
}

/** The parts of an engine that keeps every message. */
function keepMessages(log: MessageLog, { runTool }: ReferenceSteps): Partial<EngineParts> {
  return {
    capabilities: ['summarizer', 'persistence', 'lossless'],
    ingest: async ({ messages, from }) => log.write(from, messages),
    onSessionReset: async () => log.write(0, []),
    toolSchemas: () => TOOL_SCHEMAS,
    handleToolCall: async (name, args) => runTool(log, name, args),
    dispose: async () => log.close(),
  }
}

export const referenceEngine = defineContextEngine<ReferenceOptions>({
  name: 'reference',
  apiVersion: 1,
  description: 'The smallest engine that can do everything the contract knows',
  create: createReferenceParts,
})
