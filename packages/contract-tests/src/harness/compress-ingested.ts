import type { CompressCall, CompressResult, ContextEngine, Message } from '@palimpsest/core'
import { tokensOf } from './compact.ts'

/** Compacts, with force, messages that the engine has taken in before. */
export function compressIngested(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall> = {},
): Promise<CompressResult> {
  return engine.compress({ messages, currentTokens: tokensOf(messages), force: true, ...call })
}
