import { ContextOverflowError } from '@langchain/core/errors'
import { contextOverflow, ModelError } from '@palimpsest/core'

const MAX_CAUSES = 10

/**
 * Returns an error that a session recognises as a too long prompt: the error itself, or LangChain's with it as `cause`.
 * Undefined for every other error.
 */
export function langChainOverflow(error: unknown): Error | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++, cause = cause.cause) {
    if (contextOverflow(cause) !== undefined) return cause
    if (ContextOverflowError.isInstance(cause))
      return new ModelError('context-overflow', cause.message, { cause })
  }
  return undefined
}
