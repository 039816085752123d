import { setTimeout } from 'node:timers/promises'
import type { CompressCall, CompressResult, ContextEngine, Message, TokenCounter } from '@palimpsest/core'
import type { Harness } from './create-harness.ts'
import { fixedTokenCounter } from './fixed-token-counter.ts'
import type { ScriptedModel } from './scripted-model.ts'

export function tokensOf(messages: readonly Message[], counter: TokenCounter = fixedTokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0)
}

export function compressIngested(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  return engine.compress({ messages, currentTokens: tokensOf(messages), force: true, ...call })
}

/** Compacts with force, after the engine has ingested the messages. `currentTokens` is their size. */
export async function compact(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  await engine.ingest({ messages, from: 0 })
  return compressIngested(engine, messages, call)
}

/** Like `compact`, for a conversation that every engine has to compact. */
export async function mustCompact(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  return compacted(await compact(engine, messages, call), messages)
}

export function compacted(result: CompressResult, messages: readonly Message[]): CompressResult {
  if (result.outcome === 'compacted') return result
  throw new Error(
    `compress() of ${messages.length} messages, ${tokensOf(messages)} tokens, with force was ${result.outcome} (${result.reason}); it should have been compacted`,
  )
}

export function warnsAsWell(
  { warnings }: Pick<CompressResult, 'warnings'>,
  usual: Pick<CompressResult, 'warnings'>,
): boolean {
  return warnings.some(({ code }) => usual.warnings.every((other) => other.code !== code))
}

export function countersOf(engine: ContextEngine) {
  const { lastPromptTokens, lastCompletionTokens, lastTotalTokens, compressionCount } = engine
  return { lastPromptTokens, lastCompletionTokens, lastTotalTokens, compressionCount }
}

/**
 * A new engine that has ingested a conversation and has become idle, so that later calls of the model belong to the
 * next call.
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
