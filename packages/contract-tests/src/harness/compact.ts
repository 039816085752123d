import { setTimeout } from 'node:timers/promises'
import type { CompressCall, CompressResult, ContextEngine, Message, TokenCounter } from '@palimpsest/core'
import type { Harness } from './create-harness.ts'
import { fixedTokenCounter } from './fixed-token-counter.ts'
import type { ScriptedModel } from './scripted-model.ts'

/** The size of all these messages, in tokens of a counter. Default: the fixed one. */
export function tokensOf(messages: readonly Message[], counter: TokenCounter = fixedTokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0)
}

/** Compacts, with force, messages that the engine has taken in before. */
export function compressIngested(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  return engine.compress({ messages, currentTokens: tokensOf(messages), force: true, ...call })
}

/**
 * Compacts a conversation as a host does when its user asks for it: the engine takes the messages in first.
 * `currentTokens` is what they cost.
 */
export async function compact(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  await engine.ingest({ messages, from: 0 })
  return compressIngested(engine, messages, call)
}

/** Like `compact`, for a conversation so long that an engine which does not compact it is none. */
export async function mustCompact(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  return compacted(await compact(engine, messages, call), messages)
}

/** The result of a compaction with force of these messages; fails when it was none. */
export function compacted(result: CompressResult, messages: readonly Message[]): CompressResult {
  if (result.outcome === 'compacted') return result
  throw new Error(
    `compress() of ${messages.length} messages, ${tokensOf(messages)} tokens, with force was ${result.outcome} (${result.reason}); it should have been compacted`,
  )
}

/** True for a compaction with a warning of a kind that another one of the same engine does not have. */
export function warnsAsWell(
  { warnings }: Pick<CompressResult, 'warnings'>,
  usual: Pick<CompressResult, 'warnings'>,
): boolean {
  return warnings.some(({ code }) => usual.warnings.every((other) => other.code !== code))
}

/** The state of an engine that hosts read, as it is now. */
export function countersOf(engine: ContextEngine) {
  const { lastPromptTokens, lastCompletionTokens, lastTotalTokens, compressionCount } = engine
  return { lastPromptTokens, lastCompletionTokens, lastTotalTokens, compressionCount }
}

/**
 * A new engine that has taken in a conversation and has come to rest: engines may ask their model in the background
 * about what they took in, and what they ask from now on is about the next call.
 */
export async function quietEngine(
  harness: Harness,
  messages: readonly Message[],
  model: ScriptedModel,
): Promise<ContextEngine> {
  const engine = harness.create({ model })
  await engine.ingest({ messages, from: 0 })
  const { calls } = model
  for (let before = -1; before !== calls.length; await setTimeout(2)) before = calls.length
  return engine
}
