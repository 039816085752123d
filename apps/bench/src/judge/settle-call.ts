import { ModelError } from '@palimpsest/core'
import type { CallFailure } from './judge-report.ts'

export type Settled<Value> =
  | { readonly value: Value; readonly failure: null }
  | { readonly value: null; readonly failure: CallFailure }

/**
 * What came of a request, when the run can go on without it. Rejects when aborted, and when every other request would fail
 * too: a key that is refused, a limit that outlasts all waiting.
 */
export async function settleCall<Value>(
  of: CallFailure['of'],
  request: Promise<Value>,
): Promise<Settled<Value>> {
  try {
    return { value: await request, failure: null }
  } catch (error) {
    if (!ModelError.isInstance(error) || error.kind === 'auth' || error.kind === 'quota') throw error
    return { value: null, failure: { of, kind: error.kind, message: error.message } }
  }
}
