import { ContextOverflowError } from '@langchain/core/errors'
import { contextOverflow, ModelError } from '@palimpsest/core'

const MAX_CAUSES = 10

/**
 * An error that says that a prompt was too long, in a form that a session recognises: the error itself where its text or
 * code says so, LangChain's error behind `cause` otherwise. Undefined for every other error.
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
