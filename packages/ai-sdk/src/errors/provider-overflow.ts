import { contextOverflow, type Overflow } from '@palimpsest/core'
import { APICallError } from 'ai'

/**
 * Recognises a context-length error of a provider, also when only the body of its response says so. Undefined for every
 * other error.
 */
export function providerOverflow(error: unknown): Overflow | undefined {
  if (!APICallError.isInstance(error)) return contextOverflow(error)
  const { message, statusCode, responseBody, data, cause } = error
  return contextOverflow({
    message,
    status: statusCode,
    cause,
    error: { message: responseBody, error: data },
  })
}
