import { countMessages } from '../budget/count-messages.ts'
import type { PromptEstimate } from '../budget/prompt-estimate.ts'
import { checkCompression } from '../laws/check-compression.ts'
import { checkProjection } from '../laws/check-projection.ts'
import type { Violation } from '../laws/violation.ts'
import { freezeMessage } from '../messages/copy-message.ts'
import type { CompressCall } from '../spec/compress-call.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import { abortable } from './abortable.ts'

export interface CompactInput {
  readonly engine: ContextEngineV1
  readonly tokens: TokenCounter
  readonly transcript: readonly Message[]
  readonly projection: readonly Message[]
  readonly estimate: PromptEstimate
  readonly call: Omit<CompressCall, 'messages' | 'currentTokens'>
}

export interface Compacted {
  readonly result: CompressResult
  /** The frozen new projection; undefined when there is none, or when it broke a law. */
  readonly messages?: readonly Message[]
  readonly violations: readonly Violation[]
}

/**
 * Asks the engine for a compaction and takes the answer only if the laws hold for it. An engine that throws
 * costs the compaction, not the turn. An abort rejects with the signal's reason and changes nothing.
 */
export async function compactProjection(input: CompactInput): Promise<Compacted> {
  const { engine, tokens, transcript, projection, estimate, call } = input
  let result: CompressResult
  try {
    result = await abortable(
      engine.compress({ ...call, messages: projection, currentTokens: estimate.tokens }),
      call.signal,
    )
  } catch (error) {
    call.signal?.throwIfAborted()
    return { result: failed(engine.name, error, projection, tokens), violations: [] }
  }
  if (result.outcome !== 'compacted') return { result, violations: [] }
  const violations = [
    ...checkProjection(result.messages, transcript, { inFlight: true, before: projection }),
    ...checkCompression(projection, result, tokens),
  ]
  if (violations.length > 0) return { result, violations }
  return { result, messages: result.messages.map(freezeMessage), violations }
}

function failed(
  name: string,
  error: unknown,
  projection: readonly Message[],
  tokens: TokenCounter,
): CompressResult {
  const count = countMessages(tokens, projection)
  const reason = error instanceof Error ? error.message : String(error)
  return {
    outcome: 'aborted',
    reason: 'engine-failed',
    messages: projection,
    tokensBefore: count,
    tokensAfter: count,
    changedFrom: projection.length,
    warnings: [
      {
        code: 'engine-failed',
        message: `the engine "${name}" failed to compact and everything was kept: ${reason}`,
      },
    ],
  }
}
