import { ContextOverflowError } from '../errors/context-overflow-error.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { SessionCompaction } from './session-compaction.ts'

/** Share of the threshold that is the target after a provider refused the prompt. */
const OVERFLOW_TARGET_SHARE = 0.5

interface OverflowInput {
  /** What the provider threw. */
  readonly error: unknown
  /** What the refused prompt costs, in tokens, as far as is known. */
  readonly promptTokens: number
  /** The model's window, in tokens. */
  readonly contextLength: number
  readonly focusTopic: string | undefined
  readonly signal: AbortSignal | undefined
}

export interface OverflowRecovery {
  /**
   * Compacts harder, once for a transcript.
   *
   * @throws ContextOverflowError
   */
  recover(input: OverflowInput): Promise<CompressResult>
  /** The transcript changed: another prompt, which may be recovered anew. */
  rearm(): void
}

export function createOverflowRecovery(
  engine: ContextEngineV1,
  guard: EngineGuard,
  compaction: SessionCompaction,
): OverflowRecovery {
  let tried = false
  return {
    async recover({ error, promptTokens, contextLength, focusTopic, signal }) {
      const tooLong = (why: string): ContextOverflowError =>
        new ContextOverflowError(
          promptTokens,
          contextLength,
          `the prompt of about ${promptTokens} tokens does not fit into ${contextLength}, and ${why}; shorten the last message or the system prompt, or use a model with a larger window`,
          { cause: error },
        )
      if (tried) throw tooLong('it was compacted for this request before')
      const threshold = guard.call('thresholdTokens', contextLength, () => engine.thresholdTokens)
      const targetTokens = Math.floor(Math.min(threshold, contextLength) * OVERFLOW_TARGET_SHARE)
      const { result, committed } = await compaction.compact('overflow', {
        force: true,
        targetTokens,
        ...(focusTopic !== undefined && { focusTopic }),
        ...(signal !== undefined && { signal }),
      })
      tried = true
      if (!committed) throw tooLong(`compacting harder gave: ${result.outcome}, ${result.reason}`)
      return result
    },
    rearm() {
      tried = false
    },
  }
}
