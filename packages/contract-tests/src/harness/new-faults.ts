import type { Message } from '@palimpsest/core'
import { type Aspect, judge } from './oracle.ts'

/** A projection and the messages that it was made from. */
export interface JudgedProjection {
  readonly projection: readonly Message[]
  readonly history: readonly Message[]
}

/**
 * Fails when the oracle finds a fault in a projection of a kind that a usual one of the same engine has not. What
 * an engine always does wrong is the business of the cases about it. With aspects, only faults of those count.
 */
export function expectNoNewFaults(
  made: JudgedProjection,
  usual: JudgedProjection,
  aspects?: readonly Aspect[],
): void {
  const known = new Set(judge(usual.projection, usual.history).map(({ aspect }) => aspect))
  const fresh = judge(made.projection, made.history).filter(
    ({ aspect }) => !known.has(aspect) && (aspects?.includes(aspect) ?? true),
  )
  if (fresh.length > 0) throw new Error(fresh.map(({ text }) => text).join('; '))
}
