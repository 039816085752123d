import { ToolFault } from './tool-fault.ts'
import { TOOL_LIMITS } from './tool-limits.ts'

/**
 * A check to call between pieces of work on files: throws when the person stopped it, or when it took too long.
 *
 * @param advice what to do instead, for the model.
 */
export function timeCheck(signal: AbortSignal, advice: string): () => void {
  const end = performance.now() + TOOL_LIMITS.readTime
  return () => {
    signal.throwIfAborted()
    if (performance.now() <= end) return
    throw new ToolFault(
      `this took longer than ${TOOL_LIMITS.readTime / 1_000} seconds and was ended; ${advice}`,
    )
  }
}
