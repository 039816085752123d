import { ContextOverflowError } from '../errors/context-overflow-error.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { EngineGuard } from './engine-guard.ts'
import { largestPart } from './name-part.ts'
import { type ComposedRequest, overWindow, type RequestComposer } from './request-composer.ts'
import type { CompactionCall, SessionCompaction } from './session-compaction.ts'

/** Share of the threshold that is the target after a provider refused the prompt. */
const OVERFLOW_TARGET_SHARE = 0.5
/** Share of a refused prompt above which long texts are cut, when the provider names no limit that it is above. */
const UNKNOWN_LIMIT_SHARE = 0.75

interface OverflowInput {
  readonly error: unknown
  readonly refused: ComposedRequest
  /** The model's window, and what of it a prompt may take, in tokens. */
  readonly contextLength: number
  readonly limitTokens: number
  readonly call: CompactionCall
}

export interface OverflowRecovery {
  /**
   * Compacts harder, and cuts what does not fit then; once for a transcript.
   *
   * @throws ContextOverflowError
   */
  recover(
    input: OverflowInput,
  ): Promise<{ readonly result: CompressResult; readonly request: ComposedRequest }>
  /** The transcript changed: another prompt, which may be recovered anew. */
  rearm(): void
}

export function createOverflowRecovery(
  engine: ContextEngine,
  guard: EngineGuard,
  compaction: SessionCompaction,
  composer: RequestComposer,
): OverflowRecovery {
  let tried = false

  const compact = ({ contextLength, call }: OverflowInput) => {
    const threshold = guard.call('thresholdTokens', contextLength, () => engine.thresholdTokens)
    return compaction.compact('overflow', {
      ...call,
      force: true,
      targetTokens: Math.floor(Math.min(threshold, contextLength) * OVERFLOW_TARGET_SHARE),
    })
  }

  return {
    async recover(input) {
      const { error, refused, limitTokens, call } = input
      const tooLong = (request: ComposedRequest, why: string): ContextOverflowError => {
        const { tokens } = request
        const parts = composer.parts(request)
        const largest = largestPart(parts)
        return new ContextOverflowError(tokens, limitTokens, overWindow(tokens, limitTokens, parts, why), {
          cause: error,
          ...(largest && { largest }),
        })
      }
      if (tried) throw tooLong(refused, 'it was compacted for this request before')
      const { result, committed } = await compact(input)
      const unknown = refused.tokens <= limitTokens
      const cutAboveTokens = unknown ? Math.floor(refused.tokens * UNKNOWN_LIMIT_SHARE) : limitTokens
      const request = await composer.compose({
        limitTokens,
        cutAboveTokens,
        evenPartly: unknown,
        signal: call.signal,
      })
      tried = true
      const isSmaller = committed || request.tokens < refused.tokens
      if (!isSmaller || request.tokens > limitTokens)
        throw tooLong(request, `compacting harder gave: ${result.outcome}, ${result.reason}`)
      return { result, request }
    },
    rearm() {
      tried = false
    },
  }
}
