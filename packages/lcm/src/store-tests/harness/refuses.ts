import { deepEqual, equal, ok } from 'node:assert/strict'
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

/** Exactly one of some calls at the same time may go through; the others must be refused with this code. */
export async function letsOneThrough(
  calls: readonly Promise<unknown>[],
  code: StoreErrorCode,
  what: string,
): Promise<void> {
  const outcomes = await Promise.allSettled(calls)
  const codes = outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'through'
    return StoreError.isInstance(outcome.reason) ? outcome.reason.code : errorText(outcome.reason)
  })
  const expected = codes.map((_, index) => (index === codes.indexOf('through') ? 'through' : code))
  deepEqual(codes, expected, what)
  ok(codes.includes('through'), what)
}

/** Everything that a session answers about itself: to see that a refused call changed nothing. */
export async function stateOf(session: LcmSession): Promise<unknown> {
  const [head, frontier] = [await session.head(), await session.frontier()]
  const messages = await session.messages({ limit: 1_000_000, includeReplaced: true })
  const versions = await session.versions({ limit: 1_000 })
  const numbers = Array.from({ length: head.nextSummary }, (_, number) => number)
  return { head, frontier, messages, versions, summaries: await session.summaries(numbers) }
}
