import { equal } from 'node:assert/strict'
import { errorText } from '@palimpsest/core'
import { refusalOf } from '@palimpsest/sqlite-kit/store-suite'
import { StoreError, type StoreErrorCode } from '../../errors/store-error.ts'
import type { LcmSession } from '../../store/lcm-session.ts'

/** The call must reject with a store's error of this code. */
export async function refuses(
  call: () => Promise<unknown>,
  code: StoreErrorCode,
  what: string,
): Promise<void> {
  const error = await refusalOf(call, what)
  equal(StoreError.isInstance(error) ? error.code : errorText(error), code, `the error for ${what}`)
}

/** Everything that a session answers about itself: to see that a refused call changed nothing. */
export async function stateOf(session: LcmSession): Promise<unknown> {
  const [head, frontier] = [await session.head(), await session.frontier()]
  const messages = await session.messages({ limit: 1_000_000, includeReplaced: true })
  const versions = await session.versions({ limit: 1_000 })
  const numbers = Array.from({ length: head.nextSummary }, (_, number) => number)
  return { head, frontier, messages, versions, summaries: await session.summaries(numbers) }
}
