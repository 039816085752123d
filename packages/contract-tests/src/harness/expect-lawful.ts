import type { Message } from '@palimpsest/core'
import { type Aspect, judge } from './oracle.ts'

/**
 * Fails when the oracle finds a fault in a projection. With aspects, only faults of those count: a case is about
 * one promise.
 */
export function expectLawful(
  projection: readonly Message[],
  history: readonly Message[],
  aspects?: readonly Aspect[],
): void {
  const faults = judge(projection, history).filter(({ aspect }) => aspects?.includes(aspect) ?? true)
  if (faults.length > 0) throw new Error(faults.map(({ text }) => text).join('; '))
}
