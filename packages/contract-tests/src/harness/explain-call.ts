import { errorText } from '@palimpsest/core'

/** What JavaScript says when something frozen is written to. */
const FROZEN = /read only property|not extensible|Cannot (?:add|delete|define|redefine) property/

/** The error of an engine's call; one that comes from writing to frozen messages says so. */
export function explainError(error: unknown, call: string): unknown {
  if (!(error instanceof TypeError) || !FROZEN.test(error.message)) return error
  const text = `${call} writes to what it was given, which is frozen (law 6: copy it first): ${error.message}`
  return new TypeError(text, { cause: error })
}

/**
 * Fails for what `compress` must not resolve to, such as the nothing of a forgotten `return`, before a case trips
 * over it.
 */
export function assertResult(value: unknown): void {
  const { outcome, messages } = Object(value) as { readonly outcome?: unknown; readonly messages?: unknown }
  if (typeof outcome === 'string' && Array.isArray(messages)) return
  const what = Array.isArray(value)
    ? 'a list'
    : typeof value === 'object' && value !== null
      ? shown(value)
      : String(value)
  throw new TypeError(
    `compress() resolved to ${what}, and not to a result with outcome and messages: see compactedResult() and keptResult() of core`,
  )
}

function shown(value: object): string {
  try {
    return `an object with the keys ${Object.keys(value).join(', ') || 'of none'}`
  } catch (error) {
    return `an object that cannot be read (${errorText(error)})`
  }
}
